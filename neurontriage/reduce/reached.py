"""What a reduction has reached, and the second look that it takes to get there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from neurontriage.hlo.module import Module
from neurontriage.reduce.ahead import Node, Question, Step
from neurontriage.reduce.search import Then


@dataclass(frozen=True)
class Reached:
    """The smallest module that failed twice, and the passes that made it smaller, in words.

    It is put together when it is looked at: of most places that may be reached it is never needed.
    """

    made: Callable[[], Module]
    done: tuple[str, ...] = ()

    @cached_property
    def module(self) -> Module:
        """The smallest module so far that fails the same way; made when it is first asked for."""
        return self.made()

    def smaller(self, made: Callable[[], Module], text: str) -> Reached:
        """What is reached after one more pass: `made` gives its module, `text` says what the pass did."""
        return Reached(made, (*self.done, text))


More = Callable[[Reached], Node]
"""What follows a pass."""


def confirmed(text: str, make: Callable[[], bytes], reached: Reached, then: Then) -> Node:
    """A second look at what a pass found."""
    return Step(Question("again", make, again=True), reached, then, text)
