"""The reduction from beginning to end, as a tree of questions: the original, pass after pass, each result twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from neurontriage.hlo import files
from neurontriage.hlo.module import UNCOUNTED, Module
from neurontriage.reduce import edits
from neurontriage.reduce.ahead import End, Node, Question, Step, Walk
from neurontriage.reduce.asking import Asker, Spent
from neurontriage.reduce.candidate import Original, assembled, build
from neurontriage.reduce.edits import Variant
from neurontriage.reduce.predicate import Answer
from neurontriage.reduce.reached import More, Reached, confirmed
from neurontriage.reduce.search import FEW, Put, Search, ddmin, prefix, rough, suffix, window

Log = Callable[[str], None]
Variants = Callable[[Module], Iterator[Variant]]
_BYPASSED_UP_TO = 400
"""Operators; above that, one call each costs more than it brings."""
_WIDEST = 8
"""Questions that are sure to be asked beside each other: more cost many calls and save no time."""


class Verifies(Protocol):
    """Says what is wrong with a module; empty for a legal one."""

    def fault(self, module: bytes) -> str:
        """What XLA's verifier says against a module; empty where it is legal."""


@dataclass
class Reduction:
    """A module that fails, on its way down. `verifier` None: shapes are left as they are."""

    module: Module
    asker: Asker
    verifier: Verifies | None
    shapes: bool
    log: Log
    done: tuple[str, ...] = ()
    """Passes that made it smaller, in words."""
    stopped: str = ""
    fails: bool = True
    """Whether the original failed a second time."""

    def run(self) -> Module:
        """The smallest module found; `stopped` says why it ended early, if it did."""
        whole = self.module
        start = Reached(lambda: whole)
        first = Step(
            Question("again", partial(files.dump, self.module)),
            start,
            lambda fails: self._members(start) if fails else End(start),
            text="the original",
        )
        try:
            self._take(Walk(self.asker, self._told).to_the_end(first))
        except Spent as spent:
            self.stopped = str(spent)
        return self.module

    def _take(self, reached: Reached) -> None:
        for text in reached.done[len(self.done) :]:
            self.log(text)
        self.module, self.done = reached.module, reached.done

    def _told(self, step: Step, answer: Answer) -> None:
        """One question of the way is answered."""
        self._take(step.reached)
        same = answer.verdict == "same"
        if step.text == "the original":
            self.fails = same
        elif step.question.kind == "again" and not same:
            self.log(f"{step.text}: a second try says {answer.verdict} ({answer.said}); not accepted")
        self.log(f"call {self.asker.calls}, {step.question.kind}: {answer.verdict} ({answer.seconds:.1f} s)")

    def _members(self, reached: Reached) -> Node:
        """Which instructions are needed, here and then in the bodies that are called."""
        original, width = Original(reached.module), min(self.asker.budget.workers, _WIDEST)
        passes = _ALONE if width == 1 else _SEVERAL
        return _passed(_Members(original, reached, original.order, width), passes, self._bodies)

    def _bodies(self, reached: Reached) -> Node:
        """Into the body of a loop or call, as long as that fails too."""
        bodies = _Shared(edits.bodies(reached.module))

        def at(number: int) -> Node:
            body = bodies.get(number)
            if body is None:
                return self._from_bodies(reached)
            name, module = body

            def twice(fails: bool) -> Node:
                return self._members(reached.smaller(lambda: module, name)) if fails else at(number + 1)

            def once(fails: bool) -> Node:
                return confirmed(name, partial(files.dump, module), reached, twice) if fails else at(number + 1)

            return Step(Question("body", partial(files.dump, module)), reached, once)

        return at(0)

    def _from_bodies(self, reached: Reached) -> Node:
        return self._edited(reached, self._edits(reached.module))

    def _edited(self, reached: Reached, left: list[tuple[str, Variants]]) -> Node:
        """One kind of edit after the other."""
        if not left:
            return End(reached)
        (kind, variants), *rest = left
        return _repeated(_Round(kind, variants, reached), lambda now: self._edited(now, rest))

    def _edits(self, module: Module) -> list[tuple[str, Variants]]:
        chosen: list[tuple[str, Variants]] = [("bypass", edits.bypasses)] if size(module) <= _BYPASSED_UP_TO else []
        chosen += [("constants", edits.constants), ("attributes", edits.attributes)]
        return [*chosen, ("shapes", self._legal_shapes)] if self.shapes and self.verifier is not None else chosen

    def _legal_shapes(self, module: Module) -> Iterator[Variant]:
        for name, candidate in edits.smaller_shapes(module):
            if self.verifier is not None and not self.verifier.fault(files.dump(candidate)):
                yield name, candidate


@dataclass(frozen=True)
class _Members:
    """The instructions that are left of a module, by their ids, and what asks about fewer of them."""

    original: Original
    reached: Reached
    left: Sequence[int]
    width: int

    def ask(self, kind: str, members: Sequence[int], odds: float | None = None) -> Put:
        """The step that asks whether the module of these members alone fails the same way."""
        question = Question(kind, lambda: assembled(self.original, self.original.closed(members)), odds=odds)
        return lambda then: Step(question, self.reached, then)

    def fewer(self, name: str, found: Sequence[int], more: Callable[[_Members], Node]) -> Node:
        """After a pass: what it found, once that failed a second time, else what there was before."""
        if len(found) == len(self.left):
            return more(self)
        kept = self.original.closed(found)
        text = f"{name}: {len(self.left):,} → {len(kept):,} instructions"
        reached = self.reached.smaller(partial(build, self.original, kept), text)
        after = replace(self, reached=reached, left=[n for n in found if n in kept])
        make = partial(assembled, self.original, kept)
        return confirmed(text, make, self.reached, lambda fails: more(after if fails else self))


After = Callable[[_Members], Node]
Pass = Callable[[_Members, After], Node]


def _passed(work: _Members, passes: Sequence[Pass], more: More) -> Node:
    """One pass after the other."""
    if not passes:
        return more(work.reached)
    return passes[0](work, lambda now: _passed(now, passes[1:], more))


def _cut(name: str, search: Callable[[Sequence[int], Search[int]], Node], work: _Members, more: After) -> Node:
    """Without what stands before or behind."""
    return search(work.left, Search(work.ask, lambda found: work.fewer(name, found, more), work.width))


def _nearly(members: Sequence[int], search: Search[int]) -> Node:
    """A window; cuts that keep less than half of the workers busy are left to single instructions."""
    return window(members, search, max(0, search.width // 2 - 1))


def _roughly(work: _Members, more: After) -> Node:
    """With several workers also whole opcodes of the whole module, while few of them matter."""
    return _grouped("rough opcodes", rough, work, more)


def _opcodes(work: _Members, more: After) -> Node:
    """Whole opcodes at once: few of them matter for most failures."""
    return more(work) if len(work.left) <= FEW else _grouped("opcodes", ddmin, work, more)


def _grouped(kind: str, search: Callable[[Sequence[str], Search[str]], Node], work: _Members, more: After) -> Node:
    groups = work.original.opcodes(frozenset(work.left))

    def spread(names: Sequence[str]) -> list[int]:
        wanted = frozenset().union(*(groups[name] for name in names))
        return [n for n in work.left if n in wanted]

    def ask(hint: str, names: Sequence[str], odds: float | None = None) -> Put:
        return work.ask(f"{kind} {hint}", spread(names), odds)

    return search(list(groups), Search(ask, lambda names: work.fewer("opcodes", spread(names), more), work.width))


def _single(work: _Members, more: After) -> Node:
    def ask(hint: str, members: Sequence[int], odds: float | None = None) -> Put:
        return work.ask(f"single {hint}", members, odds)

    return ddmin(work.left, Search(ask, lambda found: work.fewer("single instructions", found, more), work.width))


def _one_of_each(work: _Members, more: After) -> Node:
    """Where few opcodes are left, the first instruction of each: what is not supported fails wherever it stands."""
    groups = work.original.opcodes(frozenset(work.left))
    if len(groups) > FEW or len(groups) == len(work.left):
        return more(work)
    place = {number: n for n, number in enumerate(work.left)}
    found = sorted((min(group, key=place.__getitem__) for group in groups.values()), key=place.__getitem__)
    then = partial(work.fewer, "one of each opcode", found, more)
    return work.ask("one of each opcode", found)(lambda fails: then() if fails else more(work))


_ALONE: tuple[Pass, ...] = (partial(_cut, "prefix", prefix), partial(_cut, "suffix", suffix), _opcodes, _single)
_SEVERAL: tuple[Pass, ...] = (_roughly, _one_of_each, partial(_cut, "prefix and suffix", _nearly), _opcodes, _single)
"""A worker alone halves what is compiled first; several ask about different things at once."""


@dataclass(frozen=True)
class _Round:
    """Variants of one kind on one module; `tried` are the names of those that do not fail."""

    kind: str
    variants: Variants
    reached: Reached
    tried: frozenset[str] = frozenset()


def _repeated(work: _Round, more: More) -> Node:
    """The first variant that still fails is kept, until none does."""
    fresh = _Shared(one for one in work.variants(work.reached.module) if one[0] not in work.tried)

    def at(number: int, tried: frozenset[str]) -> Node:
        variant = fresh.get(number)
        if variant is None:
            return more(work.reached)
        what, module = variant
        kept = replace(work, reached=work.reached.smaller(lambda: module, what), tried=tried)

        def twice(fails: bool) -> Node:
            return _repeated(kept, more) if fails else at(number + 1, tried | {what})

        def once(fails: bool) -> Node:
            return (
                confirmed(what, partial(files.dump, module), work.reached, twice)
                if fails
                else at(number + 1, tried | {what})
            )

        return Step(Question(work.kind, partial(files.dump, module)), work.reached, once)

    return at(0, work.tried)


@dataclass
class _Shared:
    """Variants that several branches look at, each made once."""

    rest: Iterator[Variant]
    made: list[Variant] = field(default_factory=list)

    def get(self, number: int) -> Variant | None:
        """The variant of a number, made when it is first asked for; None behind the last."""
        while len(self.made) <= number:
            one = next(self.rest, None)
            if one is None:
                return None
            self.made.append(one)
        return self.made[number]


def size(module: Module) -> int:
    """Operators of the entry computation: what computes something."""
    return sum(i.opcode not in UNCOUNTED for i in module.entry.instructions)
