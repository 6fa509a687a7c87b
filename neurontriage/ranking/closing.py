"""Whose good word counts: what goes well below a failure undoes it only where it is said of the same work.

A recorder, a runner, an epilog, an upload or another task has the last word in many logs that failed.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.ranking.features import Scene

CLOSING = 6
"""Lines that others may add below the last words of a program."""
_PRAISE = frozenset({"success after", "ended after", "tail:SUCCESS", "tail:ENDED", "tail:TEARDOWN", "tail:well"})
_FAILS = frozenset(
    {"FAILED", "INABILITY", "INVALID", "REFUSED", "MISSING", "EXCEPTION", "EXIT", "SIGNALLED", "REASON", "STATUS"}
)
# What a line also says so that it is no plain statement of a failure.
_MILD = frozenset({"SUCCESS", "ENDED", "PROGRESS", "ZERO", "CALM", "QUOTATION", "WARNING"})
_SHORT = 120  # characters at the end of a line
# The status with which a program ended, but for those of SIGINT and SIGTERM: it was asked to end.
_STATUS = expression(
    r"(?i)(?:exit(?:ed|s)?|finished|ended|terminated|returned)\b[ _]?(?:with )?(?:an? )?(?:exit )?(?:code|status)"
    r"[ :=]{1,3}(?!(?:0|-2|-15|130|143)\b)-?\d{1,3}\W*$"
)


def failing(claim: Claim) -> bool:
    """Whether a line, and no plain information, ends with the status with which a program failed."""
    stated = claim.says == "exit" and claim.event.said.level not in CALM
    return stated and _STATUS.search(claim.event.evidence.text[-_SHORT:]) is not None


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
