"""What functions say of lines is remembered, since lines come again and again, and forgotten when all are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol, TypeVar, cast
from weakref import WeakSet

F = TypeVar("F", bound=Callable[..., Any])
_ALL: list[Callable[[], None]] = []


class Keeper(Protocol):
    """What remembers lines in a way of its own."""

    def forget(self) -> None:
        """Let go of all that is remembered."""


_KEEPERS: WeakSet[Keeper] = WeakSet()


def remembered(most: int) -> Callable[[F], F]:
    """A decorator: what a function gave for the latest `most` of its arguments is given again."""

    def wrapped(function: F) -> F:
        found = lru_cache(maxsize=most)(function)
        _ALL.append(found.cache_clear)
        return cast(F, found)

    return wrapped


def keeps(one: Keeper) -> None:
    """Let a keeper forget with the others, for as long as it is there."""
    _KEEPERS.add(one)


def forget() -> None:
    """Let go of it, for those who need the memory."""
    for clear in _ALL:
        clear()
    for one in [*_KEEPERS]:
        one.forget()
