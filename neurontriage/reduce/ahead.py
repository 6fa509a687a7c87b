"""Walks a tree of questions with several workers: while one answer is awaited, what may be asked next is asked already.

The way through the tree is that of a single worker, so the result is the same for any number of them. The questions
beyond an open one are asked along both of its answers, the likeliest first, by how often questions of their kind failed
so far; what an answer makes superfluous is stopped.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol, TypeAlias

from neurontriage.reduce.predicate import Answer, Stop


@dataclass(frozen=True, slots=True)
class End:
    """A leaf: what was found."""

    reached: Any


@dataclass(eq=False)
class Step:
    """One question: the bytes of a module, whether it is asked a second time, and what follows from the answer.

    `kind` names questions that fail about equally often; `reached` is the result so far, `text` what is asked about.
    """

    kind: str
    make: Callable[[], bytes]
    reached: Any
    then: Callable[[bool], Step | End]
    again: bool = False
    text: str = ""
    asked: Call | None = None
    _next: dict[bool, Step | End] = field(default_factory=dict)

    def after(self, failed: bool) -> Step | End:
        """The node that follows when the module fails the same way, or does not; made once."""
        if failed not in self._next:
            self._next[failed] = self.then(failed)
        return self._next[failed]

    @property
    def known(self) -> Step | End | None:
        """The node that follows the answer that is there; None without one."""
        if self.asked is None or not self.asked.answer.done() or self.asked.answer.exception() is not None:
            return None
        return self.after(self.asked.answer.result().verdict == "same")

    @property
    def open(self) -> Iterator[Step | End]:
        """What may follow and has been made already."""
        known = self.known
        yield from self._next.values() if known is None else (known,)


Node: TypeAlias = Step | End


@dataclass(frozen=True, slots=True)
class Call:
    """A question on its way: the answer to come, and how to stop it."""

    answer: Future[Answer]
    stop: Stop


class Answers(Protocol):
    """Who answers questions."""

    def start(self, step: Step) -> Call:
        """Asks without waiting."""

    @property
    def ahead(self) -> int:
        """How many questions may be open at once, now."""


_PRIOR = {
    "again": (19, 20),
    "other half": (3, 5),
    "half": (50, 100),
    "part": (1, 6),
    "rest": (1, 4),
}
"""How many of how many fail, by the last words of a kind, before anything was asked.

A bisection is even whatever was answered before, so its odds hardly move.
"""
_EVEN = (1, 3)


@dataclass
class Walk:
    """The way from a node to the end; `told` hears of every question on it: the step and its answer."""

    answers: Answers
    told: Callable[[Step, Answer], None] = lambda *_: None
    _flying: set[Step] = field(default_factory=set)
    _seen: dict[str, tuple[int, int]] = field(default_factory=dict)

    def to_the_end(self, node: Node) -> Any:
        """What stands at the end. Raises what an answer raises."""
        try:
            while isinstance(node, Step):
                answer = self._answer(node)
                fails = answer.verdict == "same"
                failed, asked = self._odds(node.kind)
                self._seen[node.kind] = (failed + fails, asked + 1)
                self.told(node, answer)
                node = node.after(fails)
        finally:
            self._stop(self._flying)
        return node.reached

    def _odds(self, kind: str) -> tuple[int, int]:
        """How many questions of a kind failed, and how many there were."""
        return self._seen.get(kind) or next((odds for end, odds in _PRIOR.items() if kind.endswith(end)), _EVEN)

    def _answer(self, step: Step) -> Answer:
        while True:
            self._plan(step)
            assert step.asked is not None
            if step.asked.answer.done():
                return step.asked.answer.result()
            wait([one.asked.answer for one in self._flying if one.asked], return_when=FIRST_COMPLETED)

    def _plan(self, root: Step) -> None:
        """Stops what cannot be needed any more, and starts the likeliest questions until all workers are busy."""
        self._flying = {one for one in self._flying if one.asked and not one.asked.answer.done()}
        self._stop(self._flying - set(_within(root)))
        for step in self._likeliest(root):
            if step.asked is None:
                if step is not root and len(self._flying) >= self.answers.ahead:
                    return
                step.asked = self.answers.start(step)
                self._flying.add(step)

    def _stop(self, steps: set[Step]) -> None:
        for step in steps:
            if step.asked is not None:
                step.asked.stop.set()
        self._flying = self._flying - steps

    def _likeliest(self, root: Step) -> Iterator[Step]:
        """Questions without an answer, by how likely they are to be asked; as many as may be open."""
        order = count()
        waiting: list[tuple[float, int, Callable[[], Node]]] = [(-1.0, next(order), lambda: root)]
        found = 0
        while waiting and found < self.answers.ahead:
            odds, _, make = heapq.heappop(waiting)
            node: Node | None = make()
            while isinstance(node, Step) and (known := node.known) is not None:
                node = known
            if isinstance(node, Step):
                found += 1
                yield node
                failed, asked = self._odds(node.kind)
                for answer, share in ((True, failed / asked), (False, 1 - failed / asked)):
                    heapq.heappush(waiting, (odds * share, next(order), _later(node, answer)))


def _later(step: Step, failed: bool) -> Callable[[], Node]:
    return lambda: step.after(failed)


def _within(root: Step) -> Iterator[Step]:
    """The nodes that may still be reached, as far as they were made."""
    waiting: list[Node] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Step):
            yield node
            waiting.extend(node.open)
