"""Many pieces of which one answer needs few: kept as bytes, and made of them when they are asked for."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


def folded(piece: bytes) -> bytes:
    """A long piece, of which an answer needs few, in half the room."""
    return zlib.compress(piece, 9)


class Shelf(Mapping[str, T], Generic[T]):
    """Pieces by name. `make`: what becomes of the plain data of one; `smaller`: each is kept as `folded` gives it."""

    def __init__(self, pieces: Mapping[str, bytes], make: Callable[[Any], T], smaller: bool = False) -> None:
        self._pieces, self._make, self._smaller = pieces, make, smaller
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            piece = self._pieces[name]
            self._made[name] = self._make(marshal.loads(zlib.decompress(piece) if self._smaller else piece))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._pieces)

    def __len__(self) -> int:
        return len(self._pieces)

    def __contains__(self, name: object) -> bool:
        return name in self._pieces


class Row(Sequence[T], Generic[T]):
    """Pieces by number."""

    def __init__(self, pieces: Sequence[bytes], make: Callable[[Any], T]) -> None:
        self._pieces, self._make = pieces, make
        self._made: dict[int, T] = {}

    @overload
    def __getitem__(self, number: int) -> T: ...
    @overload
    def __getitem__(self, number: slice) -> list[T]: ...
    def __getitem__(self, number: int | slice) -> T | list[T]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        if number not in self._made:
            self._made[number] = self._make(marshal.loads(self._pieces[number]))
        return self._made[number]

    def __len__(self) -> int:
        return len(self._pieces)
