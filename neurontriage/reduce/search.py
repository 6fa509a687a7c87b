"""Delta debugging: a failing list of members → a small one that still fails. Knows nothing of HLO.

Each search is a tree of questions: `ask(hint, candidate, then)` makes the node that asks, `then(fails)` gives the node
after the answer, and `done(members)` the node after the search. Questions with one hint fail about equally often.
Nothing is kept but what stands in the nodes, so somebody who walks the tree may look at both branches before an answer
is there, and finds the same whatever he looked at. An unresolved candidate (a timeout) counts as not failing.
Reference for ddmin: Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28 (2002).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from neurontriage.reduce.ahead import Node

Member = TypeVar("Member")
Then = Callable[[bool], Node]
Ask = Callable[[str, Sequence[Member], Then], Node]
Done = Callable[[Sequence[Member]], Node]


def shortest_prefix(members: Sequence[Member], ask: Ask[Member], done: Done[Member]) -> Node:
    """The shortest prefix that fails, if longer prefixes of a failing one fail."""

    def between(passes: int, fails: int) -> Node:
        if fails - passes <= 1:
            return done(members[:fails])
        middle = (passes + fails) // 2
        return ask(
            "half", members[:middle], lambda failed: between(passes, middle) if failed else between(middle, fails)
        )

    return between(0, len(members))


def shortest_suffix(members: Sequence[Member], ask: Ask[Member], done: Done[Member]) -> Node:
    """The shortest suffix that fails."""
    return shortest_prefix(
        members[::-1], lambda hint, candidate, then: ask(hint, candidate[::-1], then), lambda found: done(found[::-1])
    )


def ddmin(members: Sequence[Member], ask: Ask[Member], done: Done[Member]) -> Node:
    """A list from which no single member can be left out."""
    parts = 2 if len(members) > _FEW else max(len(members), 2)
    return _round(members, parts, 0, (ask, done))


_SUBSETS = 4
"""With finer parts a single one hardly ever fails alone: only what is left without it is asked."""
_FEW = 12
"""So few members are left out one by one from the beginning."""


def _round(members: Sequence[Member], parts: int, start: int, to: tuple[Ask[Member], Done[Member]]) -> Node:
    """Every part alone, while there are few, and everything without it, from part `start` on."""
    ask, done = to
    if len(members) < 2:
        return done(members)
    chunks = _chunks(members, parts)
    subsets = len(chunks) if parts <= _SUBSETS else 0
    count = subsets + (len(chunks) if parts > 2 else 0)

    def candidate(number: int) -> Sequence[Member]:
        if number < subsets:
            return chunks[number]
        gone = (number - subsets + start) % len(chunks)
        return [m for n, chunk in enumerate(chunks) if n != gone for m in chunk]

    def smaller(number: int) -> Node:
        # What was asked before the one that failed need not be asked again first: it was needed a moment ago.
        gone = (number - subsets + start) % len(chunks) if number >= subsets else 0
        left = candidate(number)
        finer = min(2 if number < subsets else max(parts - 1, 2), max(len(left), 2))
        return _round(left, finer, gone % finer, to)

    def at(number: int) -> Node:
        if number < count:
            hint = ("half", "other half")[number] if parts == 2 else "part" if number < subsets else "rest"
            return ask(hint, candidate(number), lambda failed: smaller(number) if failed else at(number + 1))
        return done(members) if parts >= len(members) else _round(members, min(len(members), parts * 2), 0, to)

    return at(0)


def _chunks(members: Sequence[Member], parts: int) -> list[Sequence[Member]]:
    size, more = divmod(len(members), parts)
    ends = [n * size + min(n, more) for n in range(parts + 1)]
    return [members[start:end] for start, end in pairwise(ends) if end > start]
