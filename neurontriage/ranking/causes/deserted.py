"""Nobody answers a client: the server had ended before, with a failing status, and said right above that why.

A client that another process is, as the journal of a system shows, may have asked while the server still started.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import failed
from neurontriage.lines.levels import LOUD
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene
from neurontriage.ranking.statements import WHY, unanswered

_NEAR = 4  # lines from the last words of a server to the report of its end
# What systemd says of a service that it cannot start at all, or ends.
_UNIT = Sought(
    r"\bsystemd\[\d+\]: \S+\.service: (?:Failed to |Failed at step |Unable to |Watchdog timeout\b"
    r"|(?:S|s)tart operation timed out|A process of this unit has been killed by the OOM killer)"
)
_MILD = frozenset({"ZERO", "QUOTATION", "SUCCESS", "PROGRESS", "CALM"})


def deserted(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether nobody answered the likely claim, and this one is what a process said before it was reported to fail."""
    one, other = claim.event.evidence, likely.event.evidence
    below = claim.last < other.line
    if one.path != other.path or not (below or likely.event.process) or not unanswered(likely):
        return False
    name = "" if below else _apart(claim, likely)
    if name is None or claim.handled or scene.survived(claim):
        return False
    if _apart(claim, likely) and _UNIT.search(one.text):
        return True
    if unanswered(claim) or not (_says(claim) or (name and _remarks(claim))):
        return False
    upto = claim.last + _NEAR if name else min(claim.last + _NEAR, other.line - 1)
    ends = (end.event.evidence for end in scene.claims if end.says in ("exit", "wrap"))
    near = [end for end in ends if end.path == one.path and claim.last < end.line <= upto]
    return any(failed(end.text) and name in end.text for end in near)


def _apart(claim: Claim, likely: Claim) -> str | None:
    """The name of the process of a claim where the likely one is of another process; None where it is not."""
    own, other = claim.event.process, likely.event.process
    return own.partition("[")[0] if own and other and own != other else None


def _remarks(claim: Claim) -> bool:
    """Whether a claim, the last words of a process, says more than what it does."""
    return not claim.event.said.words & (_MILD | {"UNHIT"})


def _says(claim: Claim) -> bool:
    """Whether a claim says what is wrong, and is no remark."""
    said = claim.event.said
    if claim.says in ("exit", "echo", "note", "wrap") and said.level not in ("ERROR", "FATAL", "WARNING"):
        return False
    return not said.words & _MILD and (said.level in LOUD or bool(said.words & (WHY | {"INABILITY", "LABEL"})))
