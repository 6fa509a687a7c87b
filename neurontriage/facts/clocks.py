"""Clocks of several logs against each other, told by what all print in step; only a sample of each is looked at.

Ranks of one job meet in every collective, so that they print the same step at nearly the same moment. Where a log's
times for the same steps are all off by the same amount, its clock is.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from neurontriage import stored
from neurontriage.expressions import expression
from neurontriage.model.many import Packed, in_columns
from neurontriage.parse.times import since_1970
from neurontriage.read.needles import Needles
from neurontriage.read.spooled import Laid

_HEAD, _TAIL = 8 << 10, 8 << 10
_HEAD_LINES, _TAIL_LINES = 8, 24
_STEP = expression(r"\b(?:global_)?(step|iter|iteration|epoch|batch)[ =:/#\]]{1,3}(\d{1,12})\b", re.IGNORECASE)
_STEPS, _GLOBAL = ("step", "iter", "epoch", "batch"), len("global_")
_TIME = expression(r"(\d{4}-(?:\d\d|[A-Z][a-z]{2})-\d\d[T ]\d\d:\d\d):(\d\d)(?:[.,](\d+))?")
# Behind a line feed, which is sooner found than the beginning of a line. A mere number before a colon may be an hour.
_RANK = expression(
    rb"\n(?:\([^()\n]{1,80}\) )?\[?(?:[Rr]ank[ :_]?|default|stdout|stderr|\d{1,4},(?:mpirank:)?|(?!\d{1,5}:\S))"
    rb"(\d{1,5})(?:,[\w.-]{1,40})?\]?(?:<\w{1,9}>)?:"
)
_WORLD = Needles(b"WORLD_SIZE", b"world_size", b"world size", b"nranks")
_SIZE = expression(rb"[\"']?[ =:]{1,3}(\d{1,6})\b")
_PACE = Needles(b"step_time", b"step time", b"iter_time", b"iteration_time", b"iteration time", b"batch_time")
_SECONDS = expression(rb"[\"']?[ =:]{1,3}(\d{1,9}(?:\.\d{1,9})?)")
_PACES = 64
_WINDOW, _LOOK = 64 << 10, 2 << 10
_LEAST_OFFSET = 0.05
_PLAIN_OFFSET = 2.0
_STEADY = 3.0
_FEW = 3
_SHORT = 10

Key = int
"""Stands for a text that others may print too: a step is negative."""


class Marks(NamedTuple):
    """What a log prints and others print too, with the times in seconds: in little room, for thousands of logs."""

    keys: Sequence[Any] = ()
    times: Sequence[float] = ()

    def items(self) -> Iterator[tuple[Any, float]]:
        """Each with its time."""
        return zip(self.keys, self.times, strict=True)


_NONE = Marks()


@dataclass(slots=True, eq=False, repr=False)
class Sample:
    """What a log showed of its ranks and its clock. `ranks`: rank of a prefix → the window that it was last in.

    `marks`: what others print too → when it was printed here first, in seconds. `last`: the last printed time; `lines`:
    how many lines there are, `progress`: the number of the last one on a step. `paces`: how long steps took, in the
    unit of the log, by rank of a prefix.
    """

    marks: Marks = _NONE
    steps: dict[str, int] = field(default_factory=dict)
    ranks: dict[int, int] = field(default_factory=dict)
    windows: int = 0
    world: int = 0
    size: int = 0
    last: float | None = None
    lines: int = 0
    progress: int = 0
    paces: Marks = _NONE
    _taken: dict[int | None, list[float]] | None = None

    def read(self, lines: Sequence[str], last: int, marks: dict[Key, float]) -> None:
        """Take what these lines print of steps and times, into `marks`, too; `last`: the number of the last of them."""
        for number, line in enumerate(lines, last - len(lines) + 1):
            found = _TIME.search(line, 0, 120)
            said = line[found.end() :].strip() if found else line
            step = _step(said)
            self.progress = number if step else self.progress
            if not found or (time := since_1970(*found.groups())) is None:
                continue
            self.last = time
            if step:
                name = step[1].lower()
                marks.setdefault(~_key(f"{name} {step[2]}"), time)
                self.steps[name] = max(self.steps.get(name, 0), int(step[2]))
            elif len(said) > _SHORT:
                marks.setdefault(_key(said[:120]), time)

    def window(self, block: bytes) -> None:
        """Take which ranks have lines in the last part of a block, and how many ranks there are."""
        self.windows += 1
        text = block[-_WINDOW:] if len(block) > _WINDOW else b"\n" + block
        if _RANK.search(text, 0, _LOOK) or _RANK.search(text, max(len(text) - _LOOK, 0)):
            for rank in set(_RANK.findall(text)):
                self.ranks[int(rank)] = self.windows
        for _, size in _values(text, _WORLD.within(block), _SIZE):
            self.world = max(self.world, int(size))
        for at, pace in _values(text, _PACE.within(block), _SECONDS):
            own = _RANK.match(text, text.rfind(b"\n", 0, at))
            self._pace(int(own[1]) if own else None, float(pace))

    def _pace(self, rank: int | None, pace: float) -> None:
        """Keep the last few."""
        if self._taken is None:
            self._taken = {}
        kept = self._taken.setdefault(rank, [])
        kept.append(pace)
        del kept[:-_PACES]

    def open(self) -> dict[Key, float]:
        """Let it take more; gives its marks, to be closed with."""
        self._taken = None
        for rank, pace in self.paces.items():
            self._pace(rank, pace)
        return dict(self.marks.items())

    def close(self, marks: Mapping[Key, float]) -> None:
        """Hold it in little room."""
        self.marks = Marks(array("q", marks), array("d", marks.values())) if marks else _NONE
        paces, self._taken = self._taken or {}, None
        ranks = tuple(rank for rank, some in paces.items() for _ in some)
        self.paces = Marks(ranks, array("d", chain.from_iterable(paces.values()))) if ranks else _NONE

    def take(self, later: Sample) -> None:
        """Take in what a later slice of the same log showed."""
        marks = {**dict(later.marks.items()), **self.open()}
        for name, step in later.steps.items():
            self.steps[name] = max(self.steps.get(name, 0), step)
        self.ranks |= {rank: self.windows + window for rank, window in later.ranks.items()}
        self.windows += later.windows
        self.world = max(self.world, later.world)
        self.size += later.size
        self.last = self.last if later.last is None else later.last
        self.progress = self.lines + later.progress if later.progress else self.progress
        self.lines += later.lines
        for rank, pace in later.paces.items():
            self._pace(rank, pace)
        self.close(marks)


def _key(text: str) -> Key:
    """What stands for a text in every process, in eight bytes: what logs have in common is few of many texts."""
    data = text.encode()
    return zlib.crc32(data) << 31 | zlib.adler32(data) >> 1


def _packed(one: Sample) -> bytes:
    """A sample that is closed, as bytes: those of thousands of logs are held."""
    marks = array("q", one.marks.keys).tobytes(), array("d", one.marks.times).tobytes()
    paces = one.paces.keys, array("d", one.paces.times).tobytes()
    numbers = one.windows, one.world, one.size, one.last, one.lines, one.progress
    return stored.packed((marks, paces, (one.steps, one.ranks, *numbers)))


def _unpacked(small: bytes) -> Sample:
    (keys, times), (ranks, paces), rest = stored.unpacked(small)
    marks = Marks(array("q", keys), array("d", times)) if keys else _NONE
    found = Sample(marks, *rest)
    found.paces = Marks(ranks, array("d", paces)) if ranks else _NONE
    return found


class Clocks:
    """Samples the logs of an incident while they go by."""

    def __init__(self) -> None:
        self.samples: MutableMapping[str, Sample] = {}

    def take(self, later: Mapping[str, Sample]) -> None:
        """Take in samples of logs, or of later slices of logs."""
        for path, sample in later.items():
            if path in self.samples:
                before = self.samples[path]
                before.take(sample)
                sample = before
            self._note(path, sample)

    def _note(self, path: str, sample: Sample) -> None:
        self.samples[path] = sample
        self.samples = in_columns(self.samples, lambda: Packed(_packed, _unpacked, Laid()))

    def watch(self, path: str, blocks: Iterable[bytes], continues: bool = False) -> Iterator[bytes]:
        """Pass the blocks of a log through, and take a sample of it. `continues`: they are not its first."""
        sample = self.samples.get(path) or Sample()
        tail, marks = b"", sample.open()
        for block in blocks:
            yield block
            if not sample.size and not continues:
                sample.read(_first(block[:_HEAD], _HEAD_LINES), 0, marks)
                sample.progress = 0
            sample.lines += block.count(b"\n")
            sample.window(block)
            sample.size += len(block)
            tail = (tail + block[-_TAIL:])[-_TAIL:]
            del block  # it is no longer held while the next one is read
        ended = tail.removesuffix(b"\n")
        sample.read(_last(ended, _TAIL_LINES), sample.lines + (len(ended) == len(tail)), marks)
        sample.close(marks)
        self._note(path, sample)

    def offsets(self) -> dict[str, float]:
        """By how many seconds each log's clock is ahead of the others (negative: behind); only where that is sure."""
        if len(self.samples) < 2:
            return {}
        found = {}
        references = _references(self._marks)
        for path, sample in self.samples.items() if references else ():
            offset = _offset(sample.marks, references)
            if offset:
                found[path] = offset
        return found

    def _marks(self) -> Iterator[Marks]:
        return (sample.marks for sample in self.samples.values() if sample.marks.keys)


def _references(logs: Callable[[], Iterator[Marks]]) -> dict[Key, float]:
    """For what at least half of the logs print: the median of their times."""
    from statistics import median

    sizes = [len(one.keys) for one in logs()]
    times = {key: array("d") for key in _often(logs(), 2 * sum(sizes) // max(len(sizes), 1) + 1)}
    for key, time in (mark for one in logs() for mark in one.items() if mark[0] in times):
        times[key].append(time)
    return {key: median(found) for key, found in times.items() if len(found) >= 2 and len(found) * 2 >= len(sizes)}


def _often(logs: Iterable[Marks], most: int) -> Iterable[Key]:
    """All that half of the logs print, and some of the rest (Misra and Gries): most texts are not held for long."""
    left: dict[Key, int] = {}
    for key in (key for one in logs for key in one.keys):
        if key in left or len(left) < most:
            left[key] = left.get(key, 0) + 1
        else:
            left = {other: count - 1 for other, count in left.items() if count > 1}
    return left


def _offset(marks: Marks, references: Mapping[Key, float]) -> float:
    """The median of a log's differences, if they agree with each other; 0 when they do not or when it is small."""
    from statistics import median

    in_step = [time - references[key] for key, time in marks.items() if key in references and key < 0]
    plain = [time - references[key] for key, time in marks.items() if key in references and key >= 0]
    differences, least = (in_step, _LEAST_OFFSET) if len(in_step) > 1 else (plain, _PLAIN_OFFSET)
    if len(differences) < (2 if in_step else _FEW):
        return 0.0
    middle = median(differences)
    spread = median(abs(one - middle) for one in differences)
    return round(middle, 3) if abs(middle) > max(least, _STEADY * spread) else 0.0


def _values(text: bytes, names: Iterable[bytes], value: re.Pattern[bytes]) -> Iterator[tuple[int, bytes]]:
    """(place, value) of what follows any of the names."""
    for name in names:
        at = text.find(name)
        while at >= 0:
            if found := value.match(text, at + len(name)):
                yield at, found[1]
            at = text.find(name, at + len(name))


def _step(said: str) -> re.Match[str] | None:
    """Where a line names a step: most do not, and are not searched, nor is what stands before the first such word."""
    lower = said.lower()
    if not ("step" in lower or "iter" in lower or "epoch" in lower or "batch" in lower):
        return None
    first = min(at for name in _STEPS if (at := lower.find(name)) >= 0)
    return _STEP.search(said, max(first - _GLOBAL, 0) if said.isascii() else 0)


def _first(text: bytes, most: int) -> list[str]:
    """The first lines of a text."""
    return text.decode("utf-8", "replace").split("\n", most)[:most]


def _last(text: bytes, most: int) -> list[str]:
    """The last lines of a text."""
    return text.decode("utf-8", "replace").rsplit("\n", most)[-most:]
