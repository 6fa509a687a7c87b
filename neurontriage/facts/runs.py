"""Several runs that were appended to one log: the first lines of the log come again, and something ended before them.

A repeated start alone is no new run: every process of a job prints the same first lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

FIRST, MOST = 8, 50
_BEFORE, _LEAST, _LETTERS = 12, 12, 12
_HEAD = 8 << 10
_NUMBERS = re.compile(rb"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+")
_STACK = re.compile(rb"Traceback \(most|File \"|(?:During|The above)|[\w.]*(?:Error|Exception)\b")
_LITERAL = re.compile(rb"[^\d\r\n]{12,}")
# How a process ends: its exception, its exit status, a signal, a launcher's last word, or a success.
_END = re.compile(
    rb"^(?:[\w.]*\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b(?::|\s*$)|exit(?:ed with)? (?:code|status)|exitcode|"
    rb"killed\b|core dumped|CANCELLED AT|got signal|interrupt|\baborted\b|error \d+$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass
class Openings:
    """Watches one log go by; `starts` are the lines (from 1) at which a further run begins. Memory: a few lines."""

    starts: list[int] = field(default_factory=list)
    _first: Opening | None = None
    _sought: bool = False
    _line: int = 1
    _before: bytes = b""

    def watch(self, content: Iterable[bytes]) -> Iterator[bytes]:
        """The blocks as they come; each ends at a line feed."""
        held = b""
        for block in content:
            if not self._sought or self._first is not None:
                held = self._look(held + block, last=False)
            yield block
        self._look(held, last=True)

    def _look(self, text: bytes, last: bool) -> bytes:
        """Search what can be judged; the rest, of which the next lines are still to come, is given back."""
        if not self._sought:
            if not last and text.count(b"\n") < FIRST and len(text) < _HEAD:
                return text
            self._first, self._sought = _opening(text), True
        if self._first is None:
            return b""
        end = len(text) if last else _lines_back(text, self._first.gap + 1)
        number, counted = self._line, 0
        for begin in self._first.places(text, end):
            number += text.count(b"\n", counted, begin)
            counted, line = begin, number - self._first.above
            if line - (self.starts[-1] if self.starts else 1) < _LEAST:
                continue
            before = (self._before + text[max(0, begin - _HEAD) : begin])[-_HEAD:].rsplit(b"\n", _BEFORE + 1)
            if _END.search(b"\n".join(before[-_BEFORE - 1 :])):
                self.starts.append(line)
            if len(self.starts) > MOST:  # what comes that often is what the program prints, not how it begins
                self.starts, self._first = [], None
                return b""
        self._line += text.count(b"\n", 0, end)
        self._before = (self._before + text[max(0, end - _HEAD) : end])[-_HEAD:]
        return text[end:]


@dataclass(frozen=True)
class Opening:
    """The first two lines of a log that say something: `gap` lines apart, `above` lines below its start."""

    first: bytes
    second: bytes
    gap: int
    above: int

    def places(self, text: bytes, end: int) -> Iterator[int]:
        """Where lines like the first begin before `end`, with one like the second below."""
        literal = max(_LITERAL.findall(self.first), key=len)
        at = text.find(literal, 0, end)
        while at >= 0:
            begin = text.rfind(b"\n", 0, at) + 1
            lines = text[begin : begin + _HEAD].split(b"\n", self.gap + 1)
            if len(lines) > self.gap and (_folded(lines[0]), _folded(lines[self.gap])) == (self.first, self.second):
                yield begin
            after = text.find(b"\n", at)
            at = text.find(literal, after, end) if after >= 0 else -1


def _lines_back(text: bytes, lines: int) -> int:
    """Where the last `lines` lines of a text begin."""
    at = len(text)
    for _ in range(lines):
        at = text.rfind(b"\n", 0, max(at - 1, 0)) + 1
    return at


def _opening(head: bytes) -> Opening | None:
    """What the log begins with; None where its first lines say too little."""
    lines = [_folded(line) for line in head[:_HEAD].split(b"\n")[:FIRST]]
    telling = [(number, line) for number, line in enumerate(lines) if _tells(line)]
    if len(telling) < 2:
        return None
    (above, first), (below, second) = telling[:2]
    return Opening(first, second, below - above, above)


def _tells(line: bytes) -> bool:
    if _STACK.match(line):
        return False
    return sum(65 <= one <= 122 for one in line) >= _LETTERS and _LITERAL.search(line) is not None


def _folded(line: bytes) -> bytes:
    """A line without its numbers, times and ids."""
    return _NUMBERS.sub(b"0", line.strip())


def apart(content: Iterable[bytes], starts: Sequence[int]) -> Iterator[Iterator[bytes]]:
    """The blocks of a log → those of each run, to be read in order; blank lines stand for what is not of the run.

    So every line keeps its number.
    """
    begins = [1, *starts]
    for number, pieces in groupby(_pieces(content, begins), itemgetter(0)):
        yield _from(begins[number], (piece for _, piece in pieces))


def _from(line: int, pieces: Iterator[bytes]) -> Iterator[bytes]:
    yield b"\n" * (line - 1)
    yield from pieces


def _pieces(content: Iterable[bytes], begins: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """(run, bytes) with every block cut where a run begins."""
    run, line = 0, 1
    for block in content:
        rest = block
        while run + 1 < len(begins) and line + rest.count(b"\n") >= begins[run + 1]:
            lines = rest.split(b"\n", begins[run + 1] - line)
            head = rest[: len(rest) - len(lines[-1])]
            yield run, head
            line, rest, run = begins[run + 1], lines[-1], run + 1
        line += rest.count(b"\n")
        if rest:
            yield run, rest
