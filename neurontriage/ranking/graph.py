"""The evidence graph: claims as nodes, edges that say why one is the cause of another."""

from __future__ import annotations

import importlib
import pkgutil
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from neurontriage.claims.claim import Claim
from neurontriage.model import EdgeKind

# From the strongest reason to the weakest: what an entry says, what Python says, what the text itself shows.
KINDS: tuple[EdgeKind, ...] = ("entry", "chain", "nesting", "same_code", "peer_of", "exit_of")


_Why = tuple[EdgeKind, str]
_WHY = 32
"""Bits for the number of why, behind that of a cause."""
_LAST = (1 << _WHY) - 1


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


class Graph:
    """All edges among the claims of a log; long logs have hundreds of thousands, of which a few are asked for.

    Of several between the same two, and of two that contradict each other, the first is kept.
    """

    def __init__(self, edges: Iterable[Edge]) -> None:
        self._claims: dict[int, Claim] = {}
        self._numbers: dict[int, int] = {}
        self._known: dict[int, int] = {}  # of each claim the numbers of its causes, as bits
        self._into: dict[int, array[int]] = {}  # of each its causes, each with why
        self._out_of: dict[int, array[int]] = {}
        self._whys: dict[_Why, int] = {}
        self._said: tuple[_Why, ...] = ()
        self.add(edges)

    def add(self, edges: Iterable[Edge]) -> None:
        """Take in more edges."""
        for edge in edges:
            if edge.cause is not edge.effect:
                self._add(*edge)
        self._said = tuple(self._whys)

    def _add(self, cause: Claim, effect: Claim, *why: Any) -> None:
        above, below = id(cause), id(effect)
        if above not in self._numbers:
            self._number(cause)
        if below not in self._numbers:
            self._number(effect)
        one, other = self._numbers[above], self._numbers[below]
        if not ((self._known[other] >> one) | (self._known[one] >> other)) & 1:
            self._known[other] |= 1 << one
            number = self._whys.get(why)
            if number is None:
                number = self._whys[why] = len(self._whys)
            self._into[other].append(one << _WHY | number)
            self._out_of[one].append(other)

    def _number(self, claim: Claim) -> None:
        """One number for each claim, held once however many edges it has."""
        number = self._numbers[id(claim)] = len(self._claims)
        self._claims[number], self._known[number] = claim, 0
        self._into[number], self._out_of[number] = array("Q"), array("I")

    def _edge(self, effect: int, into: int) -> Edge:
        return Edge(self._claims[into >> _WHY], self._claims[effect], *self._said[into & _LAST])

    @property
    def edges(self) -> Iterator[Edge]:
        """All edges, by their effects."""
        return (self._edge(effect, one) for effect, into in self._into.items() for one in into)

    def into(self, claim: Claim) -> Iterator[Edge]:
        """What the claim is a consequence of, the strongest reason first."""
        effect = self._numbers.get(id(claim), -1)
        return (self._edge(effect, one) for one in self._into.get(effect, ()))

    def below(self, root: Claim) -> dict[int, Edge]:
        """Everything that follows from a claim: id of the claim → the edge by which it was reached, nearest first."""
        first = self._numbers.get(id(root), -1)
        reached: dict[int, int] = {first: first}
        front = [first]
        while front:
            causes, front = front, []
            for cause in causes:
                for effect in self._out_of.get(cause, ()):
                    if effect not in reached:
                        reached[effect] = cause
                        front.append(effect)
        del reached[first]
        return {id(self._claims[effect]): self._reached(cause, effect) for effect, cause in reached.items()}

    def _reached(self, cause: int, effect: int) -> Edge:
        return self._edge(effect, next(one for one in self._into[effect] if one >> _WHY == cause))


def graph(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Graph:
    """All edges among claims."""
    return Graph(edge for rule in rules() for edge in rule.edges(claims, briefs))
