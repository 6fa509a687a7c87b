"""What more cores give: the same logs with one worker and with as many as there are cores."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from logs import write
from measuring import Cost, Table, in_turn

TOOL = [sys.executable, "-m", "neurontriage"]
SMALL = bool(os.environ.get("SMALL"))
CORES = len(os.sched_getaffinity(0))


def cores(folder: Path) -> Table:
    """Wall time of one worker over that of all cores, divided by their number: 1 is ideal. The machine must be idle."""
    each, whole = (1, 140) if SMALL else (8, 560)
    files = folder / "files"
    files.mkdir()
    for number in range(64):
        write("healthy", each, files / f"rank_{number:02}.log", seed=number)
    huge = write("healthy", whole, folder / "huge.log")
    rows = [_row("64 files", files, each * 64), _row("one file", huge, whole)]
    huge.unlink()
    return Table(("", "MB", "cores", "wall ratio", "per core", "CPU of all to CPU of one", "peak MB"), rows)


def _row(name: str, path: Path, megabytes: float) -> list[object]:
    costs = in_turn({str(n): _explained(path, n) for n in (1, CORES)}, 1 if SMALL else 3)
    one, all_cores = costs["1"], costs[str(CORES)]
    gain = _gain(one, all_cores)
    more = f"{all_cores.cpu / one.cpu:.2f}"
    return [name, f"{megabytes:.0f}", CORES, f"{gain:.2f}", f"{gain / CORES:.2f}", more, f"{one.memory:.0f}"]


def _gain(one: Cost, many: Cost) -> float:
    return one.wall / many.wall


def _explained(path: Path, workers: int) -> list[str]:
    return [*TOOL, "explain", str(path), "--workers", str(workers), "--no-follow", "--format", "json"]
