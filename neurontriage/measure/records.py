"""The records of a session, sorted by what they are about: the one place that knows what workers write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from neurontriage.measure.plan import Key, Plan
from neurontriage.measure.schedule import Record


@dataclass
class Combination:
    """All records of one graph and pattern, `settling`: the untimed run before each steady one.

    Runs that did not do what they claim stand in `faulty` only.
    """

    key: Key
    first: list[Record] = field(default_factory=list)
    warmup: list[Record] = field(default_factory=list)
    settling: list[Record] = field(default_factory=list)
    steady: list[Record] = field(default_factory=list)
    faulty: list[Record] = field(default_factory=list)
    graphs: list[Record] = field(default_factory=list)
    warm: list[Record] = field(default_factory=list)
    failures: list[Record] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Sorts one record in."""
        if record["kind"] == "trial":
            place = self.faulty if record["fault"] else getattr(self, record["phase"])
        else:
            place = {"warm": self.warm, "graphs": self.graphs}.get(record["kind"], self.failures)
        place.append(record)

    def seconds(self, phase: str, skip: int = 0) -> dict[int, list[float]]:
        """Wall times of a phase by process, without the first `skip` trials of each."""
        return self.part(phase, "seconds", skip)

    def part(self, phase: str, name: str, skip: int = 0) -> dict[int, list[float]]:
        """A part of the wall time (`tracing`, `cutting`, `waiting`) or a counted one, in the same way."""
        found: dict[int, list[float]] = defaultdict(list)
        for record in getattr(self, phase):
            if record["trial"] >= skip:
                value = record[name] if name in record else record["counted"][name]
                found[record["process"]].append(value)
        return dict(found)


@dataclass
class Sorted:
    """Records by combination, in the order of the plan, and those of the processes."""

    combinations: Mapping[Key, Combination]
    processes: list[Record]


def sort(records: Iterable[Record], plan: Plan) -> Sorted:
    """Every record goes where it belongs; a crash counts as a failure of what had not been measured by then."""
    found = {key: Combination(key) for key in plan.combinations}
    processes: list[Record] = []
    for record in records:
        if record["kind"] == "begin":
            continue
        if "graph" in record:
            found[(record["graph"], record["pattern"])].add(record)
            continue
        processes.append(record)
        for key in record.get("keys", ()):  # a crash
            _crashed(found[(key[0], key[1])], record)
    return Sorted(found, processes)


def _crashed(combination: Combination, crash: Record) -> None:
    done = any(graph["process"] == crash["process"] for graph in combination.graphs)
    if not done and not combination.failures:
        combination.add({**crash, "phase": "process"})


def values(runs: Mapping[int, list[Any]]) -> list[Any]:
    """All values in the order of the processes."""
    return [value for process in sorted(runs) for value in runs[process]]
