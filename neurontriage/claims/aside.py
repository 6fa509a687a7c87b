"""What is known so far of a long log lies packed while its next slice is read: both are never held at once."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
_TOGETHER = 64
_FAST = 1


def put_aside(found: dict[K, V]) -> list[bytes]:
    """Pack what a dictionary holds, in its order, and take it out of there on the way."""
    import pickle  # which only long logs need

    packed: list[bytes] = []
    while some := list(islice(found, _TOGETHER)):
        pairs = [(key, found.pop(key)) for key in some]
        packed.append(zlib.compress(pickle.dumps(pairs, pickle.HIGHEST_PROTOCOL), _FAST))
    return packed


def brought_back(packed: list[bytes]) -> Iterator[tuple[K, V]]:
    """What was put aside, in its order; of what has been given nothing is held."""
    import pickle

    packed.reverse()
    while packed:
        pairs: list[tuple[K, V]] = pickle.loads(zlib.decompress(packed.pop()))
        pairs.reverse()
        while pairs:
            yield pairs.pop()
