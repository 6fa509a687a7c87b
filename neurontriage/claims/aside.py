"""What is known so far of a long log lies packed while its next slice is read: both are never held at once."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_TOGETHER = 64
_FAST = 1


def packed(what: object) -> bytes:
    """One thing, small."""
    import pickle  # which only long logs need

    return zlib.compress(pickle.dumps(what, pickle.HIGHEST_PROTOCOL), _FAST)


def unpacked(small: bytes) -> Any:
    """What was packed."""
    import pickle

    return pickle.loads(zlib.decompress(small))


def put_aside(found: dict[K, V]) -> list[bytes]:
    """Pack what a dictionary holds, in its order, and take it out of there on the way."""
    aside: list[bytes] = []
    while some := list(islice(found, _TOGETHER)):
        aside.append(packed([(key, found.pop(key)) for key in some]))
    return aside


def brought_back(aside: list[bytes]) -> Iterator[tuple[K, V]]:
    """What was put aside, in its order; of what has been given nothing is held."""
    aside.reverse()
    while aside:
        pairs: list[tuple[K, V]] = unpacked(aside.pop())
        pairs.reverse()
        while pairs:
            yield pairs.pop()
