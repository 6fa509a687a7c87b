"""Delta debugging: a failing list of members → a small one that still fails. Knows nothing of HLO.

Each search is a tree of questions: `ask(hint, candidate, odds)` makes a question and gives back what puts it into the
tree with what follows from its answer; `done(members)` is the node after the search. Nothing is kept but what stands in
the nodes, so somebody who walks the tree may look at many branches before an answer is there, and finds the same
whatever he looked at. A search is as wide as there are workers: it divides into as many parts, and its questions
beside each other do not depend on each other's answers. What several of them allow together is a guess, which is asked
in its turn before it counts. An unresolved candidate (a timeout) counts as not failing.
Reference: Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28 (2002).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Generic, Protocol, TypeVar

from neurontriage.reduce.ahead import Node

Member = TypeVar("Member")
Asked = TypeVar("Asked", contravariant=True)
Then = Callable[[bool], Node]
Put = Callable[[Then], Node]
"""One question, in as many places of the tree as it is needed."""


class Ask(Protocol[Asked]):
    """Makes questions. Those with one hint fail about equally often, or with `odds`."""

    def __call__(self, hint: str, candidate: Sequence[Asked], odds: float | None = None, /) -> Put:
        """Whether the candidate fails."""


@dataclass(frozen=True)
class Search(Generic[Member]):
    """Who is asked, what follows, and how many questions stand beside each other."""

    ask: Ask[Member]
    done: Callable[[Sequence[Member]], Node]
    width: int = 1


@dataclass(frozen=True, slots=True)
class _Ends:
    """What is known of a window: it begins at `low` or later but before `late`, ends at `high` or earlier but behind
    `early`; whether both ends are moved at once. `proven` is what to go back to if members[low:high] does not fail,
    None if that was asked."""

    low: int
    late: int
    early: int
    high: int
    both: bool = True
    proven: _Ends | None = None
    spare: int = 0

    @property
    def narrow(self) -> bool:
        return self.both and max(0, self.late - self.low - 1) + max(0, self.high - self.early - 1) <= self.spare


def window(members: Sequence[Member], search: Search[Member], spare: int = 0) -> Node:
    """The shortest window members[low:high] that fails, if what holds a failing window fails too; longer by `spare`
    members at most.

    Both ends are looked for at once: a prefix that fails bounds the end, a suffix that fails the beginning.
    """
    size = len(members)  # two of the first questions at once are second looks at what was found before
    return _narrowed(members, _Ends(0, size, 0, size, spare=spare), search, max(1, search.width - 2))


def prefix(members: Sequence[Member], search: Search[Member]) -> Node:
    """The shortest prefix that fails."""
    return _narrowed(members, _Ends(0, 1, 0, len(members)), search)


def suffix(members: Sequence[Member], search: Search[Member]) -> Node:
    """The shortest suffix that fails."""
    size = len(members)
    return _narrowed(members, _Ends(0, size, size - 1, size), search)


def _narrowed(members: Sequence[Member], now: _Ends, search: Search[Member], width: int = 0) -> Node:
    """One step: as many cuts as there are workers, those of the two ends between each other."""
    ends, starts = ([], []) if now.narrow else _cuts(now, width or search.width)
    if not ends and not starts:
        return _asked(members, now, search) if now.proven else search.done(members[now.low : now.high])
    cut = [search.ask("prefix cut", members[now.low : end], 1 / (len(ends) + 1 - n)) for n, end in enumerate(ends)]
    rest = [
        search.ask("suffix cut", members[start : now.high], 1 / (len(starts) + 1 - n)) for n, start in enumerate(starts)
    ]

    def end(number: int) -> Node:
        early = ends[number - 1] if number else now.early
        if number == len(ends):
            return start(0, replace(now, early=early))
        held = replace(now, early=early, high=ends[number])
        return cut[number](lambda fails: start(0, held) if fails else end(number + 1))

    def start(number: int, found: _Ends) -> Node:
        late = starts[number - 1] if number else now.late
        if number == len(starts):
            return _together(members, now, replace(found, late=late), search)
        held = replace(found, late=late, low=starts[number])
        return rest[number](lambda fails: _together(members, now, held, search) if fails else start(number + 1, found))

    return end(0)


def _cuts(now: _Ends, width: int) -> tuple[list[int], list[int]]:
    """Ends in rising, beginnings in falling order."""
    ends, starts = now.high - now.early > 1, now.late - now.low > 1
    places = range(1, width + 1)
    if ends and starts and now.both:
        return _between(now.early, now.high, width, places[::2]), _between(now.low, now.late, width, places[1::2])[::-1]
    if ends:
        return _between(now.early, now.high, width, places), []
    return [], _between(now.low, now.late, width, places)[::-1] if starts else []


def _between(low: int, high: int, width: int, places: Collection[int]) -> list[int]:
    found = {low + min(max(1, round((high - low) * n / (width + 1))), high - low - 1) for n in places}
    return sorted(found)


def _together(members: Sequence[Member], before: _Ends, now: _Ends, search: Search[Member]) -> Node:
    """After one step. Where both ends moved, each alone fails; that both together do is a guess."""
    ended, started = now.high < before.high, now.low > before.low
    alone = replace(now, low=before.low, both=False, proven=None)
    if ended and started:
        if now.low >= now.high:
            return _narrowed(members, _tight(replace(alone, both=True)), search)
        now = replace(now, proven=alone)
    elif ended or started:
        now = replace(now, proven=None)
    elif now.proven:
        return _asked(members, now, search)
    return _narrowed(members, _tight(now), search)


def _asked(members: Sequence[Member], now: _Ends, search: Search[Member]) -> Node:
    """Whether a guess holds; if not, the end alone is moved."""
    back = now.proven
    assert back is not None
    return search.ask("prefix and suffix", members[now.low : now.high])(
        lambda fails: _narrowed(members, replace(now, proven=None) if fails else _tight(back), search)
    )


def _tight(now: _Ends) -> _Ends:
    """A window ends behind its beginning."""
    return replace(now, early=max(now.early, now.low), late=min(now.late, now.high))


FEW = 12
"""So few members are left out one by one from the beginning."""


@dataclass(frozen=True, slots=True)
class _Parts(Generic[Member]):
    """What is left, divided; `due` are the places of the parts that are to be left out for a try, `of` is how many
    parts there were in the beginning, `rough` whether to end as soon as most of them are needed."""

    chunks: tuple[Sequence[Member], ...]
    due: tuple[int, ...]
    of: int
    rough: bool
    sure: frozenset[int] = frozenset()
    """Parts that were needed before others were left out."""

    def without(self, places: Collection[int]) -> list[Member]:
        return [m for n, chunk in enumerate(self.chunks) if n not in places for m in chunk]

    @property
    def single(self) -> bool:
        return all(len(chunk) == 1 for chunk in self.chunks)

    def after(self, gone: Collection[int], first: Sequence[int], tried: int) -> _Parts[Member]:
        """Without the parts `gone`: `first` is due first, then what was not `tried`; single ones are due again."""
        left = [n for n in range(len(self.chunks)) if n not in gone]
        due = [*first, *self.due[tried:]]
        again = [n for n in left if n not in due] if self.single and not self.rough else []
        places = {n: place for place, n in enumerate(left)}
        sure = frozenset(places[n] for n in (*again, *(n for n in self.sure if n in left)))
        return replace(
            self, chunks=tuple(self.chunks[n] for n in left), due=tuple(places[n] for n in (*due, *again)), sure=sure
        )


def ddmin(members: Sequence[Member], search: Search[Member]) -> Node:
    """A list from which no single member can be left out."""
    parts = len(members) if len(members) <= FEW else max(2, search.width)
    return _left_out(_divided(members, parts, False), search)


def rough(members: Sequence[Member], search: Search[Member]) -> Node:
    """The same as long as most of what is tried can be left out."""
    return _left_out(_divided(members, max(2, search.width - 1), True), search)


def _divided(members: Sequence[Member], parts: int, rough: bool) -> _Parts[Member]:
    chunks = _chunks(members, max(1, min(parts, len(members))))
    return _Parts(tuple(chunks), tuple(range(len(chunks))), len(chunks), rough)


def _left_out(parts: _Parts[Member], search: Search[Member]) -> Node:
    """Everything without the parts that are due, as many at once as there are workers."""
    if not parts.due or len(parts.chunks) < 2:
        return _finer(parts, search)
    batch = parts.due[: search.width]
    puts = [search.ask("still needed" if place in parts.sure else "rest", parts.without([place])) for place in batch]

    def at(number: int, gone: tuple[int, ...]) -> Node:
        if number < len(batch):
            more = (*gone, batch[number])
            return puts[number](lambda fails: at(number + 1, more if fails else gone))
        return together(gone, gone)

    def together(some: tuple[int, ...], gone: tuple[int, ...]) -> Node:
        """Without several at once; of those that cannot go together, the first half."""
        following = (
            parts.after(some, gone[len(some) :], len(batch)) if some else replace(parts, due=parts.due[len(batch) :])
        )
        if len(some) < 2:
            return _left_out(following, search)
        fewer = some[: len(some) // 2]
        left = parts.without(some)
        if not left:
            return together(fewer, gone)
        return search.ask("rest together", left)(
            lambda fails: _left_out(following, search) if fails else together(fewer, gone)
        )

    return at(0, ())


def _finer(parts: _Parts[Member], search: Search[Member]) -> Node:
    members, count = parts.without(()), len(parts.chunks)
    if parts.single or (parts.rough and count * 2 > parts.of):
        return search.done(members)
    return _left_out(_divided(members, max(2 * count, search.width), parts.rough), search)


def _chunks(members: Sequence[Member], parts: int) -> list[Sequence[Member]]:
    size, more = divmod(len(members), parts)
    ends = [n * size + min(n, more) for n in range(parts + 1)]
    return [members[start:end] for start, end in pairwise(ends) if end > start]
