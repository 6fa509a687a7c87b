"""What more cores give: the same logs with one worker and with as many as there are cores."""

from __future__ import annotations

import os
from pathlib import Path

from logs import write
from measuring import Table, explained, in_turn

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
    return Table(
        ("", "MB", "cores", "wall of one to wall of all", "per core", "CPU of all to CPU of one", "peak MB"), rows
    )


def _row(name: str, path: Path, megabytes: float) -> list[object]:
    programs = {str(n): explained(path, "--workers", str(n)) for n in (1, CORES)}
    costs = in_turn(programs, 1 if SMALL else 3)
    one, every = costs["1"], costs[str(CORES)]
    gain = one.wall / every.wall
    more = f"{every.cpu / one.cpu:.2f}"
    return [name, f"{megabytes:.0f}", CORES, f"{gain:.2f}", f"{gain / CORES:.2f}", more, f"{one.memory:.0f}"]
