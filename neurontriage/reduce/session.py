"""The reduction from beginning to end: the original first, then pass after pass, each result checked twice."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Protocol

from neurontriage.hlo import files
from neurontriage.hlo.module import UNCOUNTED, Module
from neurontriage.reduce import edits
from neurontriage.reduce.asking import Asker, Spent
from neurontriage.reduce.candidate import Original, build
from neurontriage.reduce.edits import Variant
from neurontriage.reduce.predicate import Answer
from neurontriage.reduce.search import ddmin, shortest_prefix, shortest_suffix

Log = Callable[[str], None]
Shrink = Callable[[Sequence[int]], Sequence[int]]
"""A pass: members that fail → fewer that still do."""
_BYPASSED_UP_TO = 400
"""Operators; above that, one call each costs more than it brings."""


class Verifies(Protocol):
    """Says what is wrong with a module; empty for a legal one."""

    def fault(self, module: bytes) -> str:
        """XLA's complaint."""


@dataclass(frozen=True, slots=True)
class _Offer:
    """The result of a pass, until a second answer confirms it."""

    text: str
    members: tuple[int, ...]
    module: Module
    answer: Future[Answer]


@dataclass
class Reduction:
    """A module that fails, on its way down. `verifier` None: shapes are left as they are."""

    module: Module
    asker: Asker
    verifier: Verifies | None
    shapes: bool
    log: Log
    done: list[str] = field(default_factory=list)
    """Passes that made it smaller, in words."""
    stopped: str = ""
    _sure: tuple[int, ...] = ()
    _offer: _Offer | None = None

    def run(self) -> Module:
        """The smallest module found; `stopped` says why it ended early, if it did."""
        try:
            self._members()
            self._bodies()
            for name, variants in self._edits():
                self._repeat(name, variants)
        except Spent as spent:
            self.stopped = str(spent)
            with contextlib.suppress(Spent):
                self._settled()
        return self.module

    def _members(self) -> None:
        """Which instructions are needed: prefix, suffix, opcodes, single ones."""
        original = Original(self.module)
        whole: Sequence[int] = original.order
        width = self.asker.budget.workers

        def make(members: Sequence[int]) -> Callable[[], bytes]:
            chosen = set(members)
            return lambda: files.dump(build(original, original.closed(n for n in whole if n in chosen)))

        def all_(candidates: Sequence[Sequence[int]]) -> list[bool]:
            return self.asker.all([make(one) for one in candidates])

        def first(candidates: Sequence[Sequence[int]]) -> int | None:
            return self.asker.first([make(one) for one in candidates])

        passes: list[tuple[str, Shrink]] = [
            ("prefix", lambda members: shortest_prefix(members, all_, width)),
            ("suffix", lambda members: shortest_suffix(members, all_, width)),
            ("opcodes", lambda members: self._opcodes(members, original, first)),
            ("single instructions", lambda members: ddmin(members, first, self._smaller)),
        ]
        self._pass_by_pass(passes, original)

    def _pass_by_pass(self, passes: list[tuple[str, Shrink]], original: Original) -> None:
        """The second look at each result happens during the next pass; where it fails, that pass starts from before."""
        members = self._sure = original.order
        for name, shrink in passes:
            found = shrink(members)
            if not self._settled():
                members = self._sure
                found = shrink(members)
            if len(found) < len(members):
                kept = original.closed(found)
                text = f"{name}: {len(members):,} → {len(kept):,} instructions"
                members = tuple(n for n in found if n in kept)
                candidate = build(original, kept)
                self._offer = _Offer(text, members, candidate, self.asker.later(files.dump(candidate)))
        self._settled()

    def _settled(self) -> bool:
        """Takes over the result that waits for its second answer; False where that does not confirm it."""
        offer, self._offer = self._offer, None
        if offer is None:
            return True
        answer = offer.answer.result()
        if answer.verdict != "same":
            self.log(f"{offer.text}: a second try says {answer.verdict} ({answer.said}); not accepted")
            return False
        self.module, self._sure = offer.module, offer.members
        self._note(offer.text)
        return True

    def _opcodes(
        self, members: Sequence[int], original: Original, first: Callable[[Sequence[Sequence[int]]], int | None]
    ) -> Sequence[int]:
        """Whole opcodes at once: few of them matter for most failures."""
        groups = original.opcodes(frozenset(members))

        def spread(names: Sequence[str]) -> list[int]:
            wanted = frozenset().union(*(groups[name] for name in names))
            return [n for n in members if n in wanted]

        needed = ddmin(list(groups), lambda candidates: first([spread(one) for one in candidates]), lambda _: None)
        return spread(needed)

    def _smaller(self, members: Sequence[int]) -> None:
        self.asker.progress(f"{len(members):,} instructions left")

    def _again(self, name: str, candidate: Module) -> bool:
        answer = self.asker.answer(files.dump(candidate), again=True)
        if answer.verdict == "same":
            return True
        self.log(f"{name}: a second try says {answer.verdict} ({answer.said}); not accepted")
        return False

    def _note(self, text: str) -> None:
        self.done.append(text)
        self.log(text)

    def _bodies(self) -> None:
        """Into the body of a loop or call, as long as that fails too."""
        for name, candidate in edits.bodies(self.module):
            if self._fails(candidate) and self._again(name, candidate):
                self.module = candidate
                self._note(name)
                self._members()
                self._bodies()
                return

    def _edits(self) -> Iterator[tuple[str, Callable[[Module], Iterator[Variant]]]]:
        if size(self.module) <= _BYPASSED_UP_TO:
            yield "bypass", edits.bypasses
        yield "constants", edits.constants
        yield "attributes", edits.attributes
        if self.shapes and self.verifier is not None:
            yield "shapes", self._legal_shapes

    def _legal_shapes(self, module: Module) -> Iterator[Variant]:
        for name, candidate in edits.smaller_shapes(module):
            if self.verifier is not None and not self.verifier.fault(files.dump(candidate)):
                yield name, candidate

    def _repeat(self, name: str, variants: Callable[[Module], Iterator[Variant]]) -> None:
        """The first variant that still fails is kept, until none does."""
        tried: set[str] = set()
        while (found := self._one_smaller(variants(self.module), tried)) is not None:
            what, candidate = found
            if self._again(name, candidate):
                self.module = candidate
                self._note(what)
            else:
                tried.add(what)

    def _one_smaller(self, variants: Iterator[Variant], tried: set[str]) -> Variant | None:
        """The first untried variant that fails; as many as there are workers are asked at once."""
        fresh = (one for one in variants if one[0] not in tried)
        while some := list(islice(fresh, self.asker.budget.workers)):
            found = self.asker.first([partial(files.dump, candidate) for _, candidate in some])
            if found is not None:
                tried |= {what for what, _ in some[:found]}
                return some[found]
            tried |= {what for what, _ in some}
        return None

    def _fails(self, candidate: Module) -> bool:
        return self.asker.answer(files.dump(candidate)).verdict == "same"


def size(module: Module) -> int:
    """Operators of the entry computation: what computes something."""
    return sum(i.opcode not in UNCOUNTED for i in module.entry.instructions)
