"""The terminals that may stand at one place of a grammar, by the first character of what stands there.

Of some hundred terminals few can start with a given character: only these are tried, in the order of the grammar, which
decides. Each has a pattern of its own; where a place and a character are met again and again, one for all pays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol

from neurontriage.parse.moves import Table
from neurontriage.parse.starts import narrowed

_OFTEN = 200
"""Matches at a place and character after which it pays to compile one pattern for all terminals."""
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

    def __getitem__(self, name: str) -> re.Pattern[str]:
        """The pattern of a terminal, with what may be skipped behind it."""
        found = self._compiled.get(name)
        if found is None:
            found = self._compiled[name] = re.compile(f"(?P<{name}>{self.texts[name][0]}){self.behind}")
        return found

    def possible(self, name: str, sign: str) -> bool:
        """Whether a terminal may start with a character; of other characters than ASCII every one may."""
        signs = self.texts[name][1]
        return signs is None or sign in signs or not sign


class _Several:
    """Some terminals, which are tried one after the other; `left`: how often this is cheaper than one pattern."""

    def __init__(self, names: list[str], patterns: Patterns) -> None:
        self._names, self._patterns, self.left = names, patterns, _OFTEN

    def match(self, text: str, place: int) -> re.Match[str] | None:
        """The first that fits."""
        self.left -= 1
        for name in self._names:
            if found := self._patterns[name].match(text, place):
                return found
        return None


class Terminals(dict[str, Matches]):
    """First character → what finds the terminal.

    `place`: names in the order in which they are tried, and `unless`, other names by terminal and text.
    """

    def __init__(self, place: tuple[list[str], Any], patterns: Patterns) -> None:
        super().__init__()
        self._names, self._patterns = place[0], patterns
        self.unless: Mapping[str, Mapping[str, str]] = place[1]
        self._several: dict[str, _Several] = {}

    def __missing__(self, sign: str) -> Matches:
        """What finds the terminals for a character that has no pattern of its own yet."""
        key = sign if sign.isascii() else ""
        several = self._several.get(key)
        if several is None:
            names = [name for name in self._names if self._patterns.possible(name, key)]
            several = self._several[key] = _Several(names, self._patterns)
        if several.left > 0:
            return several
        if not key:
            return self.get(key) or self.setdefault(key, self._together(None))
        self[sign] = self._together(sign)
        return self[sign]

    def _together(self, sign: str | None) -> re.Pattern[str]:
        """One pattern for all terminals that may start with an ASCII character; for all at all without one."""
        texts = ((name, self._patterns.texts[name][0]) for name in self._names)
        possible = ((name, narrowed(text, sign) if sign else text) for name, text in texts)
        found = [f"(?P<{name}>{text})" for name, text in possible if text is not None]
        return re.compile(f"(?:{'|'.join(found) or _NOTHING}){self._patterns.behind}")
