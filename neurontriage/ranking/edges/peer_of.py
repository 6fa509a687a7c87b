"""Peers of a rank that failed: they lose their connection to it, or wait for it until a timeout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.ranking.graph import Edge

_LOST = frozenset(
    {"connection refused", "connection reset", "connection reset by peer", "connection closed", "broken pipe"}
)
# What ends whoever waits for another process: the one that is missing says why.
_MISSED = Sought(
    r"(?i)\btimed? ?-?out\b.{0,80}\b(?:waiting for|clients|barrier|rendezvous|to join|other (?:ranks|nodes|workers))"
    r"|\b(?:barrier|rendezvous)\b.{0,40}\btimed? ?-?out\b|\bclients joined\b|\bdid not (?:arrive|join)\b"
)


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From a statement of a failure to later losses of a connection and timeouts of collectives in other processes."""
    stated = [claim for claim in claims if not waits(claim, briefs) and (claim.says == "raise" or died(claim))]
    for effect in claims:
        if not waits(effect, briefs):
            continue
        for cause in stated:
            if before(cause, effect):
                yield Edge(cause, effect, "peer_of", "it lost its peer, or waited for it, after this failure")


def waits(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim only says that another process did not come, or went away."""
    if _MISSED.search(claim.event.evidence.text):
        return True
    if claim.entry is not None:
        brief = briefs[claim.id]
        return bool(brief["layer"] == "collectives" and brief["role"] == "symptom")
    said = claim.event.said
    return said.fields.get("reason", "").lower() in _LOST or ("REFUSED" in said.words and claim.layer == "collectives")


def died(claim: Claim) -> bool:
    """Whether a process ended in an exception of its main thread."""
    words = claim.event.said.words
    return claim.event.said.kind == "exception" and "FRAMED" in words and not words & {"THREAD", "QUOTATION"}


def before(cause: Claim, effect: Claim) -> bool:
    """Whether one process may have told of its failure before another one did."""
    return not later(cause, effect) and _actor(cause) != _actor(effect)


def later(claim: Claim, other: Claim) -> bool:
    """Whether a claim is known to come after another: in one log by its lines, in two by the times that both print."""
    one, two = claim.event.evidence.path, other.event.evidence.path
    return (one == two or bool(claim.place[0] and other.place[0])) and claim.place > other.place


def _actor(claim: Claim) -> tuple[str, str | None, int | None, str | None]:
    event = claim.event
    return event.evidence.path, event.host, event.evidence.rank, event.process
