"""A summary says only that something was not done; the indented lines right above or below it say why."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.facts.beyond import beyond
from neurontriage.ranking.statements import WHY, tells

_NEAR = 6  # lines from a summary to the end of its details
_CLOSE = 2  # lines from the last words of a program to the exception with which it ends
_ONLY = frozenset({"INABILITY", "FAILED"})


def details(likely: Claim, claim: Claim) -> bool:
    """Whether a claim is indented beside one that is not, and that names no reason."""
    if claim.event.evidence.path != likely.event.evidence.path or not 0 < abs(_line(claim) - _line(likely)) <= _NEAR:
        return False
    frame = "FRAME" in claim.event.said.words
    return indented(claim) and not frame and bare(likely) and tells(claim) and not claim.handled


def indented(claim: Claim) -> bool:
    """Whether a line is a part of one beside it."""
    return "INDENTED" in claim.event.said.words


def bare(claim: Claim) -> bool:
    """Whether a line at the margin says only that something failed, and no value that is not what it may be."""
    words = claim.event.said.words
    only = not words & {"INDENTED", "FRAMED"} and bool(words & _ONLY) and words.isdisjoint(WHY | {"SIGNALLED"})
    return only and not beyond(claim.event.evidence.text)


def sums_up(claim: Claim, likely: Claim) -> bool:
    """Whether a claim is an exception without a reason, right below a line that a program ends with."""
    return bare(claim) and 0 < _line(claim) - likely.last <= _CLOSE and claim.event.kind == "exception"


def _line(claim: Claim) -> int:
    return claim.event.evidence.line
