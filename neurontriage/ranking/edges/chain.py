"""Python says it itself: an exception that was raised from, or while handling, another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.ranking.features import particular
from neurontriage.ranking.graph import Edge
from neurontriage.ranking.worded import worded


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From each exception of a chain to the ones raised after it; to one without words from the one that has them."""
    chains: dict[int, list[Claim]] = {}
    for claim in claims:
        if claim.event.chain[0]:
            chains.setdefault(claim.event.chain[0], []).append(claim)
    for linked in chains.values():
        ordered = sorted(linked, key=lambda claim: claim.event.chain[1])
        for place, cause in enumerate(ordered):
            for effect in ordered[place + 1 :]:
                if worded(effect, cause):
                    yield Edge(effect, cause, "chain", "this exception says in words what that one was raised for")
                elif particular(effect, briefs) and not particular(cause, briefs):
                    yield Edge(effect, cause, "chain", "an entry knows the exception that was raised from this one")
                else:
                    yield Edge(cause, effect, "chain", "it was raised from, or while handling, this exception")
