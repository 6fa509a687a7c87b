"""What a line is to the one who counts: its template, and by the patterns that touched it how many are to be read."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from neurontriage.lines.linear import compiled
from neurontriage.lines.prefix import strip

READ, READ_WORDS = 10, 2
MOST_TEMPLATES = 10_000
DIGITS = b"0123456789"
_LONGEST = 400
_RANKED = (b"[rank", b"rank")
_RANK = re.compile(rb"\[?rank ?\d+")

Hits = tuple[int, ...]
Piece = tuple[int, int, Hits]
"""Start and end of a line in a block, and the patterns that touched it."""


@dataclass(frozen=True)
class Sorts:
    """What the numbers of scan patterns stand for.

    `ordered`: their lines have a meaning by their order and are read every one; `stacks`: those of them that are lines
    of tracebacks. `words`: they only say that a line may be about a failure. `anchored`: the pattern that has to match
    where the payload starts, or the hit is none. `follow`: how many lines after the hit belong to it.
    """

    ordered: Collection[int] = ()
    words: Collection[int] = ()
    stacks: Collection[int] = ()
    anchored: Mapping[int, str] = field(default_factory=dict)
    follow: Sequence[int] = ()

    @cached_property
    def starts(self) -> dict[int, re.Pattern[str]]:
        """The anchored patterns, compiled."""
        return {number: compiled(text) for number, text in self.anchored.items()}


class Sight(NamedTuple):
    """What lines with certain hits are. `limit`: how many of a template are read; `stack`: a line of a traceback."""

    limit: float
    follow: int
    stack: bool
    anchored: Hits


class Sights:
    """What lines are by their hits, each looked up once. `known`: what was asked for so far."""

    def __init__(self, sorts: Sorts) -> None:
        self._sorts = sorts
        self._ordered, self._words, self._stacks = (frozenset(x) for x in (sorts.ordered, sorts.words, sorts.stacks))
        self.known: dict[Hits, Sight] = {}
        self._judged: dict[bytes, Sight] = {}

    def of(self, hits: Hits) -> Sight:
        """What lines with these hits are, if all hits are real."""
        known = self.known.get(hits)
        if known is None:
            few = READ_WORDS if self._words.issuperset(hits) else READ
            follow = max((self._sorts.follow[hit] for hit in hits), default=0)
            anchored = tuple(hit for hit in hits if hit in self._sorts.anchored)
            limit = few if self._ordered.isdisjoint(hits) else math.inf
            known = self.known[hits] = Sight(limit, follow, not self._stacks.isdisjoint(hits), anchored)
        return known

    def judged(self, raw: bytes, key: bytes, hits: Hits) -> Sight:
        """What a line is of which some hits count only at the start of the payload; a template is judged once."""
        known = self._judged.get(key)
        if known is None:
            text = strip(raw.decode("utf-8", "replace")).payload.strip()
            wrong = {hit for hit in self.of(hits).anchored if not self._sorts.starts[hit].match(text)}
            known = self.of(tuple(hit for hit in hits if hit not in wrong))
            if len(self._judged) < MOST_TEMPLATES:
                self._judged[key] = known
        return known


def template(raw: bytes) -> bytes:
    """A line without its digits, but with its rank, so that no rank is lost."""
    key = raw[:_LONGEST].translate(None, DIGITS)
    if raw.startswith(_RANKED) and (rank := _RANK.match(raw)):
        return rank.group() + b" " + key
    return key


def untouched(raw: bytes) -> bytes:
    """The template of a line in which no pattern was found: never that of a line in which one was."""
    return b"below " + template(raw)


def ranks(raw: bytes) -> bytes:
    """The ranks that lines name in front."""
    return b" ".join(_RANK.findall(raw)) if b"rank" in raw else b""
