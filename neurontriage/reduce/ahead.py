"""Walks a tree of questions with several workers: while one answer is awaited, what may be asked next is asked already.

The way through the tree is that of a single worker, so the result is the same for any number of them. The questions
beyond an open one are asked along both of its answers, as far as they are likely enough, by how often questions of
their kind failed so far; what an answer makes superfluous is stopped.
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
class Question:
    """The bytes of a module, and whether it is asked a second time; it may stand in several places of a tree.

    `kind` names questions that fail about equally often; `odds` is how often, where that is known.
    """

    kind: str
    make: Callable[[], bytes]
    again: bool = False
    odds: float | None = None
    asked: Call | None = None


@dataclass(eq=False)
class Step:
    """A question in its place: the result so far, what follows from the answer, and what is asked about, in words."""

    question: Question
    reached: Any
    then: Callable[[bool], Step | End]
    text: str = ""
    _next: dict[bool, Step | End] = field(default_factory=dict)

    def after(self, failed: bool) -> Step | End:
        """The node that follows when the module fails the same way, or does not; made once."""
        if failed not in self._next:
            self._next[failed] = self.then(failed)
        return self._next[failed]

    @property
    def known(self) -> Step | End | None:
        """The node that follows the answer that is there; None without one."""
        asked = self.question.asked
        if asked is None or not asked.answer.done() or asked.answer.exception() is not None:
            return None
        return self.after(asked.answer.result().verdict == "same")

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
    """What answers questions: the compiler, or another predicate, in several workers."""

    def start(self, question: Question) -> Call:
        """Begin to answer a question, without waiting for the answer."""

    @property
    def ahead(self) -> int:
        """How many questions may be open at once, now."""


_PRIOR = {
    "again": (19, 20),
    "rest": (1, 4),
    "still needed": (1, 20),
    "together": (9, 10),
    "prefix and suffix": (1, 3),
    "bypass": (1, 5),
    "attributes": (2, 3),
}
"""How many of how many fail, by the last words of a kind, before anything was asked."""
_EVEN = (1, 3)


@dataclass
class Walk:
    """The way from a node to the end; `told` hears of every question on it: the step and its answer."""

    answers: Answers
    told: Callable[[Step, Answer], None] = lambda *_: None
    _flying: set[Question] = field(default_factory=set)
    _seen: dict[str, tuple[int, int]] = field(default_factory=dict)

    def to_the_end(self, node: Node) -> Any:
        """What stands at the end. Raises what an answer raises."""
        try:
            while isinstance(node, Step):
                answer = self._answer(node)
                fails = answer.verdict == "same"
                failed, asked = self._seen.get(node.question.kind) or _prior(node.question.kind)
                self._seen[node.question.kind] = (failed + fails, asked + 1)
                self.told(node, answer)
                node = node.after(fails)
        finally:
            self._stop(self._flying)
        return node.reached

    def _odds(self, question: Question) -> float:
        """How likely a question fails."""
        failed, asked = self._seen.get(question.kind) or _prior(question.kind)
        return failed / asked if question.odds is None else question.odds

    def _answer(self, step: Step) -> Answer:
        while True:
            self._plan(step)
            if step.question.asked and step.question.asked.answer.done():
                return step.question.asked.answer.result()
            flying = [one.asked.answer for one in self._flying if one.asked]
            wait(flying, return_when=FIRST_COMPLETED)
            wait(flying, timeout=_MOMENT)

    def _plan(self, root: Step) -> None:
        """Stops what cannot be needed any more, and starts the most urgent until all workers are busy."""
        self._flying = {one for one in self._flying if one.asked and not one.asked.answer.done()}
        wanted = self._wanted(root)  # makes the nodes in which an open question may stand again
        self._stop(self._flying - {step.question for step in _within(root)})
        for question in wanted:
            if len(self._flying) >= self.answers.ahead:
                return
            if question.asked is None:
                question.asked = self.answers.start(question)
                self._flying.add(question)

    def _stop(self, questions: set[Question]) -> None:
        """What was stopped has no answer, and is asked anew where it is needed after all."""
        for one in questions:
            if one.asked is not None:
                one.asked.stop.set()
                one.asked = None
        self._flying = self._flying - questions

    def _wanted(self, root: Step) -> list[Question]:
        """Questions without an answer that are worth asking, the most urgent first; one that may stand in several
        places is as likely as all of these together. Alone there is no choice."""
        if self.answers.ahead == 1:
            return [root.question]
        order = count()
        waiting: list[tuple[float, int, Callable[[], Node]]] = [(-1.0, next(order), lambda: root)]
        found: dict[Question, float] = {}
        while waiting and next(order) < _LOOKS:
            odds, _, make = heapq.heappop(waiting)
            if -odds < _LEAST:
                break
            node: Node | None = make()
            while isinstance(node, Step) and (known := node.known) is not None:
                node = known
            if isinstance(node, Step):
                found[node.question] = found.get(node.question, 0.0) - odds
                fails = self._odds(node.question)
                for answer, share in ((True, fails), (False, 1 - fails)):
                    heapq.heappush(waiting, (odds * share, next(order), _later(node, answer)))
        urgent = {one: odds * (_SECOND if one.again else 1) for one, odds in found.items() if odds >= _WORTH}
        return sorted(urgent, key=lambda one: -urgent[one])


_MOMENT = 0.1
"""Seconds in which other answers may still come: what they make superfluous is then not asked."""
_WORTH = 0.35
"""How likely a question must be to be asked at all; what is asked in vain costs calls."""
_SECOND = 0.3
"""How urgent a second look is beside a first one as likely: it mostly says the same, and may be taken at any time."""
_LEAST = 0.02
"""How likely a place in the tree must be to be looked at."""
_LOOKS = 2000
"""How many places are looked at for one plan."""


def _prior(kind: str) -> tuple[int, int]:
    return next((odds for end, odds in _PRIOR.items() if kind.endswith(end)), _EVEN)


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
