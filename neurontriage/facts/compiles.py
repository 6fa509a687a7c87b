"""Events of an incident → compile statistics: seconds, cache hits, share of the time, and signs of what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.facts.hlo_modules import module_of
from neurontriage.facts.recompiles import FAMILY, MOST_EVIDENCE, Recompiles
from neurontriage.lines.prefix import strip
from neurontriage.model import CompileStatistics, Event, Evidence, Module
from neurontriage.parse.times import seconds

SHORTEST = 60.0
"""Seconds that a compilation is taken to last when its end is not printed."""
WAIT = 90.0
"""Seconds: the wrapper looks for a result once a minute; later than this, it does not see what is already there."""
_MOST_MODULES = 20_000
_STAMP = expression(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}(?:[.,]\d+)?")
_MOST_LOOSE, _MOST_TIMES = 1000, 64
_ENDS = ("passed", "failed", "failed_with")
Actor = tuple[str, int | None, str | None, str]
"""Who compiles: log, rank, host and process id."""


class Call(NamedTuple):
    """What somebody compiles: the line that calls the compiler, and from when to when, as far as it is known."""

    actor: Actor
    evidence: Evidence | None = None
    span: tuple[float, float] | None = None


@dataclass(slots=True, eq=False, repr=False)
class Work:
    """One module: who called the compiler for it, from when to when, when it was done, who still waited then.

    `first`, `more`: calls; most modules have one. `settled`: its end is known, `ended` says when it passed. `ends`,
    `waits`: what came before the first start or end.
    """

    first: Call | None = None
    more: dict[Actor, Call] | None = None
    ended: float | None = None
    late: tuple[float, tuple[Evidence, ...]] = (0.0, ())
    settled: bool = False
    ends: tuple[tuple[Actor, float], ...] = ()
    waits: tuple[tuple[float, Evidence], ...] = ()

    @property
    def calls(self) -> list[Call]:
        """All calls, in the order of the log."""
        return [*([self.first] if self.first else ()), *(self.more or {}).values()]

    def _of(self, actor: Actor) -> Call:
        """What is known of somebody's call."""
        if self.first is not None and self.first.actor == actor:
            return self.first
        return (self.more or {}).get(actor) or Call(actor)

    def call(self, one: Call) -> None:
        """Somebody calls the compiler. The line of the first call counts, and the time of the last."""
        known = self._of(one.actor)
        new = Call(one.actor, known.evidence or one.evidence, one.span or known.span)
        if self.first is None or self.first.actor == one.actor:
            self.first = new
        else:
            self.more = self.more or {}
            self.more[one.actor] = new

    def end(self, actor: Actor, time: float) -> tuple[float, float] | None:
        """Somebody's compilation ends: from when to when it lasted; None while its start is not known."""
        if (span := self._of(actor).span) is None:
            self.ends = (*self.ends, (actor, time))[:_MOST_LOOSE]
            return None
        span = span[0], time
        self.call(Call(actor, None, span))
        return span

    def wait(self, time: float, evidence: Evidence) -> None:
        """Somebody waits for it; late, when it was done long before."""
        if not self.settled:
            self.waits = (*self.waits, (time, evidence))[:_MOST_LOOSE]
        elif self.ended is not None and time - self.ended > WAIT:
            self.late = (max(self.late[0], time - self.ended), (*self.late[1], evidence)[:MOST_EVIDENCE])

    def take(self, later: Work) -> Iterator[tuple[float, float]]:
        """Take in a later part of the incident; gives the times of what began before it and ends in it."""
        yield from filter(None, [self.end(actor, time) for actor, time in later.ends])
        for time, evidence in later.waits:
            self.wait(time, evidence)
        for one in later.calls:
            self.call(one)
        if later.settled:
            self.ended, self.settled = later.ended, True
        self.late = (max(self.late[0], later.late[0]), (*self.late[1], *later.late[1])[:MOST_EVIDENCE])

    def move(self, moved: Callable[[Evidence], Evidence]) -> None:
        """Give every line its place in the incident."""
        calls, self.first, self.more = self.calls, None, None
        for one in calls:
            self.call(one._replace(evidence=one.evidence and moved(one.evidence)))
        self.waits = tuple((time, moved(one)) for time, one in self.waits)
        self.late = self.late[0], tuple(map(moved, self.late[1]))

    def side_by_side(self) -> list[Evidence]:
        """The lines of those who compiled it while somebody else did: with one cache for all, others had waited."""
        spans = [(one.evidence, one.span) for one in self.calls if one.evidence and one.span]
        if len(spans) < 2:
            return []
        return [
            line
            for line, (start, end) in spans
            if any(other is not line and start < last and first < end for other, (first, last) in spans)
        ]


@dataclass(eq=False, repr=False)
class Compiles:
    """Follows the compile wrapper and the debug output of frameworks through an incident.

    `times`: the first and the last time that each log prints in an event, `below`: in its last lines, from the line of
    the last such event (`timed`) on; `past`: the seconds of logs before these.
    """

    debug: Recompiles = field(default_factory=Recompiles)
    work: dict[str, Work] = field(default_factory=dict)
    intervals: list[tuple[float, float]] = field(default_factory=list)
    times: dict[str, list[str]] = field(default_factory=dict)
    below: dict[str, tuple[str, str]] = field(default_factory=dict)
    past: float = 0.0
    jobs: list[tuple[float, str]] = field(default_factory=list)
    timed: dict[str, int] = field(default_factory=dict)

    def read(self, event: Event) -> None:
        """Take up one event; the order is that of the log."""
        if event.family == FAMILY:
            self.debug.read(event)
        if text := event.evidence.time:
            self.times.setdefault(event.evidence.path, [text, text])[1] = text  # read when they are asked for
            self.timed[event.evidence.path] = event.evidence.line
        if event.family == "neuron_cc_wrapper" and event.kind in ("call", *_ENDS, "waiting"):
            self._wrapper(event, seconds(event.fields.get("time")))
        elif (event.family, event.kind) == (FAMILY, "finished") and len(self.jobs) < _MOST_MODULES:
            self._job(event.fields["job"], float(event.fields["took"]), seconds(event.evidence.time))

    def until(self, path: str, tail: Iterable[tuple[int, str]]) -> None:
        """Note the last time that a log prints, in a line that may have been only counted."""
        timed = self.timed.get(path, 0)
        lines = [text for line, text in tail if line >= timed]
        if first := next(filter(None, map(_stamp, lines)), None):
            self.below[path] = first, next(filter(None, map(_stamp, reversed(lines))), first)

    def before(self, event: Event) -> None:
        """Take up an event that stands before what is read here: what goes on after it is understood by it."""
        self.debug.read(event, counted=False)

    def _job(self, name: str, took: float, ended: float | None) -> None:
        """Several modules that were compiled side by side, timed by the library that compiled them."""
        self.jobs.append((took, name))
        if ended is not None:
            self.intervals.append((ended - took, ended))

    def _wrapper(self, event: Event, time: float | None) -> None:
        name = module_of(event)
        if not name or (name not in self.work and len(self.work) >= _MOST_MODULES):
            return
        work, evidence = self.work.setdefault(name, Work()), event.evidence
        actor = _actor(evidence.path, evidence.rank, event.host, event.fields.get("pid", ""))
        if event.kind == "call":
            work.call(Call(actor, evidence, None if time is None else (time, time + SHORTEST)))
        elif event.kind in _ENDS and time is not None:
            work.ended, work.settled = (time if event.kind == "passed" else None), True
            self.intervals += filter(None, [work.end(actor, time)])
        elif event.kind == "waiting" and time is not None:
            work.wait(time, evidence)

    def take(self, later: Compiles, works: Iterable[tuple[str, Work]]) -> None:
        """Take in what a later part of the incident says about compiling."""
        self.debug.take(later.debug)
        self.past += later.past
        for path, (first, last) in later.times.items():
            self.times.setdefault(path, [first, last])[1] = last
            self.below.pop(path, None)
        for path, (first, last) in later.below.items():
            self.below[path] = self.below.get(path, (first, last))[0], last
        while len(held := self.times if len(self.times) > _MOST_TIMES else self.below) > _MOST_TIMES:
            path = next(iter(held))
            self.past += self._span(path)
            self.times.pop(path, None)
            self.below.pop(path, None)
        for module, work in works:
            if module in self.work:
                self.intervals += self.work[module].take(work)
            elif len(self.work) < _MOST_MODULES:
                self.work[module] = work
        self.intervals += later.intervals
        self.jobs = [*self.jobs, *later.jobs][:_MOST_MODULES]

    def _span(self, path: str) -> float:
        """Seconds between the first and the last time of a log, 0 where they cannot be read."""
        times, below = self.times.get(path), self.below.get(path)
        first, last = seconds((times or below or ("",))[0]), seconds((below or times or ("",))[-1])
        return max(0.0, last - first) if first is not None and last is not None else 0.0

    def move(self, moved: Callable[[Evidence], Evidence]) -> None:
        """Give every line its place in the incident."""
        self.debug.move(moved)
        for work in self.work.values():
            work.move(moved)

    def statistics(self, modules: Iterable[Module]) -> CompileStatistics | None:
        """What the log says about compiling; None when it says nothing."""
        listed = list(modules)
        recompilations = self.debug.found()
        if not listed and not recompilations and not self.jobs:
            return None
        timed = sorted([*self.jobs, *((m.seconds, m.module) for m in listed if m.seconds is not None)])
        busy, span = _union(self.intervals), sum(map(self._span, {**self.times, **self.below}), self.past)
        return CompileStatistics(
            compiled=sum(m.status == "passed" for m in listed),
            failed=sum(m.status == "failed" for m in listed),
            cached=sum(m.status == "cached" for m in listed),
            seconds=round(sum(s for s, _ in timed), 3) if timed else None,
            longest=timed[-1][1] if timed else None,
            longest_seconds=timed[-1][0] if timed else None,
            share=round(min(1.0, busy / span), 3) if busy and span else None,
            recompilations=recompilations,
        )

    def signs(self) -> Iterator[Event]:
        """Events of kinds that knowledge entries explain, with the lines that prove them."""
        yield from self.debug.signs()
        for module, work in self.work.items():
            if found := work.side_by_side():
                yield from _events("cold", {"module": module, "count": str(len(found))}, found[:MOST_EVIDENCE])
            if work.late[1]:
                yield from _events("slow", {"module": module, "seconds": f"{work.late[0]:.0f}"}, work.late[1])


@lru_cache(maxsize=256)
def _stamp(text: str) -> str | None:
    """The time that a line begins with, or that its launcher put there."""
    prefix = strip(text)
    found = _STAMP.match(prefix.payload) if prefix.time is None else None
    return found[0] if found else prefix.time


def _actor(path: str, rank: int | None, host: str | None, pid: str) -> Actor:
    """Each is kept once: few of them compile thousands of modules."""
    return path, rank, host, pid


def _events(kind: str, fields: dict[str, str], evidence: Iterable[Evidence]) -> Iterator[Event]:
    for one in evidence:
        yield Event(FAMILY, kind, dict(fields), one)


def _union(intervals: Iterable[tuple[float, float]]) -> float:
    """Seconds in which at least one compilation ran."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(intervals):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total
