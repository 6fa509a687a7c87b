"""What log families make of a line: where in it their records stand, and where in these the fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from neurontriage.parse import command as compiler_command
from neurontriage.parse.family import Family, Spans, Start

_KIND_ORDER = {"failure": 0, "warning": 1, "": 2, "echo": 3}
_MOST_RECORDS = 32


class Parsed(NamedTuple):
    """What one family made of one line. `place`: where its record starts in the line.

    `spans`: its fields, in the line, or in its payload where only that is looked at (`behind` the prefixes).
    """

    family: Family
    kind: str
    spans: Spans
    place: int
    behind: bool

    def fields(self, line: str, payload: str) -> dict[str, str]:
        """The values of its fields in such a line."""
        text = payload if self.behind else line
        return {name: text[start:end].strip() for name, start, end in self.spans}

    @property
    def order(self) -> tuple[bool, int, int]:
        """Families before the generic ones, failures before echoes, and the innermost (last) text first."""
        return self.family.generic, _KIND_ORDER[self.family.kinds.get(self.kind, "")], -self.place


def texts(start: Start, line: str, payload: str) -> list[tuple[int, str]]:
    """The records of one family in a line, each with its place: several where writers without a lock glued them."""
    if not start.anywhere:
        return [(line.find(payload), payload)] if start.compiled.match(payload) else []
    places = [match.start() for match in start.compiled.finditer(line)][-_MOST_RECORDS:]
    return [(place, line[place:end]) for place, end in zip(places, [*places[1:], len(line)], strict=False)]


def moved(found: tuple[str, Spans], by: int) -> tuple[str, Spans]:
    """What was found in a part of a line, as the line has it."""
    return (found[0], tuple((name, start + by, end + by) for name, start, end in found[1])) if by else found


def together(parsed: Sequence[dict[str, str]], payload: str, level: str) -> dict[str, str]:
    """The fields that all families found, those of the best one first, and what they say together."""
    if not parsed:
        return {"message": payload, "level": level} if level else {"message": payload}
    found: dict[str, str] = {}
    for one in reversed(parsed):
        found |= one
    if command := found.pop("whole_command", "") or found.get("command", ""):
        found = {**compiler_command.read(command), **found, "command": command}
    if {"component", "function"} <= found.keys():
        found["origin"] = f"{found['component']}:{found['function']}"
    found.setdefault("message", payload)
    if level:
        found.setdefault("level", level)
    return found
