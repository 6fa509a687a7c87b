"""The terminals that may stand at one place of a grammar, by the first character of what stands there.

Of some hundred terminals few can start with a given character: only these are tried, in the order of the grammar, which
decides. Each has a pattern of its own; where a place and a character are met again and again, one for all pays.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from neurontriage.expressions import compiled, made, named
from neurontriage.parse.moves import Table
from neurontriage.parse.starts import narrowed

_OFTEN = 500
"""Matches at a place and character after which it pays to compile one pattern for all terminals, once and for all."""
_FEW = 20
"""Matches until which those that were not needed yet need not be compiled, nor one for all be looked for."""
_NOTHING = "(?!)"


class Matches(Protocol):
    """Finds a terminal at a place of a text; the name of the last group of the match is the terminal."""

    def match(self, text: str, place: int, /) -> re.Match[str] | None: ...


class Patterns:
    """The expressions of a grammar's terminals, each compiled when it is first tried."""

    def __init__(self, table: Table) -> None:
        self.texts: Mapping[str, tuple[str, str | None]] = table["patterns"]
        self.behind = f"(?:{table['blank']})*" if table["blank"] else ""
        self._compiled: dict[str, re.Pattern[str]] = {}
        self._several: dict[tuple[tuple[str, ...], str], Several] = {}

    @cached_property
    def digest(self) -> str:
        """A name for all of them: the same for the same ones."""
        return f"{zlib.crc32(repr((self.texts, self.behind)).encode()):08x}"

    def __getitem__(self, name: str) -> re.Pattern[str]:
        """The pattern of a terminal, with what may be skipped behind it."""
        found = self._compiled.get(name)
        if found is None:
            found = self._compiled[name] = compiled(f"(?P<{name}>{self.texts[name][0]}){self.behind}")
        return found

    def several(self, names: Sequence[str], sign: str) -> Several:
        """Those of some terminals that may start with an ASCII character, all without one; places share them."""
        possible = tuple(name for name in names if self._possible(name, sign))
        known = self._several.get((possible, sign))
        return known or self._several.setdefault((possible, sign), Several(possible, sign, self))

    def _possible(self, name: str, sign: str) -> bool:
        signs = self.texts[name][1]
        return signs is None or sign in signs or not sign


class Several:
    """Some terminals, which are tried one after the other as long as this is cheaper than one pattern for all."""

    def __init__(self, names: tuple[str, ...], sign: str, patterns: Patterns) -> None:
        self._names, self._sign, self._patterns, self._left = names, sign, patterns, _OFTEN
        self._held: list[tuple[dict[str, Matches], str]] = []

    def at(self, place: dict[str, Matches], sign: str) -> Matches:
        """What finds them at a place; it is told there when that is one pattern later on."""
        self._held.append((place, sign))
        return self if self._left > 0 else self._together

    def match(self, text: str, place: int) -> re.Match[str] | None:
        """The first that fits."""
        self._left -= 1
        if self._left >= _OFTEN - _FEW:
            for name in self._names:
                if found := self._patterns[name].match(text, place):
                    return found
            return None
        if self._left <= 0 or (self._left == _OFTEN - _FEW - 1 and named(self._name)):
            self._left = 0
            return self._together.match(text, place)
        for match in self._each:
            if found := match(text, place):
                return found
        return None

    @cached_property
    def _each(self) -> list[Callable[[str, int], re.Match[str] | None]]:
        """What tries each of them, all compiled."""
        return [self._patterns[name].match for name in self._names]

    @property
    def _name(self) -> str:
        return f"{self._patterns.digest}:{self._sign}:{' '.join(self._names)}"

    @cached_property
    def _together(self) -> re.Pattern[str]:
        """One pattern for all of them."""
        found = made(self._name, self._written)
        for place, sign in self._held:
            place[sign] = found
        return found

    def _written(self) -> str:
        texts = ((name, self._patterns.texts[name][0]) for name in self._names)
        possible = ((name, narrowed(text, self._sign) if self._sign else text) for name, text in texts)
        found = [f"(?P<{name}>{text})" for name, text in possible if text is not None]
        return f"(?:{'|'.join(found) or _NOTHING}){self._patterns.behind}"


class Terminals(dict[str, Matches]):
    """First character → what finds the terminal.

    `place`: names in the order in which they are tried, and `unless`, other names by terminal and text.
    """

    def __init__(self, place: tuple[list[str], Any], patterns: Patterns) -> None:
        super().__init__()
        self._names, self._patterns = place[0], patterns
        self.unless: Mapping[str, Mapping[str, str]] = place[1]

    def __missing__(self, sign: str) -> Matches:
        """What finds the terminals for a character that is met for the first time, or that is no ASCII character."""
        if not sign.isascii():
            return self.get("") or self.__missing__("")
        found = self[sign] = self._patterns.several(self._names, sign).at(self, sign)
        return found
