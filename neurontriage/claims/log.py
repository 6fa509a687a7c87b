"""One log, or a slice of one → the Part that it is of an incident: blocks → lines → events → claims and facts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import groupby

from neurontriage.claims.collect import Claims
from neurontriage.claims.ended import above_end
from neurontriage.claims.endings import well
from neurontriage.claims.events import Reader
from neurontriage.claims.match import match
from neurontriage.claims.part import Part, Place
from neurontriage.claims.record import Joiner
from neurontriage.claims.sense import Senses
from neurontriage.claims.sessions import HANDLED
from neurontriage.claims.tries import BELOW
from neurontriage.facts.hlo_modules import Retries
from neurontriage.facts.runs import Openings
from neurontriage.lines.cut import Around, Cutter
from neurontriage.lines.flood import Repeats, name
from neurontriage.lines.remembered import RELIEF
from neurontriage.lines.templates import template
from neurontriage.lines.unfold import Unfolder
from neurontriage.model import Event, Line, Source
from neurontriage.read.slices import Slice

_LONG = 64 << 10
"""Bytes of a piece of a log after which it is asked what memory this process takes."""


class Log:
    """Reads one slice. What stands before and after it is read too, but counts for nothing."""

    def __init__(self, path: str, one: Slice, begin: Place, senses: Senses) -> None:
        self.path, self.slice, self.catalog = path, one, senses.catalog
        self.unfolder = Unfolder()
        self.lead = Unfolder().unfolded(one.lead)
        self.first = self.lead.count(b"\n") + 1
        self.last: int | None = None
        self.part = Part(Place(begin.all, self.first - 1), continues=one.continues)
        self.part.gathered.sessions.continues = one.continues
        self.bytes = self.lines = 0
        self.ends: list[tuple[int, str]] = []
        self.reader = Reader(senses, self.part.environment, modules=self.part.modules, above=begin.all - self.first + 1)
        self.joiner = Joiner(self.catalog.record)
        self.openings = Openings(self.lead, one.head)
        self._unread = frozenset[int]()
        self._asked: set[int] = set()

    def read(self) -> Part:
        """Go through all lines."""
        part, claims, retries = self.part, Claims(self.catalog, self.part.gathered), Retries()
        repeats = Repeats(self.catalog.sorts, self._lacks, lambda key: name(key) in claims.alike.differ)
        for event in self.joiner.join(self._followed(self.reader.read(self._lines(repeats)))):
            tried = retries.of(event)
            if self._inside(event.evidence.line):
                part.endings.read(event)
                claims.add(match(event, self.catalog), tried)
                claims.alike.forget(repeats.counted)
            elif event.evidence.line < self.first:
                if self.first - event.evidence.line <= BELOW:
                    claims.before(event)
            elif event.kind == HANDLED:
                claims.heard.aside(event)  # the last failure of this slice, too
        skipped = repeats.skipped()
        for event in self._above_end(skipped):
            claims.add(match(event, self.catalog))
        part.unparsed += sum(self.reader.odd.get(key, 0) * count for key, (count, _) in skipped.items())
        claims.close(self.path, skipped, ((line, name(template(text.encode()))) for line, text in reversed(self.ends)))
        for claim, last in claims.repeat(skipped):
            if well(claim.event):
                part.endings.seen(self.path, last)
        part.end = Place(part.begin.all + self.lines, self.first - 1 + self.lines)
        part.sources, part.goes_on = [Source(self.path, self.bytes, self.lines)], bool(self.slice.trail)
        part.folds = {self.path: self.unfolder.folds} if self.unfolder.folds else {}
        part.places = {self.path: self.slice.places} if self.slice.places else {}
        return part

    def _above_end(self, skipped: Container[str]) -> Iterator[Event]:
        """What stands right above the report of the end, and was not read, as no word of it speaks of a failure."""
        if self.slice.trail:
            return
        lines = above_end(self.ends, self._unread)
        found = (Line(self.path, n, text, template=name(template(text.encode())), wanted=True) for n, text in lines)
        events = self.reader.read(line for line in found if line.template not in skipped)
        yield from Joiner(self.catalog.record).join(events)

    def _followed(self, events: Iterable[tuple[Event, Line]]) -> Iterator[tuple[Event, Line]]:
        """The events of lines that are read; what is compiled is followed through all, also those only noted."""
        for event, line in events:
            if self._inside(line.number):
                self.part.modules.read(event)
                self.part.compiles.read(event)
            elif line.number < self.first:
                self.part.compiles.before(event)
            if not line.noted:
                yield event, line

    def _lines(self, repeats: Repeats) -> Iterator[Line]:
        """The lines to be read; those before and after the slice are neither counted nor do they count as unparsed."""
        cutter = Cutter(self.path, self.catalog.finder, self.catalog.patterns, repeats, self.slice.head)
        reader = self.reader
        for inside, lines in groupby(cutter.cut(self._blocks()), lambda line: self._inside(line.number)):
            yield from lines
            if inside:
                self.part.unparsed, self.part.examples = reader.unparsed, list(reader.examples)
            reader.unparsed, reader.examples = 0, []
        self.ends, self._unread = [one for one in cutter.tail() if self._inside(one[0])], cutter.unread()
        self.part.endings.told(self.path, self.ends)
        if typed := self.part.begins.typed:
            above = self.first - 1
            self.part.endings.typed[self.path] = [one._replace(line=one.line + above) for one in typed]
        self.part.endings.heads[self.path] = self.slice.head
        self.part.compiles.until(self.path, self.ends)

    def _lacks(self, hits: tuple[int, ...]) -> bool:
        """Whether lines with these hits may say something new of the environment, or are the first of their kind here.

        What was known before the slice is not known in it: its first line is read, as that of the whole log is.
        """
        asked = self.catalog.touched(hits).environment
        first = not self._asked.issuperset(asked)
        self._asked.update(asked)
        return first or self.part.environment.lacks(asked)

    def _inside(self, line: int) -> bool:
        return self.first <= line and (self.last is None or line <= self.last)

    def _blocks(self) -> Iterator[bytes]:
        if self.lead:
            yield Around(self.lead)
        ended = True
        for block in filter(None, self.slice.body):
            self.bytes += len(block)
            block = self.unfolder.unfolded(block, self.lines)
            self.openings.read(block, self.lines)
            self.lines += block.count(b"\n")
            ended, long = block.endswith(b"\n"), len(block) >= _LONG
            yield block
            if long:
                RELIEF.give()
        self.part.begins = self.openings.end(self.lines, self.slice.trail)
        if not ended:
            self.part.endings.broken_off(self.path)
            self.lines += 1
        self.last = self.first - 1 + self.lines
        if self.slice.trail:
            yield Around(Unfolder().unfolded(self.slice.trail))
