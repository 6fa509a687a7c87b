"""What is to be measured: the graphs, the patterns and how often; plain data, without torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

GRAPHS = ("tiny", "small", "medium", "large", "wide", "deep", "mlp", "multihead")
PATTERNS = ("natural", "dependent", "vmap", "scan")
BACKENDS = ("auto", "xla-cpu", "neuron", "torchneuron")
STEP = "step"
"""The pattern of a user's own module: its step, once per trial, with one synchronisation after it."""
Key = tuple[str, str]
"""A combination: the graph's name and the pattern's."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One measurement. `trials` and `warmup` are per process; `processes` is how many processes repeat everything.

    `reinit`: a new process for every combination. `module`: `file.py:function` in place of the eight graphs.
    `shapes`: of the first input, one graph for each.
    """

    graphs: tuple[str, ...] = GRAPHS
    patterns: tuple[str, ...] = PATTERNS
    warmup: int = 5
    trials: int = 10
    exclude_first: bool = True
    reinit: bool = False
    batch: int = 8
    iterations: int = 3
    backend: str = "xla-cpu"
    processes: int = 3
    seed: int = 0
    module: str = ""
    shapes: tuple[tuple[int, ...], ...] = ()

    @property
    def combinations(self) -> tuple[Key, ...]:
        """Every (graph, pattern) in the order in which it was asked for."""
        return tuple((graph, pattern) for graph in self.graphs for pattern in self.patterns)

    @property
    def shares(self) -> tuple[tuple[Key, ...], ...]:
        """What each process measures: everything, or with `reinit` one combination."""
        every = [(key,) for key in self.combinations] if self.reinit else [self.combinations]
        return tuple(share for _ in range(self.processes) for share in every)

    def to_json(self) -> dict[str, Any]:
        """Plain data for the worker."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Plan:
        """The inverse of `to_json`."""
        lists = {name: tuple(data[name]) for name in ("graphs", "patterns")}
        shapes = tuple(tuple(shape) for shape in data["shapes"])
        return cls(**{**data, **lists, "shapes": shapes})

    def configuration(self) -> dict[str, Any]:
        """The names under which results have always listed these settings, and ours."""
        return {
            "warmup_iterations": self.warmup,
            "measurement_trials": self.trials,
            "exclude_first_trial": self.exclude_first,
            "enable_device_reinit": self.reinit,
            "batch": self.batch,
            "iterations": self.iterations,
            "backend": self.backend,
            "processes": self.processes,
            "seed": self.seed,
            "module": self.module or None,
            "shapes": [list(shape) for shape in self.shapes],
            "graphs": list(self.graphs),
            "patterns": list(self.patterns),
        }
