"""Several runs in one log: its first lines come again after an end, or a program is started again at a prompt.

A repeated start alone is no new run: every process of a job prints the same first lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.facts.prompts import MOST_TYPED, Typed, repeated, typed
from neurontriage.facts.restarts import JOB, Restart, restarts
from neurontriage.facts.wording import folded, letters, shown
from neurontriage.lines.digits import ALIKE
from neurontriage.lines.linear import in_bytes
from neurontriage.read.slices import HEAD

FIRST, MOST, MOST_SEEN = 8, 50, 1 << 14
_BEFORE, _LEAST, _LEAST_LETTERS = 12, 12, 12
_SHORTEST = 4  # lines of a run that a launcher says it starts again
_LONGEST_HELD = 1 << 20
_STACK = expression(rb"Traceback \(most|File \"|(?:During|The above)|[\w.]*(?:Error|Exception)\b")
_TRACED = expression(rb"Traceback \(most")
_LITERAL = expression(rb"[^\d\r\n]{12,}")
# What a host says of each login and of each job that it does by the clock: with it nothing begins but that.
_SESSION = expression(
    rb".{8,100} (?:sshd(?:-session)?|CRON|crond?|anacron|su|sudo|systemd-logind|dhclient|login)(?:\[\d+\])?: "
)
# A line of a system's log, and which program said it.
_SYSTEM = expression(
    rb"(?:[A-Z][a-z]{2} +\d+ [\d:]+|[\d-]+T[\d:.]+(?:Z|[+-][\d:]+)) [\w.-]{1,60} (?P<program>[\w./@-]{1,60})\[\d+\]: "
)
# How a process ends: its exception, its exit status, a signal, a launcher's last word, or a success.
_END = (
    r"(?i)(?:^|[\t |>\]:])(?:[\w.]*\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b(?::|\s*$)|"
    r"exit(?:ed with)? (?:code|status)|exitcode|killed\b|core dumped|"
    r"CANCELLED AT|got signal|interrupt|\baborted\b|error \d+$"
)


@dataclass(slots=True, eq=False, repr=False)
class Begins:
    """Where a log, or a slice of it, begins again after an end. `seen`: how often its opening stands in it.

    `lines`: from 1, in order; those of a slice whose first line belongs to the slice before it may be less.
    `typed`: all prompts; `restarts`: where a launcher says that it starts the job again.
    """

    lines: list[int] = field(default_factory=list)
    seen: int = 0
    typed: list[Typed] = field(default_factory=list)
    restarts: list[Restart] = field(default_factory=list)

    def take(self, later: Begins, lines: int) -> None:
        """Take in those of the next slice; `lines` stand before it."""
        self.lines += [line + lines for line in later.lines]
        self.seen += later.seen
        self.typed += [one._replace(line=one.line + lines) for one in later.typed]
        del self.typed[MOST_TYPED:]
        self.restarts += [one._replace(line=one.line + lines) for one in later.restarts]

    def programs(self) -> dict[int, str]:
        """The program of each run that was started at a prompt, or started again, by the first line of the run."""
        started = repeated(self.typed)
        if not 1 < len(started) <= MOST:
            return {1: JOB} | dict.fromkeys(again, JOB) if (again := self._again()) else {}
        first = 1 if started[0].line < _LEAST else started[0].line
        return {first: started[0].program} | {one.line: one.program for one in started[1:]}

    def launcher(self, line: int) -> str:
        """The program and process in a system's log that said that it starts a run; "" where nobody is named."""
        return next((one.by for one in self.restarts if one.line == line), "")

    def _again(self) -> list[int]:
        """The lines at which a launcher starts the job again; none where it comes too often for that."""
        found = [1]
        for one in self.restarts:
            if not one.first and one.line - found[-1] >= _SHORTEST:
                found.append(one.line)
        return found[1:] if len(found) <= MOST else []

    def prompted(self, line: int) -> bool:
        """Whether a prompt comes again below the line of a command."""
        return bool(self.typed) and any(one.line > max(line, self.typed[0].line) for one in self.typed)

    def starts(self) -> list[int]:
        """The lines (from 1) at which a further run begins."""
        if programs := self.programs():
            return [line for line in programs if line > 1]
        found: list[int] = []
        for line in self.lines if self.seen <= MOST_SEEN else ():
            if line - (found[-1] if found else 1) >= _LEAST:
                found.append(line)
        return found if len(found) <= MOST else []  # what comes that often is what the program prints


class Openings:
    """Reads one log, or a slice of it, block by block, for where it begins again. Memory: a few lines.

    `lead`: what stands before the slice; `head`: the first bytes of the log, unless the slice is its beginning.
    """

    def __init__(self, lead: bytes = b"", head: bytes = b"") -> None:
        self.found = Begins()
        self._opening = _opening(head) if head else None
        self._sought = bool(head)
        self._before = lead[-HEAD:]
        self._held = b""

    def read(self, block: bytes, above: int) -> None:
        """Take the next block, which ends at a line feed; `above` lines of the slice stand before it."""
        if len(self.found.typed) < MOST_TYPED:
            self.found.typed += typed(block, above)
        self.found.restarts += islice(restarts(block, above), MOST_TYPED)
        if self._sought and self._opening is None:
            return
        text, first = self._held + block, above - self._held.count(b"\n") + 1
        if not self._sought and text.count(b"\n") < FIRST and len(text) < HEAD:
            self._held = text
            return
        self._seek(text)
        if self._opening is not None:
            end = _lines_back(text, self._opening.gap + 1)
            self._look(text, end if len(text) - end < _LONGEST_HELD else len(text), first)

    def end(self, above: int, trail: bytes = b"") -> Begins:
        """What was found, now that all is read. `trail`: what stands after the slice."""
        self._seek(self._held)
        if self._opening is not None:
            self._look(self._held + trail, len(self._held), above - self._held.count(b"\n") + 1)
        return self.found

    def _seek(self, text: bytes) -> None:
        if not self._sought:
            self._opening, self._sought = _opening(text), True

    def _look(self, text: bytes, end: int, first: int) -> None:
        """Search a text whose first line has the number `first`, up to `end`; hold back the rest."""
        assert self._opening is not None
        number, counted, found = first, 0, self.found
        for begin in self._opening.places(text, end):
            found.seen += 1
            before = self._up_to(text, begin)
            if _ends(before[_lines_back(before, _BEFORE) :]):
                number += text.count(b"\n", counted, begin)
                counted = begin
                found.lines.append(number - self._opening.above)
            if found.seen > MOST_SEEN:
                self._opening, self._held = None, b""
                return
        self._before = self._up_to(text, end)
        self._held = text[end:]

    def _up_to(self, text: bytes, end: int) -> bytes:
        """The last bytes before a place in a text, or before the text."""
        return text[end - HEAD : end] if end >= HEAD else (self._before + text[:end])[-HEAD:]


class Opening(NamedTuple):
    """The first two lines of a log that say something: `gap` lines apart, `above` lines below its start."""

    first: bytes
    second: bytes
    gap: int
    above: int

    def places(self, text: bytes, end: int) -> Iterator[int]:
        """Where lines like the first begin before `end`, with one like the second below."""
        literal, lower = _literal(self.first), _literal(self.second)
        at, find = text.find(literal, 0, end), text.find
        while at >= 0:
            after = below = find(b"\n", at)
            for _ in range(self.gap - 1):
                below = find(b"\n", below + 1) if below >= 0 else -1
            stop = find(b"\n", below + 1)
            if below >= 0 and find(lower, below + 1, stop if stop >= 0 else len(text)) >= 0:
                begin = text.rfind(b"\n", 0, at) + 1
                lines = text[begin : begin + HEAD].split(b"\n", self.gap + 1)
                if _wording(lines[0]) == self.first and self._goes_on(lines):
                    yield begin
            at = find(literal, after, end) if after >= 0 else -1

    def _goes_on(self, lines: Sequence[bytes]) -> bool:
        return len(lines) > self.gap and _wording(lines[self.gap]) == self.second


@lru_cache(maxsize=256)
def _literal(line: bytes) -> bytes:
    """The longest part of a line that always stands in lines like it."""
    return max(map(bytes, _LITERAL.findall(line)), key=len)


@lru_cache(maxsize=1)
def _end() -> re.Pattern[bytes]:
    return in_bytes(_END)


def _ends(text: bytes) -> bool:
    """Whether a process ended in these lines."""
    return _end().search(text) is not None


def _lines_back(text: bytes, lines: int) -> int:
    """Where the last `lines` lines of a text begin."""
    at = len(text)
    for _ in range(lines):
        at = text.rfind(b"\n", 0, max(at - 1, 0)) + 1
    return at


def _wording(line: bytes) -> bytes:
    return _folded(shown(line).translate(ALIKE))


_folded = lru_cache(maxsize=256)(folded)  # lines that come again and again differ in digits only


def _opening(head: bytes) -> Opening | None:
    """What the log begins with; None where its first lines say too little."""
    lines = ((number, _wording(line)) for number, line in enumerate(head[:HEAD].split(b"\n")[:FIRST]))
    telling = list(islice(((number, line) for number, line in lines if _tells(line)), 2))
    if len(telling) < 2:
        return None
    (above, first), (below, second) = telling
    if first == second or _of_two(first, second):  # it begins in the middle of its steps
        return None
    if any(map(_TRACED.match, head[:HEAD].split(b"\n")[above:below])):  # with a failure, which may come again
        return None
    return Opening(first, second, below - above, above)


def _of_two(first: bytes, second: bytes) -> bool:
    """Whether these are lines of two programs in the log of a system, where each says its own again and again."""
    said = [
        found["program"]
        for line in (first, second)
        if line[:1] != b"[" and b"]: " in line and (found := _SYSTEM.match(line))
    ]
    return len(said) > 1 and said[0] != said[1] and b"systemd" not in said


@lru_cache(maxsize=256)
def _tells(line: bytes) -> bool:
    return (
        not (_STACK.match(line) or _SESSION.match(line))
        and letters(line) >= _LEAST_LETTERS
        and _LITERAL.search(line) is not None
    )


def apart(content: Iterable[bytes], starts: Sequence[int]) -> Iterator[tuple[int, Iterator[bytes]]]:
    """The blocks of a log → (first line, blocks) of each run, to be read in order."""
    begins = [1, *starts]
    for number, pieces in groupby(_pieces(content, begins), itemgetter(0)):
        yield begins[number], (piece for _, piece in pieces)


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
