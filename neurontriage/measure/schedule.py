"""The order of work in one process: start-up, synchronisation baseline, first runs, warm-up, interleaved trials."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from neurontriage.measure import trial
from neurontriage.measure.device import Device, Program
from neurontriage.measure.plan import Key, Plan

Record = dict[str, Any]
Emit = Callable[[Record], None]
Programs = Callable[[], Iterable[Program]]
BASELINES = 50
"""Empty synchronisations per process."""
WINDOW, TOLERANCE, PATIENCE = 3, 0.1, 4
"""Warm: the last WINDOW runs lie within TOLERANCE of their median; given up after PATIENCE times the asked runs."""


def start(device: Device, emit: Emit) -> None:
    """Initialises the device and does everything once that only the first user of a process pays for."""
    marks = [device.now()]
    for step in (device.open, device.transfer):
        step()
        marks.append(device.now())
    trivial = device.trivial()
    first, again = trial.run(device, trivial), trial.run(device, trivial)
    emit(
        {
            "kind": "start",
            "device_initialization": marks[1] - marks[0],
            "first_transfer": marks[2] - marks[1],
            "first_graph": first.seconds,
            "first_use": max(0.0, first.seconds - first.counted.compile_seconds - again.seconds),
        }
    )


def baseline(device: Device, emit: Emit) -> None:
    """What an empty synchronisation costs, with the wait for the device."""
    seconds = []
    for _ in range(BASELINES):
        began = device.now()
        device.cut(())
        device.wait()
        seconds.append(device.now() - began)
    emit({"kind": "baseline", "seconds": seconds})


def measure(device: Device, programs: Programs, plan: Plan, order: random.Random, emit: Emit) -> None:
    """All combinations of one process; every step goes through all of them, so that drift favours none.

    `programs` builds them: moving their weights to the device is timed apart.
    """
    began = device.now()
    run = _Run(device, {program.key: program for program in programs()}, plan, order, emit)
    device.cut(())  # what building the programs left pending belongs to none of them
    device.wait()
    emit({"kind": "built", "seconds": device.now() - began})
    for program in run.round():
        run.begin(program)
        run.one(program, "first", 0, cold=True)
    for program in run.round():
        run.warm(program)
    for number in range(plan.trials):
        for program in run.round():
            run.one(program, "settling", number)  # the run before it was of another pattern
            run.one(program, "steady", number)
    for program in run.round():
        run.inspect(program)
    emit({"kind": "end"})


@dataclass
class _Run:
    device: Device
    programs: dict[Key, Program]
    plan: Plan
    order: random.Random
    emit: Emit
    failed: set[Key] = field(default_factory=set)

    def round(self) -> Iterator[Program]:
        """All programs that still work, in a new order."""
        keys = list(self.programs)
        self.order.shuffle(keys)
        yield from (self.programs[key] for key in keys if key not in self.failed)

    def begin(self, program: Program) -> None:
        """Says what comes next: if the process dies of it, the others are measured without it."""
        self._emit(program, "begin", {})

    def one(self, program: Program, phase: str, number: int, cold: bool = False) -> float:
        """One run, recorded; its seconds, 0 when it failed."""
        try:
            found = trial.run(self.device, program.step)
        except Exception as error:  # noqa: BLE001 - a pattern that raises is a result, the others go on
            self._fail(program, phase, error)
            return 0.0
        wrong = trial.fault(found, program, cold)
        self._emit(program, "trial", {"phase": phase, "trial": number, "fault": wrong, **found.to_json()})
        return found.seconds

    def warm(self, program: Program) -> None:
        """Runs until the times are stable, at least as often as asked for and at most PATIENCE times that."""
        seconds: list[float] = []
        asked = self.plan.warmup
        while len(seconds) < asked or (len(seconds) < asked * PATIENCE and not stable(seconds)):
            seconds.append(self.one(program, "warmup", len(seconds)))
            if program.key in self.failed:
                return
        self._emit(program, "warm", {"stable": stable(seconds), "runs": len(seconds)})

    def inspect(self, program: Program) -> None:
        """One more run in which the graphs are read: their hashes and sizes."""
        graphs: dict[str, int] = {}
        began = self.device.now()

        def cut(outputs: Any) -> None:
            if (found := self.device.instructions(outputs)) is not None:
                graphs[found[0]] = found[1]
            self.device.cut(outputs)

        try:
            kept = program.step(cut)
            self.device.wait()
            del kept
        except Exception as error:  # noqa: BLE001 - as in `one`
            self._fail(program, "inspect", error)
            return
        sizes = {"instructions": list(graphs.values()), "facts": dict(program.facts)}
        self._emit(program, "graphs", {**sizes, "seconds": self.device.now() - began})

    def _fail(self, program: Program, phase: str, error: Exception) -> None:
        self.failed.add(program.key)
        said = f"{type(error).__name__}: {error}".strip()
        text = "".join(traceback.format_exception(error))
        self._emit(program, "failed", {"phase": phase, "error": said, "traceback": text})

    def _emit(self, program: Program, kind: str, record: Record) -> None:
        self.emit({"kind": kind, "graph": program.graph, "pattern": program.pattern, **record})


def stable(seconds: list[float]) -> bool:
    """Whether the last runs lie close together."""
    last = sorted(seconds[-WINDOW:])
    return len(last) == WINDOW and last[-1] - last[0] <= TOLERANCE * last[WINDOW // 2]
