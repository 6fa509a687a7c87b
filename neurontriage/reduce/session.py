"""The reduction from beginning to end: the original first, then pass after pass, each result checked twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from neurontriage.hlo import files
from neurontriage.hlo.module import UNCOUNTED, Module
from neurontriage.reduce import edits
from neurontriage.reduce.asking import Asker, Spent
from neurontriage.reduce.candidate import Original, build
from neurontriage.reduce.edits import Variant
from neurontriage.reduce.search import ddmin, shortest_prefix, shortest_suffix

Log = Callable[[str], None]
_BYPASSED_UP_TO = 400
"""Operators; above that, one call each costs more than it brings."""


class Verifies(Protocol):
    """Says what is wrong with a module; empty for a legal one."""

    def fault(self, module: bytes) -> str:
        """XLA's complaint."""


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

    def run(self) -> Module:
        """The smallest module found; `stopped` says why it ended early, if it did."""
        try:
            self._members()
            self._bodies()
            for name, variants in self._edits():
                self._repeat(name, variants)
        except Spent as spent:
            self.stopped = str(spent)
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

        members = self._accepted("prefix", shortest_prefix(whole, all_, width), whole, original)
        members = self._accepted("suffix", shortest_suffix(members, all_, width), members, original)
        members = self._opcodes(members, original, first)
        self._accepted("single instructions", ddmin(members, first, self._smaller), members, original)

    def _opcodes(
        self, members: Sequence[int], original: Original, first: Callable[[Sequence[Sequence[int]]], int | None]
    ) -> Sequence[int]:
        """Whole opcodes at once: few of them matter for most failures."""
        groups = original.opcodes(frozenset(members))

        def spread(names: Sequence[str]) -> list[int]:
            wanted = frozenset().union(*(groups[name] for name in names))
            return [n for n in members if n in wanted]

        needed = ddmin(list(groups), lambda candidates: first([spread(one) for one in candidates]), lambda _: None)
        return self._accepted("opcodes", spread(needed), members, original)

    def _smaller(self, members: Sequence[int]) -> None:
        self.asker.progress(f"{len(members):,} instructions left")

    def _accepted(self, name: str, found: Sequence[int], before: Sequence[int], original: Original) -> Sequence[int]:
        """The new members where a second call fails the same way; else those from before."""
        if len(found) == len(before):
            return before
        kept = original.closed(found)
        candidate = build(original, kept)
        if not self._again(name, candidate):
            return before
        self.module = candidate
        self._note(f"{name}: {len(before):,} → {len(kept):,} instructions")
        return [n for n in found if n in kept]

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
        while True:
            for what, candidate in variants(self.module):
                if what not in tried and self._fails(candidate) and self._again(name, candidate):
                    self.module = candidate
                    self._note(what)
                    break
                tried.add(what)
            else:
                return

    def _fails(self, candidate: Module) -> bool:
        return self.asker.answer(files.dump(candidate)).verdict == "same"


def size(module: Module) -> int:
    """Operators of the entry computation: what computes something."""
    return sum(i.opcode not in UNCOUNTED for i in module.entry.instructions)
