"""`python -m neurontriage.repro.worker`: one request per line on stdin, one answer per line on stdout.

Imports torch once, then forks one process per variant: the parent never builds a graph, so a variant that crashes,
hangs or is killed takes nothing with it. Whatever is printed goes to stderr; stdout belongs to the answers.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from neurontriage.repro import processes
from neurontriage.repro.attempt import RECORD, attempt, flags_of
from neurontriage.repro.backends import Backend, Job, load
from neurontriage.repro.case import Case
from neurontriage.repro.catalogue import find_case

GRACE = 120.0
"""Seconds for lowering and running on top of the compiler's own limit."""
LOG, ENDED, FIRST_TRY = "log.txt", "ended.json", "first-try"


def serve() -> None:
    """Answers requests until stdin ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        main(json.loads(line))
        answers.write("done\n")
        answers.flush()


def main(request: dict[str, Any]) -> None:
    """Attempts each variant of the request in turn; each leaves its folder behind."""
    case, backend = find_case(request["case"]), load(request["backend"])
    for module in ("torch_xla.core.xla_builder", "torch_xla.debug.metrics") if backend.STACK == "xla" else ("torch",):
        importlib.import_module(module)
    for variant in request["variants"]:
        flags = flags_of(case, variant, request.get("flags", ()))
        folder, slots = Path(request["folder"]) / variant, request.get("slots")
        job = Job(
            folder,
            request["target"],
            flags,
            request["limit"],
            Path(slots) if slots else None,
            request.get("at_once", 1),
        )
        _one(case, variant, backend, job)


def _one(case: Case, variant: str, backend: Backend, job: Job) -> None:
    shutil.rmtree(job.folder, ignore_errors=True)
    first = _attempt(case, variant, backend, job)
    if first.timed_out or not first.status or "neuronx-cc" not in backend.SHOWS or not _refused(job.folder):
        return
    kept = job.folder.with_name(f"{job.folder.name}.{FIRST_TRY}")
    shutil.rmtree(kept, ignore_errors=True)
    job.folder.rename(kept)
    _attempt(case, variant, backend, job)
    kept.rename(job.folder / FIRST_TRY)


def _attempt(case: Case, variant: str, backend: Backend, job: Job) -> processes.Ended:
    job.folder.mkdir(parents=True)
    log = job.folder / LOG
    log.touch()
    ended = processes.fork(lambda: attempt(case, variant, backend, job), log, job.limit + GRACE)
    (job.folder / ENDED).write_text(json.dumps(dataclasses.asdict(ended)))
    return ended


def _refused(folder: Path) -> bool:
    """Whether the compiler itself said no; one that was stopped said nothing."""
    try:
        record = json.loads((folder / RECORD).read_text())
    except (OSError, json.JSONDecodeError):
        return False
    return record.get("stage") == "compile" and not record.get("timed_out")


if __name__ == "__main__":
    serve()
