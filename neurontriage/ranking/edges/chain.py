"""The language says it itself: an exception was raised from another one, or nothing caught it and `what()` follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.ranking.causes.receipts import only
from neurontriage.ranking.causes.worded import occurred, worded
from neurontriage.ranking.features import particular
from neurontriage.ranking.graph import Edge
from neurontriage.ranking.statements import WHY


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From each exception of a chain to the ones raised after it; to one without words from the one that has them."""
    chains: dict[int, dict[int, Claim]] = {}
    for claim in claims:
        for chain, place in claim.chains:
            chains.setdefault(chain, {})[place] = claim
    linked = set[frozenset[int]]()  # as the first chain that they are both in has them
    for _, places in sorted(chains.items()):
        for (_, cause), (_, effect) in combinations(sorted(places.items()), 2):
            pair = frozenset((id(cause), id(effect)))
            if len(pair) == 2 and pair not in linked:
                linked.add(pair)
                yield _edge(cause, effect, briefs)
    yield from _thrown(claims)


def _edge(cause: Claim, effect: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> Edge:
    """Between an exception and one that was raised after it."""
    if worded(effect, cause):
        return Edge(effect, cause, "chain", "this exception says in words what that one was raised for")
    known = particular(effect, briefs) and not only(effect)
    told = "ERRNO" in cause.event.said.words and effect.event.said.words.isdisjoint(WHY)  # by the system
    if known and not particular(cause, briefs) and not told:
        return Edge(effect, cause, "chain", "an entry knows the exception that was raised from this one")
    if "reraised" in effect.event.fields and (known or not particular(cause, briefs)):
        return Edge(effect, cause, "chain", "this exception had been raised before that one, and was only raised again")
    return Edge(cause, effect, "chain", "it was raised from, or while handling, this exception")


def _thrown(claims: Sequence[Claim]) -> Iterator[Edge]:
    """From what an uncaught C++ exception says, its `what()`, to the line above it that only names its class."""
    said = {(one.event.evidence.path, one.event.evidence.line): one for one in claims if one.event.kind == "what"}
    for effect in (claim for claim in claims if said and claim.event.kind == "terminate"):
        where = effect.event.evidence
        if cause := said.get((where.path, where.line + 1)) or said.get((where.path, where.end_line)):
            yield Edge(cause, effect, "chain", "it is what the exception says that nothing caught")


def raised_from(claim: Claim, other: Claim) -> bool:
    """Whether an exception was raised from, or while handling, another one, in a chain of both."""
    places = dict(other.chains)
    return any(place > places.get(chain, place) for chain, place in claim.chains)


def causal(edge: Edge) -> bool:
    """Whether an entry says that one is the cause of the other, or the log does, as Java and Rust print it: below.

    Or as Python does, where the effect only says that an error occurred.
    """
    cause, effect, kind, _ = edge
    below = cause.place > effect.place or raised_from(cause, effect)
    return kind == "entry" or (kind == "chain" and (below or occurred(effect, cause)))
