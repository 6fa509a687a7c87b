"""Who goes on: a daemon complains in one record, and then does its work to the end of its log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.lines.cut import NEAR
from neurontriage.lines.voices import loud, voice
from neurontriage.lines.words import Sought
from neurontriage.model import Course

_LEAST = 5  # of the last lines of a log, so many are of one who goes on
_LONG = 60  # lines below a complaint after which a daemon is asked to leave for another reason
_ANYBODY = frozenset({"text", "plain", "python", "errno", "kubernetes", "pjrt"})
_STACK = frozenset({"compiler", "runtime", "driver", "collectives", "cache"})
# Whoever ran a process says that it failed.
_FAILED = Sought(
    r"(?i)\b(?:exit(?:ed|ing|s)?|ended|finished|returned|status)\b[^\n]{0,24}[ :=/]{1,3}[1-9]\d{0,2}\b"
    r"|\bFailed with result\b|\bcore dumped\b|\bFAILED\b|\bkilled\b"
)
# It is going: after a complaint only a short while ago perhaps because of it.
_LEAVES = Sought(
    r"(?i)\b(?:shut(?:ting)? ?down|stopp(?:ed|ing)|exit(?:ing)?|terminat(?:ed|ing)|abort(?:ed|ing)?"
    r"|clean(?:ing|ed)? ?up|bye)\b"
)


def goes_on(claim: Claim, course: Course, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the program of a claim goes on below it to the end of its log, whose last lines report no failure.

    Nobody goes on after a fatal error, an end or a signal; what an entry knows of the Neuron stack is no complaint.
    """
    if not _complains(claim, briefs) or not (own := voice(claim.event.evidence.text)):
        return False
    below = [text for line, text in course.ends if line > claim.last]
    if len(below) < NEAR or any(map(_FAILED.search, below)):
        return False
    if course.lines - claim.last < _LONG and any(map(_LEAVES.search, below)):
        return False
    said = [loud(text) for text in below if voice(text) == own]
    return len(said) >= _LEAST and not any(said)


def _complains(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim is a complaint that any program may survive."""
    event = claim.event
    ended = claim.says == "signal" or (claim.says == "exit" and event.said.level != "ERROR")
    if event.family not in _ANYBODY or event.said.level == "FATAL" or ended:
        return False
    return claim.entry is None or briefs[claim.id]["layer"] not in _STACK
