"""Logs of an incident → claims, and what the logs print about themselves: log by log, or from parts read elsewhere."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping

from neurontriage.claims.aside import brought_back, packed, put_aside, unpacked
from neurontriage.claims.claim import Claim
from neurontriage.claims.collect import Claims, Gathered
from neurontriage.claims.endings import End, Process
from neurontriage.claims.log import Log
from neurontriage.claims.match import match
from neurontriage.claims.part import FIRST, Part, Place
from neurontriage.claims.placed import begins
from neurontriage.claims.sense import Senses
from neurontriage.claims.sessions import Key
from neurontriage.claims.tails import packed_tail, unpacked_tail
from neurontriage.facts.compiles import Work
from neurontriage.facts.hlo_modules import Modules
from neurontriage.facts.runs import Begins
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.allocated import give_back
from neurontriage.lines.arranged import arranged
from neurontriage.lines.folds import Folds
from neurontriage.lines.remembered import forget
from neurontriage.model import Course, Source, Unparsed
from neurontriage.model.many import MANY, Packed, Rows, in_columns
from neurontriage.read.slices import Slice, sliced
from neurontriage.read.spooled import Laid

_SHOWN = 5


class Reading:
    """What has been read of an incident so far. `part`: all of it, as one part of a larger incident.

    `harmless`: keys of claims that are known to fail nothing, since good runs make them too.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.catalog, self.part = catalog, Part()
        self._claims = Claims(catalog, self.part.gathered)
        self.harmless: frozenset[tuple[str, ...]] = frozenset()
        self._senses = Senses(catalog)
        self._aside: tuple[list[bytes], list[bytes], bytes] = [], [], b""

    def read(self, path: str, content: Iterable[bytes]) -> None:
        """Add one log."""
        for one in sliced(arranged(content)):
            self.take(self.part_of(path, one, self.part.end))

    def go_on(self, path: str, line: int) -> None:
        """Let the parts that are taken next be those of a log from this line (from 1) on."""
        self.part.sources = [Source(path, 0, line - 1)]
        self.part.end = Place(self.part.end.all, line - 1)

    def part_of(self, path: str, one: Slice, begin: Place = FIRST) -> Part:
        """A log, or a slice of one, for itself; it is not added. `begin`: where it will be, if that is known."""
        return Log(path, one, begin, self._senses).read()

    def take(self, part: Part) -> None:
        """Add the part of the incident that comes next; it belongs to this reading from now on."""
        mine = self.part
        part.follow(mine)
        self._sources(part)
        mine.end = Place(part.end.all, mine.sources[-1].lines)
        later, work = self._in_turn(part)
        self._claims.take(part.gathered, later)
        mine.modules.take(part.modules)
        mine.compiles.take(part.compiles, work)
        mine.environment.take(part.environment)
        mine.endings.take(part.endings)
        mine.unparsed += part.unparsed
        mine.examples = [*mine.examples, *part.examples][:_SHOWN]
        if len(mine.sources) >= MANY:
            self._in_columns()

    def _in_columns(self) -> None:
        """Hold what is known of each log in less room."""
        gathered, ends = self.part.gathered, self.part.endings
        gathered.times = in_columns(gathered.times, lambda: array("d"))
        gathered.tails.of = in_columns(gathered.tails.of, lambda: Packed(packed_tail, unpacked_tail, Laid()))
        ends.ends = in_columns(ends.ends, lambda: Rows(End._make, array("q"), array("b"), array("b")))

    def take_slice(self, part: Part) -> None:
        """Take the part that comes next, and give back what memory it has left where it is a slice of a long log."""
        if part.continues or part.goes_on:
            forget(patterns=True)  # what is known so far and what is taken in are needed at once
        self.take(part)
        if part.goes_on:
            self.rest()
            give_back()

    def read_through(self) -> None:
        """Give back what only the reading of a long log needed: all is read, and will be concluded."""
        forget(patterns=True)
        give_back()

    def rest(self) -> None:
        """Let what is known so far take less memory until the next part is taken, or all is concluded."""
        modules, self.part.modules = packed(self.part.modules), Modules()
        self._aside = put_aside(self.part.gathered.found), put_aside(self.part.compiles.work), modules

    def _woken(self) -> None:
        claims, work, modules = self._aside
        self.part.gathered.found.update(brought_back(claims))
        self.part.compiles.work.update(brought_back(work))
        if modules:
            self.part.modules = unpacked(modules)
        self._aside = [], [], b""

    def _in_turn(self, part: Part) -> tuple[Iterable[tuple[Key, Claim]], Iterable[tuple[str, Work]]]:
        """The claims and the compilations of a part; packed until they are asked for, where the others have been."""
        found, work = part.gathered.found, part.compiles.work
        if not any(self._aside):
            return found.items(), work.items()
        later = put_aside(found), put_aside(work)
        self._woken()
        return brought_back(later[0]), brought_back(later[1])

    def let_go(self) -> None:
        """Forget what the logs say, now that it is concluded; how long they are and where they begin again stays."""
        self.part.gathered = Gathered()
        self._claims = Claims(self.catalog, self.part.gathered)
        self._senses = Senses(self.catalog)

    def _sources(self, part: Part) -> None:
        mine, first = self.part.sources, part.sources[0]
        self.part.places.update(part.places)
        for path, folds in part.folds.items():
            above = mine[-1].lines if part.continues and mine and path == first.path else 0
            self.part.folds.setdefault(path, Folds()).take(folds, above)
        if part.continues and mine:
            if len(part.sources) == 1:
                self.part.begins.take(part.begins, mine[-1].lines)
            else:
                self.part.begins = part.begins
            mine[-1] = Source(first.path, mine[-1].bytes + first.bytes, mine[-1].lines + first.lines)
            mine += part.sources[1:]
        else:
            self.part.begins = part.begins
            if not mine:
                self.part.continues = self.part.gathered.sessions.continues = part.continues
            mine += part.sources

    @property
    def begins(self) -> Begins:
        """Where the last log begins again, in the numbers of its lines."""
        folds = self.part.folds.get(self.part.sources[-1].path) if self.part.folds else None
        return begins(self.part.begins, folds)

    @property
    def lines(self) -> int:
        """How many lines all logs have."""
        return sum(source.lines for source in self.part.sources)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, for the reader."""
        over, left = self.part.gathered.passed_over, self.part.modules.left
        weighed = (f"{over:,} more lines with words of failure were counted, not weighed",) if over else ()
        followed = (f"{left:,} more lines tell of modules beyond those that are followed",) if left else ()
        return (*weighed, *followed)

    @property
    def unparsed(self) -> Unparsed:
        """How many lines looked like a family but did not parse, and a few of them."""
        return Unparsed(self.part.unparsed, tuple(self.part.examples))

    @property
    def courses(self) -> dict[str, Course]:
        """How each log went."""
        endings, tails = self.part.endings, self.part.gathered.tails
        return {
            one.path: Course(
                one.lines,
                tails.told(one.path),
                one.path in endings.ends and endings.ends[one.path].whole,
                tuple(endings.last.get(one.path, ())),
                endings.heads.get(one.path, b"").decode("utf-8", "replace"),
                tuple(endings.typed.get(one.path, ())),
            )
            for one in self.part.sources
        }

    @property
    def done(self) -> Mapping[Process, int]:
        """Where processes said last that all was done."""
        return self.part.endings.done

    @property
    def ended_well(self) -> bool:
        """Whether something known ran and nothing was left in the middle of its work."""
        return self.part.endings.well(self.part.sources) and not self.running

    @property
    def running(self) -> bool:
        """Whether a module is left in the middle of its compilation."""
        return any(module.status == "running" for module in self.part.modules.found())

    def claims(self) -> list[Claim]:
        """All claims, in the order of the log; to be asked once, when everything is read."""
        self._woken()
        for sign in self.part.compiles.signs():
            self._claims.add(match(sign, self.catalog))
        self._claims.recover(self.part.modules.tried())
        lengths = {one.path: one.lines for one in self.part.sources}
        return [self._calmed(one) for one in self._claims.listed(self._known(), lengths)]

    def _known(self) -> Mapping[str, str]:
        return self.catalog.releases.known(self.part.environment.values())

    def _calmed(self, claim: Claim) -> Claim:
        """What is said to be harmless fails nothing."""
        if claim.key in self.harmless:
            claim.severity = "benign"
        return claim
