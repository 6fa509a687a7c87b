"""What functions say of lines is remembered, since lines come again and again, and forgotten when all are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])
_ALL: list[Callable[[], None]] = []


def remembered(most: int) -> Callable[[F], F]:
    """A decorator: what a function gave for the latest `most` of its arguments is given again."""

    def wrapped(function: F) -> F:
        found = lru_cache(maxsize=most)(function)
        _ALL.append(found.cache_clear)
        return cast(F, found)

    return wrapped


def forget() -> None:
    """Let go of it, for those who need the memory."""
    for clear in _ALL:
        clear()
