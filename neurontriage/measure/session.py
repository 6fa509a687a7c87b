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
from neurontriage.measure.plan import Plan
from neurontriage.measure.schedule import Record
from neurontriage.repro.processes import Ended, run

TIME_LIMIT = 24 * 3600.0
"""Seconds for one process: neuronx-cc may take an hour for one graph, so this only stops what hangs for good."""
ERROR_LINES = 40
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
        request = Path(folder, "plan.json")
        request.write_text(json.dumps({"plan": plan.to_json()}), encoding="utf-8")
        try:
            for share in range(len(plan.shares)):
                progress(f"process {share + 1} of {len(plan.shares)}")
                session.records += _Process(plan, backend, request, share).records()
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
    plan: Plan
    backend: Backend
    request: Path
    share: int

    @property
    def number(self) -> int:
        """Processes of one repetition count as one where `reinit` splits it."""
        return self.share * self.plan.processes // len(self.plan.shares)

    def records(self) -> list[Record]:
        """Runs the worker; what it wrote, what was before its first line, and how it ended if badly."""
        folder = self.request.parent
        output, log = folder / f"{self.share}.jsonl", folder / f"{self.share}.log"
        spawned = time.monotonic()
        try:
            ended = run(self._command(output), Path.cwd(), log, TIME_LIMIT, self._environment())
        except KeyboardInterrupt:
            raise _Interrupted(list(self._read(output, spawned, log))) from None
        found = list(self._read(output, spawned, log))
        if not any(record["kind"] == "end" for record in found):
            found.append(self._crash(ended, log))
        return found

    def _command(self, output: Path) -> list[str]:
        words = [str(self.request), str(self.number), str(self.share), str(output)]
        return [sys.executable, "-m", "neurontriage.measure.worker", *words]

    def _environment(self) -> Mapping[str, str]:
        root = str(Path(__file__).parent.parent.parent)
        paths = os.pathsep.join(path for path in (root, os.environ.get("PYTHONPATH", "")) if path)
        return {**self.backend.environment(self.request.parent, self.number), "PYTHONPATH": paths}

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
        keys = [list(key) for key in self.plan.shares[self.share]]
        tail = "\n".join(lines[-ERROR_LINES:])
        return {"kind": "crash", "process": self.number, "keys": keys, "error": f"{fault}: {last}", "traceback": tail}


def _text(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
