"""Peers of a rank that failed: they lose their connection to it, or wait for it until a timeout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.ranking.graph import Edge

_LOST = frozenset(
    {"connection refused", "connection reset", "connection reset by peer", "connection closed", "broken pipe"}
)


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From a statement of a failure to later losses of a connection and timeouts of collectives in other processes."""
    stated = [claim for claim in claims if claim.says == "raise" and not _waits(claim, briefs)]
    for effect in claims:
        if not _waits(effect, briefs):
            continue
        for cause in stated:
            if cause.place < effect.place and _actor(cause) != _actor(effect):
                yield Edge(cause, effect, "peer_of", "it lost its peer, or waited for it, after this failure")


def _waits(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    if claim.entry is not None:
        brief = briefs[claim.id]
        return bool(brief["layer"] == "collectives" and brief["role"] == "symptom")
    said = claim.event.said
    return said.fields.get("reason", "").lower() in _LOST or ("REFUSED" in said.words and claim.layer == "collectives")


def _actor(claim: Claim) -> tuple[str, str | None, int | None, str | None]:
    event = claim.event
    return event.evidence.path, event.host, event.evidence.rank, event.process
