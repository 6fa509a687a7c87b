"""One multi-pattern pass over whole blocks: where which pattern was found.

Hyperscan matches all patterns at once in linear time.  Where its wheel is missing, or its database not yet built, RE2
finds the same in the same lines, more slowly.  Patterns come from the grammars and from the knowledge entries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from neurontriage.expressions import expression
from neurontriage.lines.linear import in_bytes
from neurontriage.lines.remembered import keeps

_AGAIN = 1 << 10
FORM = "within lines"
"""How expressions are given to Hyperscan: a database that was built in another way is not taken."""
_PROBE = "neurontriage: is there memory"
_TEXT = expression(rb"[^\n]+")
# What of a pattern can take a line's end: a class that leaves some characters out, blanks, what is no word or digit.
_OPEN = expression(r"\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]")
_CLOSED = {r"\s": r"[^\S\n]", r"\W": r"[^\w\n]", r"\D": r"[^\d\n]"}

Hit = tuple[int, int]


class Pattern(NamedTuple):
    """What to look for. `follow`: how many lines after the hit belong to it and are cut too."""

    text: str
    follow: int = 0


def within_line(text: str) -> str:
    """A pattern that finds in a block what it finds in its lines, each for itself: it never takes a line's end."""
    return _OPEN.sub(_closed, text)


def _closed(found: re.Match[str]) -> str:
    token = found[0]
    if token.startswith("[^"):
        rest = token[2:]
        return r"[^\n" + (f"\\{rest}" if rest[0] in "-]" else rest)
    return token.replace(r"\s", r" \t\r\f\v") if token.startswith("[") else _CLOSED.get(token, token)


class Engine(Protocol):
    """Finds patterns in a block."""

    def scan(self, block: bytes) -> list[Hit]:
        """All (end offset, pattern number), sorted: for each pattern the first in each line, in long lines more."""


class Hyperscan:
    """The linear-time engine; `serialized` is what `dump` gave for the same patterns on this machine.

    `again`: gives that once more, so that memory which others need can be given back in between.
    """

    def __init__(
        self,
        patterns: Sequence[Pattern],
        serialized: bytes | None = None,
        again: Callable[[], bytes | None] | None = None,
    ) -> None:
        self._patterns, self._count, self._again = patterns, len(patterns), again
        self._database = self._made(serialized)
        keeps(self, of_lines=False)

    def _made(self, serialized: bytes | None) -> Any:
        import hyperscan

        if serialized is not None:
            database = hyperscan.loadb(serialized, mode=hyperscan.HS_MODE_BLOCK)
            database.scratch = hyperscan.Scratch(database)
            return database
        database = hyperscan.Database()
        flags = hyperscan.HS_FLAG_MULTILINE
        database.compile(
            expressions=[within_line(p.text).encode() for p in self._patterns],
            ids=list(range(self._count)),
            elements=self._count,
            flags=[flags] * self._count,
        )
        return database

    def forget(self) -> None:
        """Let go of the database, if it can be had again."""
        self._database = None if self._again else self._database

    def dump(self) -> bytes:
        """The compiled database for the cache; valid for this processor's instruction set only."""
        import hyperscan

        return bytes(hyperscan.dumpb(self._database))

    def scan(self, block: bytes) -> list[Hit]:
        hits: list[Hit] = []
        add, find = hits.append, block.find
        passed = [0] * self._count

        def matched(number: int, _start: int, end: int, _flags: int, _context: Any) -> None:
            if end > passed[number]:
                feed = find(b"\n", end - 1, end + _AGAIN)
                passed[number] = end + _AGAIN if feed < 0 else feed + 1
                add((end, number))

        if self._database is None and self._again:
            self._database = self._made(self._again())
        self._database.scan(block, match_event_handler=matched)
        return sorted(hits)


_MOST_COMPILED = 192
"""Patterns that are looked at closely in lines: each takes 30 kB, and a hundredth of a second compiles hundreds."""


_MOST_TOGETHER = 1500
"""Patterns that are filtered together: the automaton of more of them has too little memory."""


class Stepwise:
    """The fallback, and the engine until the database is built: RE2 filters the lines by literals, then looks closer.

    It is ready in a tenth of a second for thousands of patterns, where Hyperscan compiles for several.
    https://github.com/google/re2/blob/main/re2/filtered_re2.h
    """

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._texts = [pattern.text for pattern in patterns]
        several = -(-len(self._texts) // _MOST_TOGETHER) or 1
        cuts = [len(self._texts) * number // several for number in range(several + 1)]
        self._filters = [one for low, high in pairwise(cuts) for one in _filters(self._texts[low:high], low)]
        self._compiled = lru_cache(maxsize=_MOST_COMPILED)(_shortest)  # of what is no part of this: it goes with it
        keeps(self, of_lines=False)

    def forget(self) -> None:
        """Let go of the patterns that were looked at closely: they are compiled again when they are needed."""
        self._compiled.cache_clear()

    def scan(self, block: bytes) -> list[Hit]:
        hits: list[Hit] = []
        for start, possible in self._filters:
            if possible.Match(block, True):
                found = cache(partial(possible.Match, potential=True))  # many lines come again, blank ones and bars
                for line in _TEXT.finditer(block):
                    for number in found(line.group()) or ():
                        hits += self._ends(start + number, line)
        return sorted(hits)

    def _ends(self, number: int, line: re.Match[bytes]) -> Iterator[Hit]:
        passed = -1
        for found in self._compiled(self._texts[number]).finditer(line.group()):
            if found.end() > passed:
                passed = found.end() + _AGAIN
                yield line.start() + found.end(), number


def _shortest(text: str) -> re.Pattern[bytes]:
    """A pattern that finds its shortest match, as Hyperscan reports the first end."""
    return in_bytes(f"(?U){text}")


def _filters(texts: Sequence[str], start: int) -> Iterator[tuple[int, Any]]:
    """(number of the first pattern, filter); several where one would not find its own literals for want of memory."""
    import re2

    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    found = re2.Filter()
    for text in (*texts, _PROBE):
        found.Add(text.encode(), options)
    try:
        found.Compile()
        sound = found.Match(_PROBE.encode(), True)  # nothing is found where its automaton has too little memory
    except re2.error:
        sound = None
    if sound or len(texts) < 2:
        yield start, found
    else:
        middle = len(texts) // 2
        yield from _filters(texts[:middle], start)
        yield from _filters(texts[middle:], start + middle)
