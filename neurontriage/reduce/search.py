"""Delta debugging: a failing list of members → a small one that still fails. Knows nothing of HLO.

`Ask` answers for several candidates at once, in order, and may stop asking after the first that fails: with n workers
n candidates are tried at the same time. An unresolved candidate (a timeout) counts as not failing.
Reference for ddmin: Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28 (2002).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

Member = TypeVar("Member")
Ask = Callable[[Sequence[Sequence[Member]]], int | None]
"""The index of the first candidate that fails the same way; None when none does."""
AskAll = Callable[[Sequence[Sequence[Member]]], list[bool]]
"""For each candidate whether it fails the same way."""


def shortest_prefix(members: Sequence[Member], ask: AskAll[Member], width: int = 1) -> Sequence[Member]:
    """The shortest prefix that fails, if longer prefixes of a failing one fail; `width` places are asked at once."""
    passes, fails = 0, len(members)
    while fails - passes > 1:
        gap = fails - passes
        places = sorted({passes + gap * n // (width + 1) for n in range(1, width + 1)} - {passes, fails})
        answers = ask([members[:place] for place in places])
        failing = [place for place, failed in zip(places, answers, strict=True) if failed]
        fails = min(failing, default=fails)
        passes = max((place for place in places if place < fails), default=passes)
    return members[:fails]


def shortest_suffix(members: Sequence[Member], ask: AskAll[Member], width: int = 1) -> Sequence[Member]:
    """The shortest suffix that fails."""

    def turned(candidates: Sequence[Sequence[Member]]) -> list[bool]:
        return ask([one[::-1] for one in candidates])

    return shortest_prefix(members[::-1], turned, width)[::-1]


def ddmin(members: Sequence[Member], ask: Ask[Member], reduced: Callable[[Sequence[Member]], None]) -> Sequence[Member]:
    """A list from which no single member can be left out; `reduced` is told each smaller one that still fails."""
    parts, start = 2 if len(members) > _FEW else max(len(members), 2), 0
    while len(members) >= 2:
        chunks = _chunks(members, parts)
        rest = [[m for other in chunks if other is not one for m in other] for one in chunks]
        turned = [*rest[start:], *rest[:start]]
        subsets = chunks if parts <= _SUBSETS else []
        candidates = [*subsets, *turned] if parts > 2 else subsets
        found = ask(candidates)
        if found is None and parts >= len(members):
            break
        if found is None:
            parts, start = min(len(members), parts * 2), 0
            continue
        members = candidates[found]
        reduced(members)
        # What was asked before the one that failed need not be asked again first: it was needed a moment ago.
        gone = (found - len(subsets) + start) % len(chunks) if found >= len(subsets) else 0
        parts = 2 if found < len(subsets) else max(parts - 1, 2)
        parts = min(parts, max(len(members), 2))
        start = gone % parts
    return members


_SUBSETS = 4
"""With finer parts a single one hardly ever fails alone: only what is left without it is asked."""
_FEW = 12
"""So few members are left out one by one from the beginning."""


def _chunks(members: Sequence[Member], parts: int) -> list[Sequence[Member]]:
    size, more = divmod(len(members), parts)
    ends = [n * size + min(n, more) for n in range(parts + 1)]
    return [members[start:end] for start, end in pairwise(ends) if end > start]
