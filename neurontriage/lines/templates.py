"""What a line is to the one who counts: its template and rank, and by the patterns in it how many of it are read."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.lines.linear import compiled
from neurontriage.lines.prefix import strip
from neurontriage.lines.streams import unmarked

READ, READ_NUMBERS, READ_TRIES, READ_WORDS, READ_MARKS = 4, 10, 100, 2, 1
"""How many lines of a template are read: of what may fail; where the numbers in them make other findings of them; where
they count tries; of what has words of failure only; of what went well."""
MOST_TEMPLATES, MOST_WORDINGS, MOST_MARKS = 10_000, 10, 5
DIGITS = b"0123456789"
_LONGEST, _FEW_RANKS = 400, 8
RANKED = (b"[rank", b"rank")
_RANK = expression(rb"\[?rank ?\d+")
# A bar of progress and what it counts, to the end of its line: it says the same however far it is.
_BAR = expression(rb"[ \d]{0,8}%\|[^|]{0,250}\| ?[^|\[\]]{1,60}\[[^\]]{0,120}\]\S{0,3}\s*$")
# How the template begins of what a pass of the compiler is informed of; its driver and its jobs tell what others said.
_PASS = expression(rb"--T::Z (?:INFO|DEBUG) {1,3}(?:\([a-z/]{1,9}\) )?\[(?!root\]|job\.|neuronxcc)")

BELOW, NOTED = -1, -2
"""In place of how many lines after it belong to a line: it may belong to one above it; it says how far something is."""

Hits = tuple[int, ...]
Piece = tuple[int, int, Hits, bytes]
"""Start and end of a line in a block, the patterns that touched it, and its template."""


@dataclass(frozen=True)
class Sorts:
    """What the numbers of scan patterns stand for.

    `ordered`: their lines have a meaning by their order and are read every one; `stacks`: those of them that are lines
    of tracebacks. `words`: they only say that a line may be about a failure; `marks`: only that something went well or
    how far it got; `facts`: only what it runs on; `mild`: an entry knows their lines as no failure, whatever the log.
    `courses`: they say how far each of many things is, so that those that are only counted are noted all the same.
    `anchored`: the pattern that has to match where the payload starts, or the hit is none. `follow`: how many lines
    after the hit belong to it.
    """

    ordered: Collection[int] = ()
    words: Collection[int] = ()
    marks: Collection[int] = ()
    facts: Collection[int] = ()
    mild: Collection[int] = ()
    stacks: Collection[int] = ()
    courses: Collection[int] = ()
    anchored: Mapping[int, str] = field(default_factory=dict)
    follow: Sequence[int] = ()

    @cached_property
    def sights(self) -> Sights:
        """What lines are by their hits, for all logs."""
        return Sights(self)

    @cached_property
    def starts(self) -> dict[int, re.Pattern[str]]:
        """The anchored patterns, compiled."""
        return {number: compiled(text) for number, text in self.anchored.items()}


class Sight(NamedTuple):
    """What lines with certain hits are. `limit`: how many of a template are read; `stack`: a line of a traceback;
    `plain`: nothing else. `follow`: how many lines after it belong to one; BELOW of what is calm and has none.

    `wordings`: of how many templates, of all lines with these hits; `calm`: they fail nothing, but may go on with what
    did; `noted`: those that are only counted are noted; `facts`: they only say what the program runs on.
    """

    limit: float
    follow: int
    stack: bool
    plain: bool
    anchored: Hits
    wordings: float
    calm: bool
    noted: bool
    facts: bool


class Sights:
    """What lines are by their hits, each looked up once. `known`: what was asked for lately."""

    def __init__(self, sorts: Sorts) -> None:
        self._sorts = sorts
        self._ordered, self._stacks, self._mild = (frozenset(x) for x in (sorts.ordered, sorts.stacks, sorts.mild))
        self._marks, self._courses = frozenset(sorts.marks), frozenset(sorts.courses)
        self._facts = frozenset(sorts.facts)
        self._told = self._marks | self._facts
        self._words = frozenset(sorts.words).union(sorts.facts)
        self._plain = self._stacks | (self._words - self._ordered)
        self.known: dict[Hits, Sight] = {}
        self._judged: dict[tuple[bytes, Hits], Sight] = {}

    def of(self, hits: Hits) -> Sight:
        """What lines with these hits are, if all hits are real."""
        known = self.known.get(hits)
        if known is None:
            few = READ_MARKS if self._marks.issuperset(hits) else READ_WORDS if self._words.issuperset(hits) else READ
            follows = max((self._sorts.follow[hit] for hit in hits), default=0)
            anchored = tuple(hit for hit in hits if hit in self._sorts.anchored)
            limit = few if self._ordered.isdisjoint(hits) else math.inf
            if len(self.known) >= MOST_TEMPLATES:
                self.known.clear()
            stack, plain = not self._stacks.isdisjoint(hits), self._plain.issuperset(hits)
            wordings = self._wordings(hits)
            calm = wordings is not math.inf and not self._marks.issuperset(hits)
            noted = not self._courses.isdisjoint(hits)
            facts = bool(hits) and self._facts.issuperset(hits)
            follow = follows or (BELOW if calm else 0)
            known = self.known[hits] = Sight(limit, follow, stack, plain, anchored, wordings, calm, noted, facts)
        return known

    def _wordings(self, hits: Hits) -> float:
        """Of how many templates lines are read: of what fails nothing all are counted, and few are shown."""
        if self._marks.issuperset(hits):
            return MOST_MARKS
        if self._told.issuperset(hits):
            return MOST_WORDINGS
        mild = not self._mild.isdisjoint(hits) and all(hit in self._mild or hit in self._words for hit in hits)
        return MOST_WORDINGS if mild else math.inf

    def judged(self, raw: bytes, key: bytes, hits: Hits) -> Sight:
        """What a line is of which some hits count only at the start of the payload; a template is judged once."""
        known = self._judged.get((key, hits))
        if known is None:
            text, own = unmarked(raw.decode("utf-8", "replace"))
            text = strip(text, own).payload.strip()
            wrong = {hit for hit in self.of(hits).anchored if not self._sorts.starts[hit].match(text)}
            known = self.of(tuple(hit for hit in hits if hit not in wrong))
            if len(self._judged) >= MOST_TEMPLATES:
                self._judged.clear()
            self._judged[key, hits] = known
        return known


def template(raw: bytes) -> bytes:
    """A line without its digits: what lines that differ in numbers have in common, whatever rank prints them.

    >>> template(b"shards:  50%|##  | 2/4 [00:02<00:02, 1.1it/s]") == template(b"shards: 100%|####| 4/4 [00:04<00:00]")
    True
    """
    raw = raw[:_LONGEST]
    return (_BAR.sub(b"%|", raw) if b"%|" in raw else raw).translate(None, DIGITS)


def told_by_pass(key: bytes) -> bool:
    """Whether lines of a template are only information of one of a compiler's many passes.

    >>> told_by_pass(template(b"2026-04-22T06:44:09Z INFO 1975 (nc00/sg00) [Unroll]: 0 errors in sg0000"))
    True
    """
    return _PASS.match(key) is not None


def rank(text: bytes, start: int, end: int) -> bytes:
    """The rank that a line of a text names in front; empty where it names none."""
    found = _RANK.match(text, start, end)
    return found[0] if found else b""


@lru_cache(maxsize=1024)
def _one(ranks: bytes) -> bytes:
    """The same, held once: each rank prints many things."""
    return ranks


def _joined(known: set[bytes] | tuple[bytes, ...], one: bytes) -> set[bytes] | tuple[bytes, ...]:
    """What is known with one more; a set takes four times as much memory, and most templates have few ranks or none."""
    if isinstance(known, set):
        known.add(one)
        return known
    if one in known:
        return known
    return (*known, one) if len(known) < _FEW_RANKS else {*known, one}


def untouched(raw: bytes) -> bytes:
    """The template of a line in which no pattern was found: never that of a line in which one was."""
    return b"below " + template(raw)


def ranks(raw: bytes) -> bytes:
    """The ranks that lines name in front."""
    return b" ".join(_RANK.findall(raw)) if b"rank" in raw else b""


@dataclass(slots=True, eq=False, repr=False)
class Tally:
    """What comes again and again: it was `seen` so often, of which it was only counted `count` times.

    `place`: where the last one that was only counted starts in the block, -1 in none; `last`: its line. `ranks`: who
    printed it. `calm`: as a Sight is.
    """

    seen: int = 0
    count: int = 0
    place: int = -1
    last: int = 0
    ranks: set[bytes] | tuple[bytes, ...] = ()
    calm: bool = False

    def reads(self, limit: float, ranks: bytes, place: int) -> bool:
        """Whether one more is read: the first few are, and the first of every rank; it is counted if not."""
        self.seen += 1
        if self.seen <= limit:
            read = True
        else:
            read = bool(ranks) and ranks not in self.ranks and len(self.ranks) < MOST_TEMPLATES
        if ranks and read:
            self.ranks = _joined(self.ranks, _one(ranks))
        if not read:
            self.count += 1
            self.place = max(self.place, place)  # others of its kind may have been counted already
        return read
