"""What more cores give: the same logs with one worker and with as many as there are cores."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from logs import written
from measuring import Table, explained, in_turn

SMALL = bool(os.environ.get("SMALL"))
CORES = len(os.sched_getaffinity(0))
_DIFFERENT = 8
"""Of 64 files so many are made, which takes longer than to read them all; the others are copies."""


def cores(folder: Path) -> Table:
    """Wall time of one worker over that of all cores, divided by their number: 1 is ideal. The machine must be idle."""
    each, whole = (1, 140) if SMALL else (4, 280)
    files = folder / "files"
    files.mkdir()
    for number in range(_DIFFERENT):
        written("healthy", each, files / f"rank_{number:02}.log", seed=number)
    for number in range(_DIFFERENT, 64):
        shutil.copy(files / f"rank_{number % _DIFFERENT:02}.log", files / f"rank_{number:02}.log")
    huge = written("healthy", whole, folder / "huge.log")
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
