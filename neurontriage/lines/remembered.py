"""What functions say of lines is remembered, since lines come again and again, and forgotten when all are read.

So is what long logs have filled with what they saw: compiled patterns, and the databases that scan.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol, TypeVar, cast
from weakref import WeakSet

from neurontriage.lines.allocated import give_back, resident

F = TypeVar("F", bound=Callable[..., Any])
_OF_LINES: list[Callable[[], None]] = []
_OF_PATTERNS: list[Callable[[], None]] = []


class Keeper(Protocol):
    """What remembers lines in a way of its own."""

    def forget(self) -> None:
        """Let go of all that is remembered."""


_KEEPERS: WeakSet[Keeper] = WeakSet()
_ENGINES: WeakSet[Keeper] = WeakSet()


def remembered(most: int, of_lines: bool = True) -> Callable[[F], F]:
    """A decorator: what a function gave for the latest `most` of its arguments is given again."""

    def wrapped(function: F) -> F:
        found = lru_cache(maxsize=most)(function)
        (_OF_LINES if of_lines else _OF_PATTERNS).append(found.cache_clear)
        return cast(F, found)

    return wrapped


def keeps(one: Keeper, of_lines: bool = True) -> None:
    """Let a keeper forget with the others, for as long as it is there."""
    (_KEEPERS if of_lines else _ENGINES).add(one)


def forget(patterns: bool = False) -> None:
    """Let go of what is known of lines, for those who need the memory. `patterns`: and of what is made of patterns,
    which takes a tenth of a second to make again."""
    for clear in [*_OF_LINES, *(_OF_PATTERNS if patterns else ())]:
        clear()
    for one in [*_KEEPERS, *(_ENGINES if patterns else ())]:
        one.forget()


class Relief:
    """Forgets what is remembered where this process takes much memory, and not again before it takes more.

    `more`: bytes above what it took then; what is asked for anew at once would else be forgotten after every log.
    """

    def __init__(self, room: int = 104 << 20, step: int = 12 << 20, more: int = 2 << 20) -> None:
        self._room, self._step, self._more = room, step, more

    def give(self) -> None:
        """Asked between two logs, and two pieces of a long one."""
        if (taken := resident()) > self._room:
            forget(patterns=True)
            give_back()
            self._room = max(taken + self._more, resident() + self._step)


RELIEF = Relief()
"""That of this process."""
