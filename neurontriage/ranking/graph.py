"""The evidence graph: claims as nodes, edges that say why one is the cause of another."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol

from neurontriage.claims.claim import Claim
from neurontriage.model import EdgeKind

# From the strongest reason to the weakest: what an entry says, what Python says, what the text itself shows.
KINDS: tuple[EdgeKind, ...] = ("entry", "chain", "nesting", "same_code", "peer_of", "exit_of")


class Edge(NamedTuple):
    """`effect` is a consequence of `cause`; `why` is a sentence for the reader."""

    cause: Claim
    effect: Claim
    kind: EdgeKind
    why: str


def states(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim states a failure of its own, by its form or because an entry says so."""
    if claim.says == "raise":
        return True
    return claim.entry is not None and briefs[claim.id]["role"] == "root" and not briefs[claim.id]["fallback"]


class EdgeRule(Protocol):
    """One file in edges/."""

    def edges(self, claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterable[Edge]:
        """The edges among claims that this rule sees; `claims` are in the order of the log."""


@lru_cache(maxsize=1)
def rules() -> tuple[EdgeRule, ...]:
    """Every rule, found by walking the folder, the strongest kind first."""
    from neurontriage.ranking import edges

    names = {module.name for module in pkgutil.iter_modules(edges.__path__)}
    return tuple(importlib.import_module(f"{edges.__name__}.{name}") for name in KINDS if name in names)


@dataclass(frozen=True)
class Graph:
    """All edges among the claims of a log."""

    edges: tuple[Edge, ...]

    @cached_property
    def _into(self) -> dict[int, list[Edge]]:
        return _by(self.edges, lambda edge: edge.effect)

    @cached_property
    def _out_of(self) -> dict[int, list[Edge]]:
        return _by(self.edges, lambda edge: edge.cause)

    def into(self, claim: Claim) -> Sequence[Edge]:
        """What the claim is a consequence of, the strongest reason first."""
        return self._into.get(id(claim), ())

    def below(self, root: Claim) -> dict[int, Edge]:
        """Everything that follows from a claim: id of the claim → the edge by which it was reached, nearest first."""
        reached: dict[int, Edge] = {}
        front = [root]
        while front:
            step = [edge for cause in front for edge in self._out_of.get(id(cause), ()) if edge.effect is not root]
            front = []
            for edge in step:
                if id(edge.effect) not in reached:
                    reached[id(edge.effect)] = edge
                    front.append(edge.effect)
        return reached


def _by(edges: Iterable[Edge], end: Callable[[Edge], Claim]) -> dict[int, list[Edge]]:
    found: dict[int, list[Edge]] = {}
    for edge in edges:
        found.setdefault(id(end(edge)), []).append(edge)
    return found


def graph(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Graph:
    """All edges among claims; of several between the same two, and of two that contradict, the strongest is kept."""
    found: dict[tuple[int, int], Edge] = {}
    for rule in rules():
        for edge in rule.edges(claims, briefs):
            pair = id(edge.cause), id(edge.effect)
            if edge.cause is not edge.effect and pair not in found and pair[::-1] not in found:
                found[pair] = edge
    return Graph(tuple(found.values()))
