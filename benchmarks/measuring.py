"""Runs commands in turn and measures them; only ratios of one run can be compared between machines."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of linux/prctl.h."""
TOOL = (sys.executable, "-m", "neurontriage")


@dataclass(frozen=True)
class Cost:
    """What one run took: seconds of wall and of CPU time (children included), peak memory in MB."""

    wall: float
    cpu: float
    memory: float


@dataclass(frozen=True)
class Program:
    """A command; how it ends, and what stands in its output, when it has done its work. `folder`: where it runs."""

    words: Sequence[str]
    ends: Container[int] = (0,)
    prints: str = ""
    folder: Path | None = None


class DidNotRun(Exception):
    """A program did not do its work, so that what it took is no measurement."""


def explained(path: Path, *options: str) -> Program:
    """`explain` of a log or a folder, which has done its work when it says how many bytes it has read of the last."""
    words = (*TOOL, "explain", str(path), "--format", "json", "--no-follow", *options)
    last = path if path.is_file() else max(one for one in path.rglob("*") if one.is_file())
    return Program(words, (0, 1), f'"path": "{last}",\n      "bytes": {last.stat().st_size}')


def run(program: Program) -> Cost:
    """One run of a program, with what it leaves behind. Raises DidNotRun where it did not do its work."""
    _adopt_orphans()
    started = time.perf_counter()
    with open(os.devnull, "rb") as nothing, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            program.words, stdin=nothing, stdout=out, stderr=said, cwd=program.folder, env=_installed()
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        code = process.returncode = os.waitstatus_to_exitcode(status)
        if code not in program.ends or program.prints not in _text(out):
            raise DidNotRun(f"{' '.join(program.words)}\nended with {code}, without its work done:\n{_text(said)}")
    used = [usage, *_orphans()]
    return Cost(wall, sum(one.ru_utime + one.ru_stime for one in used), max(one.ru_maxrss for one in used) / 1024)


@cache
def _installed() -> dict[str, str]:
    """The environment of a user: modules are compiled to bytecode once, as an installation does."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@cache
def _adopt_orphans() -> None:
    """Let processes whose parent has ended become children of this one (Linux): what they take counts, too."""
    ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)


def _orphans() -> Iterator[resource.struct_rusage]:
    """What processes took that a program has left behind, when they have ended."""
    with contextlib.suppress(ChildProcessError):
        while True:
            yield os.wait4(-1, 0)[2]


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def in_turn(programs: Mapping[str, Program], times: int = 3) -> dict[str, Cost]:
    """All programs, one after the other, several times; the medians of each. Raises DidNotRun."""
    found: dict[str, list[Cost]] = {name: [] for name in programs}
    for _ in range(times):
        for name, program in programs.items():
            found[name].append(run(program))
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
