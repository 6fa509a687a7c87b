"""Words on all that was run that know of what failed on the way: tries, samples of an evaluation, what was rescued.

And the status of the whole, which is the last word on it.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.claims.steps import chosen
from neurontriage.claims.verdicts import verdict
from neurontriage.expressions import expression
from neurontriage.lines.outlook import done
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import loud
from neurontriage.lines.words import Sought

# Ansible's count of what it did on a host, what it rescued or ignored aside.
_RECAP = expression(r"\S+ +: ok=\d+ .*\bunreachable=(?P<unreachable>\d+) .*\bfailed=(?P<failed>\d+)\b")
# How often it had to be started, or tried, until then.
_AFTER = Sought(
    r"(?i)(?:\b(?:after|with|in)|[,;(]) ?\d{1,4} (?:re-?starts?|re-?spawns?|re-?tries|retry|attempts|tries|re-?runs?)\b"
)
# What an evaluation found; what a manager of packages says only where all went well.
_FOUND = Sought(r"\bpass@\d{1,4}\b\"?(?: ?\([^()]{1,30}\))? ?[:=] ?\"?[01]?\.?\d|^\W{0,4}Done in \d{1,6}\.\d\ds\.$")
_TRACED = expression(r"Traceback \(most recent|panic: |\s*Caused by: |[\w.]*[a-z](?:Error|Exception)\b")
# Somebody typed the next statement; a status is that of one of several.
_TYPED = expression(r"(?:>>> |In \[\d+\]: )")
_PART, _SHORT = Sought(r"\w[-_ #]?\d+ (?:has )?(?:exited|finished|ended|stopped)\b"), 60


def settled(claims: Sequence[Claim], ends: Sequence[tuple[int, str]]) -> bool:
    """Whether the status of the whole, which is 0, has the last word, and something was done below all claims.

    Of a pipeline it is the status of its last command: by itself it proves nothing of a program that died in it.
    """
    if not ends or not _zero(ends[-1][1]) or any(_TYPED.match(text) for _, text in ends):
        return False
    if any("MAIN" in claim.event.said.words for claim in claims):
        return False
    last = max(max(claim.latest, claim.event.evidence.end_line) for claim in claims)
    below = [text for line, text in ends if line > last]
    return any(map(done, below)) and not any(map(bad, below))


def bad(text: str) -> bool:
    """Whether a line below the word of a runner speaks of something that failed."""
    said = verdict(text)
    return loud(text) or traced(text) or (said is not None and said.ill)


def traced(text: str) -> bool:
    """Whether a line is one of a traceback, a panic or an exception."""
    return _TRACED.match(text) is not None


def _zero(text: str) -> bool:
    """Whether a line is the status of the whole, and that is 0: none of one of several containers or processes."""
    said, payload = verdict(text), strip(text).payload
    own = said is not None and not said.ill and said.form == "status" and len(payload) <= _SHORT
    return own and not loud(text) and not _PART.search(payload)


def accounts(payload: str) -> bool:
    """Whether a line that praises all that was run counts what failed of it in, or says how often it was tried."""
    return scored(payload) or _AFTER.search(payload) is not None


def scored(payload: str) -> bool:
    """Whether a line is the score of an evaluation, or the last word of a manager of packages that did all."""
    return _FOUND.search(payload) is not None


def recap(payload: str) -> bool | None:
    """Whether a row counts that nothing failed on a host of a playbook; None where it is no such row."""
    row = _RECAP.match(payload)
    return None if row is None else row["unreachable"] == row["failed"] == "0"


def counting(text: str, above: Sequence[str]) -> list[str]:
    """The lines above a word on all that was run that count beside it: what it accounts for is told of, too."""
    payload = strip(text).payload.strip()
    if recap(payload) is not None:
        return [one for one in above if recap(strip(one).payload.strip()) is not None]
    # What went wrong of all that was tried is told above the best of it.
    return [] if chosen(payload) or accounts(payload) else [*above]
