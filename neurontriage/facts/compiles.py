"""Events of an incident → compile statistics: seconds, cache hits, share of the time, and signs of what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from neurontriage.facts.recompiles import FAMILY, MOST_EVIDENCE, Recompiles
from neurontriage.model import CompileStatistics, Event, Evidence, Module
from neurontriage.parse.times import seconds

SHORTEST = 60.0
"""Seconds that a compilation is taken to last when its end is not printed."""
WAIT = 90.0
"""Seconds: the wrapper looks for a result once a minute; later than this, it does not see what is already there."""
_MOST_MODULES = 20_000
_ENDS = ("passed", "failed", "failed_with")
_MODULE = re.compile(r"MODULE_[0-9A-Za-z]+(?:\+[0-9a-f]{4,})?")
Actor = tuple[str, int | None, str | None, str]
"""Who compiles: log, rank, host and process id."""


@dataclass
class _Work:
    """One module: who called the compiler for it, from when to when, when it was done, who still waited then."""

    calls: dict[Actor, Evidence] = field(default_factory=dict)
    times: dict[Actor, tuple[float, float]] = field(default_factory=dict)
    ended: float | None = None
    late: tuple[float, list[Evidence]] = (0.0, [])

    def side_by_side(self) -> list[Actor]:
        """Who compiled it while somebody else did: with one cache for all, the others would have waited."""
        spans = list(self.times.items())
        return [
            one
            for one, (start, end) in spans
            if any(other != one and start < last and first < end for other, (first, last) in spans)
        ]


@dataclass
class Compiles:
    """Follows the compile wrapper and the debug output of frameworks through an incident."""

    debug: Recompiles = field(default_factory=Recompiles)
    work: dict[str, _Work] = field(default_factory=dict)
    intervals: list[tuple[float, float]] = field(default_factory=list)
    times: dict[str, list[str]] = field(default_factory=dict)
    jobs: list[tuple[float, str]] = field(default_factory=list)

    def read(self, event: Event) -> None:
        """Take up one event; the order is that of the log."""
        self.debug.read(event)
        if text := event.evidence.time:
            self.times.setdefault(event.evidence.path, [text, text])[1] = text  # read when they are asked for
        if event.family == "neuron_cc_wrapper" and event.kind in ("call", *_ENDS, "waiting"):
            self._wrapper(event, seconds(event.fields.get("time")))
        elif (event.family, event.kind) == (FAMILY, "finished") and len(self.jobs) < _MOST_MODULES:
            self._job(event.fields["job"], float(event.fields["took"]), seconds(event.evidence.time))

    def _job(self, name: str, took: float, ended: float | None) -> None:
        """Several modules that were compiled side by side, timed by the library that compiled them."""
        self.jobs.append((took, name))
        if ended is not None:
            self.intervals.append((ended - took, ended))

    def _wrapper(self, event: Event, time: float | None) -> None:
        named = _MODULE.search(" ".join(event.fields.get(n, "") for n in ("module", "module_file", "path", "command")))
        if named is None or (named.group() not in self.work and len(self.work) >= _MOST_MODULES):
            return
        work, evidence = self.work.setdefault(named.group(), _Work()), event.evidence
        actor = (evidence.path, evidence.rank, event.host, event.fields.get("pid", ""))
        if event.kind == "call":
            work.calls.setdefault(actor, evidence)
            if time is not None:
                work.times[actor] = (time, time + SHORTEST)
        elif event.kind in _ENDS and time is not None:
            work.ended = time if event.kind == "passed" else None
            if actor in work.times:
                work.times[actor] = (work.times[actor][0], time)
                self.intervals.append(work.times[actor])
        elif event.kind == "waiting" and time is not None and work.ended is not None and time - work.ended > WAIT:
            work.late = (max(work.late[0], time - work.ended), [*work.late[1], evidence][:MOST_EVIDENCE])

    def statistics(self, modules: Iterable[Module]) -> CompileStatistics | None:
        """What the log says about compiling; None when it says nothing."""
        listed = list(modules)
        recompilations = self.debug.found()
        if not listed and not recompilations and not self.jobs:
            return None
        timed = sorted([*self.jobs, *((m.seconds, m.module) for m in listed if m.seconds is not None)])
        busy, span = _union(self.intervals), sum(map(_span, self.times.values()))
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
            if actors := work.side_by_side():
                evidence = [work.calls[actor] for actor in actors[:MOST_EVIDENCE]]
                yield from _events("cold", {"module": module, "count": str(len(actors))}, evidence)
            if work.late[1]:
                yield from _events("slow", {"module": module, "seconds": f"{work.late[0]:.0f}"}, work.late[1])


def _span(times: list[str]) -> float:
    """Seconds between the first and the last time of a log, 0 where they cannot be read."""
    first, last = map(seconds, times)
    return max(0.0, last - first) if first is not None and last is not None else 0.0


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
