"""What is known of each of many logs: in a few bytes for each, since thousands are read in their order, one by one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, MutableSequence
from types import MappingProxyType
from typing import Any, TypeVar

V = TypeVar("V")
Pieces = MutableSequence[bytes]
MANY = 64
"""Logs of which it is worth it."""


class ByLog(MutableMapping[str, V]):
    """A dictionary by the names of logs that come in their order, and of which the last is asked for most.

    `values`: what holds the values, one for each name. Where names come in another order they are found as in any
    dictionary.
    """

    __slots__ = ("_index", "_names", "_values")

    def __init__(self, values: MutableSequence[V], known: Mapping[str, V] = MappingProxyType({})) -> None:
        self._names, self._values = list[str](), values
        self._index: dict[str, int] | None = None
        self.update(known)

    def _place(self, name: object) -> int:
        """Where a log stands, -1 where it does not."""
        names = self._names
        if not isinstance(name, str) or not names:
            return -1
        if name == names[-1]:
            return len(names) - 1
        if self._index is not None:
            return self._index.get(name, -1)
        at = bisect_left(names, name) if name < names[-1] else len(names)
        return at if at < len(names) and names[at] == name else -1

    def __contains__(self, name: object) -> bool:
        return self._place(name) >= 0

    def __getitem__(self, name: str) -> V:
        if (place := self._place(name)) < 0:
            raise KeyError(name)
        return self._values[place]

    def __setitem__(self, name: str, value: V) -> None:
        if (place := self._place(name)) >= 0:
            self._values[place] = value
            return
        if self._index is None and self._names and name < self._names[-1]:
            self._index = {one: place for place, one in enumerate(self._names)}
        if self._index is not None:
            self._index[name] = len(self._names)
        self._names.append(name)
        self._values.append(value)

    def __delitem__(self, name: str) -> None:
        if (place := self._place(name)) < 0:
            raise KeyError(name)
        del self._names[place], self._values[place]
        self._index = self._index and {one: place for place, one in enumerate(self._names)}

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def in_columns(found: MutableMapping[str, V], values: Callable[[], MutableSequence[V]]) -> MutableMapping[str, V]:
    """What is known by log: itself, or as soon as it is of MANY logs, in what holds their values in less room."""
    return ByLog(values(), found) if isinstance(found, dict) and len(found) >= MANY else found


class Rows(MutableSequence[V]):
    """Values of a few plain numbers each, held in columns. `make`: a value of its numbers."""

    __slots__ = ("_columns", "_make")

    def __init__(self, make: Callable[[Iterable[Any]], V], *columns: MutableSequence[Any]) -> None:
        self._make, self._columns = make, columns

    def __len__(self) -> int:
        return len(self._columns[0])

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        return self._make(column[place] for column in self._columns)

    def __setitem__(self, place: Any, value: Any) -> None:
        for column, part in zip(self._columns, value, strict=True):
            column[place] = part

    def __delitem__(self, place: int | slice) -> None:
        for column in self._columns:
            del column[place]

    def insert(self, place: int, value: Any) -> None:
        """Put a value before the one that stands at a place."""
        for column, part in zip(self._columns, value, strict=True):
            column.insert(place, part)


class Packed(MutableSequence[V]):
    """Values as bytes. `pack`: a value as bytes, `unpack`: these as the value, `pieces`: what holds them."""

    __slots__ = ("_pack", "_pieces", "_unpack")

    def __init__(
        self, pack: Callable[[V], bytes], unpack: Callable[[bytes], V], pieces: MutableSequence[bytes]
    ) -> None:
        self._pack, self._unpack, self._pieces = pack, unpack, pieces

    def __len__(self) -> int:
        return len(self._pieces)

    def __getitem__(self, place: Any) -> Any:
        found = self._pieces[place]
        return list(map(self._unpack, found)) if isinstance(place, slice) else self._unpack(found)

    def __setitem__(self, place: Any, value: Any) -> None:
        self._pieces[place] = self._pack(value)

    def __delitem__(self, place: int | slice) -> None:
        del self._pieces[place]

    def insert(self, place: int, value: V) -> None:
        """Put a value before the one that stands at a place."""
        self._pieces.insert(place, self._pack(value))
