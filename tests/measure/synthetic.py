"""A device whose costs are known: virtual time, an asynchronous queue, lazy initialisation, jitter and outliers."""

from __future__ import annotations

import random
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from neurontriage.measure.device import Counters, Cut, Program, Step


@dataclass(frozen=True)
class Costs:
    """Seconds. `first_use`: what the first execution of a process pays besides."""

    open: float = 0.002
    first_use: float = 0.0
    transfer: float = 0.001
    trace: float = 0.0002
    lower: float = 0.005
    load: float = 0.02
    sync: float = 0.00005
    jitter: float = 0.01


class Value:
    """A tensor that is computed by a graph, if it is still alive when the graph ends."""

    def __init__(self, graph: str, compile: float, run: float) -> None:
        self.graph, self.compile, self.run = graph, compile, run


@dataclass
class SyntheticDevice:
    """`slow(graph, execution number)` is added to a run time; `neffs`: a compile cache that processes may share."""

    costs: Costs = Costs()
    seed: int = 0
    slow: Callable[[str, int], float] = lambda graph, number: 0.0
    clock: float = 0.0
    free: float = 0.0
    neffs: set[str] | None = None
    compiled: set[str] = field(default_factory=set)
    pending: list[weakref.ref[Value]] = field(default_factory=list)
    counted: dict[str, float] = field(
        default_factory=lambda: {"compiles": 0, "compile_seconds": 0.0, "executions": 0, "execute_seconds": 0.0}
    )
    runs: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def spend(self, seconds: float) -> float:
        spent = seconds * (1 + abs(self.random.gauss(0, self.costs.jitter)))
        self.clock += spent
        return spent

    def now(self) -> float:
        return self.clock

    def open(self) -> None:
        self.spend(self.costs.open)

    def transfer(self) -> None:
        self.spend(self.costs.transfer)

    def trivial(self) -> Step:
        return self.step("trivial", 0.003, 0.0001)

    def value(self, graph: str, compile: float, run: float) -> Value:
        self.spend(self.costs.trace)
        made = Value(graph, compile, run)
        self.pending.append(weakref.ref(made))
        return made

    def cut(self, outputs: Any) -> None:
        self.spend(self.costs.sync)
        alive = [value for value in (each() for each in self.pending) if value is not None]
        self.pending.clear()
        for value in alive:
            self._execute(value)

    def _execute(self, value: Value) -> None:
        if value.graph not in self.compiled:
            self.compiled.add(value.graph)
            self.spend(self.costs.lower)
            self.counted["compile_seconds"] += self._load_or_compile(value)
            self.counted["compiles"] += 1
        number = self.runs[value.graph] = self.runs.get(value.graph, 0) + 1
        run = value.run + self.slow(value.graph, number)
        if not self.counted["executions"]:
            run += self.costs.first_use
        started = self.clock
        self.free = max(self.free, started) + run * (1 + abs(self.random.gauss(0, self.costs.jitter)))
        self.counted["executions"] += 1
        self.counted["execute_seconds"] += self.free - started  # with the queue, as torch-xla counts it

    def _load_or_compile(self, value: Value) -> float:
        if self.neffs is None:
            return self.spend(value.compile)
        found = value.graph in self.neffs
        self.neffs.add(value.graph)
        return self.spend(self.costs.load) + (0.0 if found else self.spend(value.compile))

    def wait(self) -> None:
        self.clock = max(self.clock, self.free)

    def counters(self) -> Counters:
        return Counters(
            int(self.counted["compiles"]),
            self.counted["compile_seconds"],
            int(self.counted["executions"]),
            self.counted["execute_seconds"],
        )

    def instructions(self, outputs: Any) -> tuple[str, int] | None:
        return (outputs[0].graph, 10) if outputs else None

    def step(self, graph: str, compile: float, run: float, cuts: int = 1) -> Step:
        """`cuts` graphs one after the other, all alike."""

        def step(cut: Cut) -> Any:
            value = None
            for _ in range(cuts):
                value = self.value(graph, compile, run)
                cut([value])
            return value

        return step

    def program(self, graph: str, pattern: str, compile: float, run: float, cuts: int = 1) -> Program:
        return Program(graph, pattern, self.step(f"{graph}/{pattern}", compile, run, cuts), cuts, 1)
