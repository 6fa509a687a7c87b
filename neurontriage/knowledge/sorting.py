"""What sort of lines each scan pattern stands for, told by whose pattern it is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from neurontriage.lines.scan import Pattern
from neurontriage.lines.templates import Sorts
from neurontriage.parse.family import Family, Start

_FEW = 4
Owner = tuple[str, int, int]
"""Whose pattern it is: a kind, a number among those of the kind, and for a family which of its starts."""
Owners = Sequence[Sequence[Owner]]


def sorts_of(families: Sequence[Family], owners: Owners, patterns: Sequence[Pattern], mild: Collection[int]) -> Sorts:
    """The owners of each pattern → what the patterns are to the one who counts lines. `mild`: rules by number."""
    python = _touching(families, owners, "python")
    # Their lines have a meaning by order or number; those of tests say of what stands between them whether it failed.
    ordered = python | _touching(families, owners, "xla_debug") | _only(owners, "tests")
    marks = _only(owners, "mark") | frozenset(_marking(families, owners))
    return Sorts(
        ordered=ordered,
        words=_only(owners, "payload", "mark", "tests") | marks,
        marks=marks,
        facts=_only(owners, "environment"),
        mild=frozenset(n for n in _only(owners, "rule") if all(number in mild for _, number, _ in owners[n])),
        stacks=python,
        courses=frozenset(_following(families, owners)),
        anchored=dict(_anchored(families, owners, "python")),
        follow=[pattern.follow for pattern in patterns],
    )


def _only(owners: Owners, *kinds: str) -> frozenset[int]:
    """The patterns that nobody else owns."""
    return frozenset(n for n, owned in enumerate(owners) if all(kind in kinds for kind, _, _ in owned))


def _touching(families: Sequence[Family], owners: Owners, name: str) -> frozenset[int]:
    """The patterns of a family."""
    return frozenset(n for n, owned in enumerate(owners) if any(f.name == name for f, _ in _starts(families, owned)))


def _marking(families: Sequence[Family], owners: Owners) -> Iterator[int]:
    """The patterns of families that only say how far something got."""
    for number, owned in enumerate(owners):
        starts = [start for _, start in _starts(families, owned)]
        if len(starts) == len(owned) and all(start.mark == "mark" for start in starts):
            yield number


def _following(families: Sequence[Family], owners: Owners) -> Iterator[int]:
    """The patterns of what says how far each of many things is."""
    for number, owned in enumerate(owners):
        if any(start.mark == "course" for _, start in _starts(families, owned)):
            yield number


def _anchored(families: Sequence[Family], owners: Owners, name: str) -> Iterator[tuple[int, str]]:
    """The patterns of a family that ask for many lines but count only at a payload's start; what stands there."""
    for number, owned in enumerate(owners):
        starts = list(_starts(families, owned))
        if len(starts) == len(owned) == 1 and starts[0][0].name == name:
            start = starts[0][1]
            if start.follow > _FEW and not start.anywhere:
                yield number, start.regex


def _starts(families: Sequence[Family], owned: Sequence[Owner]) -> Iterator[tuple[Family, Start]]:
    found = ((families[number], place) for what, number, place in owned if what == "family")
    return ((family, family.starts[place]) for family, place in found)
