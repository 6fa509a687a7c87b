"""Runs the child process of a frontend, and reads what it wrote down until it ended, however it ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.hlo import files
from neurontriage.hlo.instruction import Instruction, Shape
from neurontriage.operators.table import opcode_of
from neurontriage.preflight.capture import Break, Capture, Fallback, Graph, Recompilation, Use
from neurontriage.preflight.child.events import EVENTS
from neurontriage.preflight.modules import graph_of

Event = Mapping[str, Any]
OVER = "stopped at the time limit"
"""How a run ended that took too long."""

NEEDS_VALUES = 86
_TAIL = 2_000
"""Bytes of the script's output that an error shows."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to run: frontend, target, its arguments; `limit` is in seconds."""

    frontend: str
    target: str
    arguments: tuple[str, ...] = ()
    mode: str = "real"
    limit: float = 600.0


@dataclass(frozen=True, slots=True)
class _Ended:
    status: int
    timed_out: bool
    tail: str


def capture(job: Job) -> Capture:
    """What the target showed. A dry run of torch-xla that needs values, or dies, is repeated with real execution."""
    if job.frontend != "xla":
        return _once(job)
    found = _once(replace(job, mode="dry"))
    if not found.ended or found.ended.startswith("raised"):
        return found.noting("Nothing was executed; a value that the script read was zero.")
    again = _once(job)
    why = f"A run without execution was not possible ({found.ended}); this one executed on the CPU."
    return again.noting(why) if again.graphs or not found.graphs else found


def _once(job: Job) -> Capture:
    with tempfile.TemporaryDirectory(prefix="neurontriage-preflight-") as folder:
        ended = _run(job, Path(folder))
        return read(Path(folder), job.frontend, _fault(ended, Path(folder)))


def _run(job: Job, folder: Path) -> _Ended:
    command = [sys.executable, "-m", "neurontriage.preflight.child", str(folder), job.frontend, job.mode]
    own = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))
    # One allocator arena per thread costs hundreds of MB; tracing is single-threaded.
    extra = {"PYTHONPATH": path, "MALLOC_ARENA_MAX": "2", "PYTHONUNBUFFERED": "1"}
    if job.frontend == "xla":
        extra |= {"PJRT_DEVICE": "CPU", "XLA_IR_DEBUG": "1", "XLA_HLO_DEBUG": "1", "XLA_DISABLE_FUNCTIONALIZATION": "0"}
    output = folder / "output.txt"
    with output.open("wb") as log:
        process = subprocess.Popen(
            [*command, job.target, *job.arguments],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **extra},
            start_new_session=True,
        )
    timed_out = False
    try:
        process.wait(job.limit)
    except subprocess.TimeoutExpired:
        timed_out = True
    finally:
        _end(process)
    with output.open("rb") as log:
        log.seek(max(0, output.stat().st_size - _TAIL))
        return _Ended(process.returncode, timed_out, log.read().decode("utf-8", "replace"))


def _end(process: subprocess.Popen[bytes]) -> None:
    """The script's own children end with it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _fault(ended: _Ended, folder: Path) -> str:
    """What went wrong, in words; empty for a script that ran to its end."""
    events = list(_events(folder))
    last = next((e for e in reversed(events) if e["kind"] in ("ended", "needs-values")), None)
    if ended.timed_out:
        return OVER
    if last is not None and last["kind"] == "needs-values":
        return f"{last['operator']} at {last['site']} needs real values"
    if last is None:
        how = f"died by {_signal(-ended.status)}" if ended.status < 0 else f"left with exit status {ended.status}"
        return f"{how}; {_last_words(ended.tail)}".rstrip("; ")
    if last["how"] == "done":
        return ""
    place = f" at {last['site']}" if last.get("site") else ""
    words = f"; {_last_words(ended.tail)}" if last["how"] == "exit" else ""
    return f"raised{place}: {last['text']}" if last["how"] == "exception" else f"{last['text']}{words}".rstrip("; ")


def _last_words(tail: str) -> str:
    line = next((x.strip() for x in reversed(tail.splitlines()) if x.strip()), "")
    return f"its last words: {line[:300]}" if line else ""


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _events(folder: Path) -> Iterator[Event]:
    """Every whole event; the last one may be cut off by a death."""
    path = folder / EVENTS
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def read(folder: Path, frontend: str, ended: str) -> Capture:
    """The capture in a folder that a child wrote."""
    events = list(_events(folder))

    def of(kind: str) -> list[Event]:
        return [event for event in events if event["kind"] == kind]

    inventories = of("inventory")
    return Capture(
        frontend=frontend,
        lowering="torch-xla on CPU" if frontend == "xla" else "aten",
        graphs=tuple(_graphs(folder, of("graph"))),
        fallbacks=tuple(Fallback(e["operator"], e["site"], e["backward"], tuple(e["dtypes"])) for e in of("fallback")),
        breaks=tuple(Break(e["reason"], e["site"]) for e in of("break")),
        recompilations=tuple(_recompilation(e, of("graph")) for e in of("recompile")),
        unsorted=frozenset(e["site"] for e in of("unsorted")),
        inventory={k: v for k, v in inventories[-1].items() if k != "kind"} if inventories else {},
        notes=tuple(f"The dimension {e['symbol']} is dynamic: {e['bounds']}." for e in of("dynamic")),
        ended=ended,
    )


def _graphs(folder: Path, events: list[Event]) -> Iterator[Graph]:
    for event in events:
        if "file" not in event:
            yield _aten_graph(event)
            continue
        try:
            module = files.load(folder / event["file"]).module
        except TriageError:
            continue  # cut off by the death of the child
        yield graph_of(module, event["id"], (event["cause"], event["site"], event["function"]))


def _aten_graph(event: Event) -> Graph:
    inputs = tuple((dtype, tuple(dims)) for dtype, dims in event["inputs"])
    uses = tuple(map(_aten_use, event["operators"]))
    return Graph(event["id"], uses, event["instructions"], inputs, event["peak_bytes"])


def _aten_use(row: Mapping[str, Any]) -> Use:
    name = row["name"]
    short = name.rpartition(".")[2]
    attributes = {"sorted": "false"} if row["options"].get("sorted") is False else {}
    opcode = "sort" if attributes else opcode_of().get(short, short)
    instruction = Instruction(opcode, _shapes(row["out"]), _shapes(row["in"]), attributes=attributes)
    return Use(name, instruction, row["site"], "", row["count"])


def _shapes(listed: list[list[Any]]) -> tuple[Shape, ...]:
    return tuple(Shape(dtype, tuple(str(d) if isinstance(d, int) else "?" for d in dims)) for dtype, dims in listed)


def _recompilation(event: Event, graphs: list[Event]) -> Recompilation:
    reason = "; ".join(event["reasons"])
    if "dimension" not in event:
        return Recompilation(event["function"], None, (), event["site"], reason)
    dimension, old, new = event["dimension"], event["old"], event["new"]
    return Recompilation(event["function"], dimension, _shapes_of(graphs, dimension, old, new), event["site"], reason)


def _shapes_of(graphs: list[Event], dimension: int, old: int, new: int) -> tuple[tuple[int | str, ...], ...]:
    """The same input before and after, as two graphs list it; the two sizes alone where none has them."""
    inputs = {tuple(dims) for graph in graphs for _, dims in graph.get("inputs", ())}
    for dims in sorted(inputs, key=str):
        after = (*dims[:dimension], new, *dims[dimension + 1 :])
        if dims[dimension : dimension + 1] == (old,) and after in inputs:
            return dims, after
    return (old,), (new,)
