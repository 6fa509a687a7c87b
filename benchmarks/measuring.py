"""Runs commands in turn and measures them; only ratios of one run can be compared between machines."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


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


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join(lines) + "\n"
