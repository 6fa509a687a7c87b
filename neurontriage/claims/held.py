"""What is held of a line that shows a claim: of thousands of claims no more than their texts and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from neurontriage.claims.match import Match
from neurontriage.model import Event, Said, sort_of

_MESSAGE = "message"


class Fields(Mapping[str, str]):
    """The fields of a line whose message is the end of its text: that is held once."""

    __slots__ = ("_names", "_start", "_text", "_values")

    def __init__(self, names: tuple[str, ...], values: tuple[str, ...], text: str, start: int) -> None:
        """`names` of all fields, the `values` of those that are no message, which begins at `start` of the `text`."""
        self._names, self._values, self._text, self._start = names, values, text, start

    def __getitem__(self, name: str) -> str:
        if name == _MESSAGE:
            return self._text[self._start :]
        place = self._names.index(name) if name in self._names else -1
        if place < 0:
            raise KeyError(name)
        return self._values[place - (place > self._names.index(_MESSAGE))]

    def get(self, name: str, default: Any = None) -> Any:
        """The field of a name; the message, which is asked for again and again, at once."""
        if name == _MESSAGE:
            return self._text[self._start :]
        return self[name] if name in self._names else default

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, (self._names, self._values, self._text, self._start)


def _unpacked(names: tuple[str, ...], values: tuple[str, ...], text: str, start: int) -> Fields:
    return Fields(_held_once(names), _held_once(values), text, start)


@lru_cache(maxsize=512)
def _held_once(names: tuple[str, ...]) -> tuple[str, ...]:
    """The same of many lines."""
    return names


def small(fields: Mapping[str, str], text: str) -> Mapping[str, str]:
    """The same fields, in less memory where their message is the end of the text."""
    message = fields.get(_MESSAGE)
    if message is None or not text.endswith(message) or isinstance(fields, Fields):
        return fields
    values = tuple(value for name, value in fields.items() if name != _MESSAGE)
    return Fields(_held_once(tuple(fields)), _held_once(values), text, len(text) - len(message))


def whole(match: Match) -> Match:
    """A match with all that it says, without what only reading asks of it."""
    event, fields = match.event, match.fields
    slim, same = _slim(event, event.fields, event.said), fields == event.fields
    return Match(slim, match.entry, event.fields if same else fields, match.weight, match.next, match.rises)


def shown(match: Match, same: bool) -> Match:
    """A match of which no more is needed than its lines, its fields, and what sort of statement it is.

    `same`: its fields have the message of its event.
    """
    event, said = match.event, match.event.said
    mine = small(match.fields, event.evidence.text)
    fields = mine if same else small(event.fields, event.evidence.text)
    sort = sort_of(said.kind, said.words, said.size, said.level)
    return Match(_slim(event, fields, sort), match.entry, mine, match.weight)


def _slim(event: Event, fields: Mapping[str, str], said: Said) -> Event:
    """The event with these fields, without its template and hits."""
    family, kind, _, evidence, order, _, host, process, _, _, chain, reason = event
    return Event(family, kind, fields, evidence, order, (), host, process, "", said, chain, reason)
