"""Starts the worker processes one after the other and collects their records; what was measured is never lost."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from neurontriage.measure.devices import Backend
from neurontriage.measure.plan import Key, Plan
from neurontriage.measure.schedule import Record
from neurontriage.repro.processes import Ended, run

TIME_LIMIT = 24 * 3600.0
"""Seconds for one process: neuronx-cc may take an hour for one graph, so this only stops what hangs for good."""
ERROR_LINES = 40
WORKER = "neurontriage.measure.worker"
Progress = Callable[[str], None]


@dataclass
class Session:
    """Everything that the workers wrote, in order. `interrupted`: somebody stopped it; `seconds`: wall time of all."""

    records: list[Record] = field(default_factory=list)
    interrupted: bool = False
    seconds: float = 0.0


def measure(plan: Plan, backend: Backend, progress: Progress) -> Session:
    """Runs every share of the plan in a process of its own; an interrupt ends it and keeps what there is."""
    session, began = Session(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="neurontriage-measure-") as folder:
        broken: set[Key] = set()
        try:
            for share in range(len(plan.shares)):
                progress(f"process {share + 1} of {len(plan.shares)}")
                session.records += _Process(plan, backend, Path(folder), share, broken).records()
        except _Interrupted as stopped:
            session.records += stopped.records
            session.interrupted = True
    session.seconds = time.monotonic() - began
    return session


class _Interrupted(Exception):
    def __init__(self, records: list[Record]) -> None:
        super().__init__("interrupted")
        self.records = records


@dataclass
class _Process:
    """One share. `broken`: combinations that no process survives; filled here, left out by all later ones."""

    plan: Plan
    backend: Backend
    folder: Path
    share: int
    broken: set[Key]

    @property
    def number(self) -> int:
        """Processes of one repetition count as one where `reinit` splits it."""
        return self.share * self.plan.processes // len(self.plan.shares)

    @property
    def keys(self) -> list[Key]:
        return [key for key in self.plan.shares[self.share] if key not in self.broken]

    def records(self) -> list[Record]:
        """Runs workers until one survives; each dies of one combination at most, which the next one leaves out."""
        crashes: list[Record] = []
        while self.keys:
            found, crash = self._attempt(len(crashes))
            if crash is None:
                return [*crashes, *found]
            crashes.append(crash)
            if (culprit := _culprit(found)) is None:
                return [*crashes, *found]
            crash["keys"] = [list(culprit)]
            self.broken.add(culprit)
        return crashes

    def _attempt(self, number: int) -> tuple[list[Record], Record | None]:
        """One worker: what it wrote and what was before its first line; the crash, if it did not end well."""
        name = f"{self.share}-{number}"
        output, log, request = (self.folder / f"{name}{suffix}" for suffix in (".jsonl", ".log", ".json"))
        request.write_text(json.dumps({"plan": self.plan.to_json(), "keys": self.keys}), encoding="utf-8")
        command = [sys.executable, "-m", WORKER, str(request), str(self.number), str(output)]
        spawned = time.monotonic()
        try:
            ended = run(command, Path.cwd(), log, TIME_LIMIT, self._environment())
        except KeyboardInterrupt:
            raise _Interrupted(list(self._read(output, spawned, log))) from None
        found = list(self._read(output, spawned, log))
        finished = any(record["kind"] == "end" for record in found)
        return found, None if finished else self._crash(ended, log)

    def _environment(self) -> Mapping[str, str]:
        root = str(Path(__file__).parent.parent.parent)
        paths = os.pathsep.join(path for path in (root, os.environ.get("PYTHONPATH", "")) if path)
        return {**self.backend.environment(self.folder, self.number), "PYTHONPATH": paths}

    def _read(self, output: Path, spawned: float, log: Path) -> Iterator[Record]:
        text = output.read_text(encoding="utf-8") if output.is_file() else ""
        for line in text.splitlines(keepends=True):
            if line.endswith("\n"):  # a process that was killed may leave half a record
                record: dict[str, Any] = json.loads(line)
                if record["kind"] == "imported":
                    record["process_start"] = record["began"] - spawned
                yield {**record, "share": self.share}
        yield {"kind": "log", "process": self.number, "share": self.share, "text": _text(log)}

    def _crash(self, ended: Ended, log: Path) -> Record:
        lines = [line for line in _text(log).splitlines() if line.strip()]
        last = lines[-1] if lines else "it printed nothing"
        fault = ended.fault or "it ended before its work was done"
        keys = [list(key) for key in self.keys]
        tail = "\n".join(lines[-ERROR_LINES:])
        return {"kind": "crash", "process": self.number, "keys": keys, "error": f"{fault}: {last}", "traceback": tail}


def _culprit(records: list[Record]) -> Key | None:
    """The combination whose first run had begun and left nothing."""
    begun = [record for record in records if record["kind"] in ("begin", "trial", "failed")]
    last = begun[-1] if begun else {"kind": ""}
    return (last["graph"], last["pattern"]) if last["kind"] == "begin" else None


def _text(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
