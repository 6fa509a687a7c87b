"""Runs commands in turn and measures them; only ratios of one run can be compared between machines."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True)
class Cost:
    """What one run took: seconds of wall and of CPU time (children included), peak memory in MB."""

    wall: float
    cpu: float
    memory: float


def run(command: Sequence[str], stdin: Path | None = None) -> Cost:
    """One run of a command; its output is thrown away."""
    started = time.perf_counter()
    with open(stdin or os.devnull, "rb") as source:
        process = subprocess.Popen(command, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
    return Cost(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def in_turn(commands: Mapping[str, Sequence[str]], times: int = 3) -> dict[str, Cost]:
    """All commands, one after the other, several times; the medians of each."""
    found: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(times):
        for name, command in commands.items():
            found[name].append(run(command))
    return {name: _middle(costs) for name, costs in found.items()}


def _middle(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(getattr(cost, name) for cost in costs) for name in ("wall", "cpu", "memory")))


class Table(NamedTuple):
    """What was measured; as text a Markdown table."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]

    def __str__(self) -> str:
        lines = (self.head, ["---"] * len(self.head), *self.rows)
        return "".join("| " + " | ".join(map(str, row)) + " |\n" for row in lines)

    def keep(self, path: Path, title: str, about: str) -> None:
        """Write it for the site (docs/measured)."""
        rows = [[str(cell) for cell in row] for row in self.rows]
        data = {"title": title, "about": about, "columns": list(self.head), "rows": rows}
        path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
