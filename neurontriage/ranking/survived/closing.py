"""Whose good word counts: what goes well below a failure undoes it only where it is said of the same work.

A recorder, a runner, an epilog, an upload or another task has the last word in many logs that failed.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import of_another
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.relayed import points
from neurontriage.ranking.features import Scene

CLOSING = 6
"""Lines that others may add below the last words of a program."""
_LITTLE = 0.05  # of the share of the likeliest claim
_LAST_WORDS = frozenset({("plain", "error"), ("build", "status")})
_PRAISE = frozenset({"success after", "ended after", "tail:SUCCESS", "tail:ENDED", "tail:TEARDOWN", "tail:well"})
_FAILS = frozenset(
    {"FAILED", "INABILITY", "INVALID", "REFUSED", "MISSING", "EXCEPTION", "EXIT", "SIGNALLED", "REASON", "STATUS"}
)
# What a line also says so that it is no plain statement of a failure.
_MILD = frozenset({"SUCCESS", "ENDED", "PROGRESS", "ZERO", "CALM", "QUOTATION", "WARNING"})
# The status with which a program ended, and those of one that was asked to end, by SIGINT or SIGTERM, or ended well.
_STATUS = Sought(
    r"(?:(?i:\b(?:exit(?:ed|ing|s)?|finished|ended|terminated|returned)\b[^\n]{0,16}\b(?:code|status)[ :=]{1,3})"
    r"|(?:^|\s)\+ exit )(-?\d{1,3})\b"
)
_ILL_ENDED = Sought(
    r"(?i)\b(?:result|conclusion|outcome|verdict)\b\W{1,3}(?:FAILED|FAILURE|ERROR)\W*$"
    r"|\bfinished with (?:errors|failures)\b"
)
_ASKED = frozenset({0, -2, -15, 130, 143})


def failed(claim: Claim) -> bool:
    """Whether a report of an end tells the status with which a program failed."""
    return claim.says in ("exit", "wrap", "echo") and _below_status(claim.event.evidence.text) is not None


def closes(claim: Claim, scene: Scene) -> bool:
    """Whether a log ends in the report of a failing status, or, at whatever level, in a line that says so itself."""
    lines, text = scene.course(claim).lines, claim.event.evidence.text
    if lines <= claim.last and (_below_status(text) is not None or _ILL_ENDED.search(text)):
        return True
    pointing = claim.event.said.level in LOUD and points(claim)
    return (failed(claim) or pointing) and lines - claim.last <= CLOSING


def failing(claim: Claim) -> bool:
    """Whether a line, and no plain information, ends with the status with which a program failed.

    Of lines that wrap it, those that an entry knows.
    """
    if claim.says not in (("exit", "wrap") if claim.known else ("exit",)) or claim.event.said.level in CALM:
        return False
    rest = _below_status(claim.event.evidence.text)
    return rest is not None and not any(map(str.isalnum, rest))


def ends_in(claim: Claim, scene: Scene) -> bool:
    """Whether a program died of it: the log ends in a traceback, a signal, or an error of the shell, Perl, make."""
    lines, end = scene.course(claim).lines, claim.event.evidence.end_line
    again = "FRAMED" in claim.event.said.words or (claim.known and claim.says == "wrap")
    below = lines - (max(end, claim.last) if again else end)
    if below <= 1 and ((claim.event.family, claim.event.kind) in _LAST_WORDS or failing(claim)):
        return not claim.event.said.words & {"CALM", "ZERO", "QUOTATION"}
    last = below <= 1 or (below <= CLOSING and not scene.went_on(claim))
    words = claim.event.said.words
    signalled = claim.known and "SIGNALLED" in words and not words & {"CALM", "ZERO", "QUOTATION"}
    raised = claim.event.said.kind == "exception" and "FRAMED" in words and "THREAD" not in words
    return last and (signalled or raised)


def _below_status(text: str) -> str | None:
    """What a text says after the status with which a program failed, None where it tells none."""
    found = _STATUS.search(text)
    return text[found.end() :] if found and int(found[1]) not in _ASKED and not of_another(text) else None


def weighed(claim: Claim, found: dict[str, float], scene: Scene) -> dict[str, float]:
    """What speaks for an alarm (`found`) without the good words below a claim that say nothing of it.

    They count where its work went on, where its process or the whole ended well, and where its own logger says them.
    """
    course = scene.course(claim)
    if course.whole or not _fails(claim) or course.lines - _end(claim, scene) > CLOSING:
        return found
    if scene.well_below(claim) or scene.praised(claim):
        return found
    return {name: value for name, value in found.items() if name not in _PRAISE}


def seeming(loud: list[Claim], errors: Sequence[Claim], ends: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The claims `loud` if any is known, ends a log, or is taken for the cause beside `errors`, all left.

    Else the likeliest of all, if that is what a program dies of; none where it is not.
    """
    likely = max(errors, key=lambda claim: claim.score, default=None)
    least = _LITTLE * (likely.score if likely is not None else 0.0)
    if any(c.known or c in ends or c.score >= least or c.last >= scene.course(c).lines for c in loud):
        return loud
    return [likely] if loud and likely is not None and _dies(likely) and not likely.event.said.level else []


def _end(claim: Claim, scene: Scene) -> int:
    """The last line of a claim; of what a program dies of, also of what is then said of its end."""
    last = max(claim.last, claim.event.evidence.end_line)
    return max(last, scene.failed.get(claim.event.evidence.path, 0)) if _dies(claim) else last


def _dies(claim: Claim) -> bool:
    """Whether a claim is an exception that no thread survived."""
    said = claim.event.said
    return said.kind == "exception" and bool(said.words & {"FRAMED", "MARK"}) and "THREAD" not in said.words


def _fails(claim: Claim) -> bool:
    """Whether a claim states a failure in plain words, or is what a program dies of."""
    said = claim.event.said
    if said.kind == "exception" and said.words & {"FRAMED", "MARK"}:
        return _dies(claim)
    if not said.words.isdisjoint(_MILD) or said.level in CALM:
        return False
    return said.level in LOUD or not said.words.isdisjoint(_FAILS)
