"""`python -m neurontriage.repro.worker REQUEST...`: imports torch-xla once, then forks one process per variant.

The parent never imports torch; a variant that crashes, hangs or is killed takes nothing with it.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import sys
from pathlib import Path
from typing import Any

from neurontriage.repro import processes
from neurontriage.repro.attempt import attempt
from neurontriage.repro.backends import Backend, Job, load
from neurontriage.repro.case import Case
from neurontriage.repro.catalogue import find_case

GRACE = 120.0
"""Seconds for lowering and running on top of the compiler's own limit."""
LOG, ENDED = "log.txt", "ended.json"


def main(request: dict[str, Any]) -> None:
    """Attempts each variant of the request in turn; each leaves its folder behind."""
    case, backend = find_case(request["case"]), load(request["backend"])
    importlib.import_module("torch_xla.core.xla_builder")
    importlib.import_module("torch_xla.debug.metrics")
    for variant in request["variants"]:
        folder = Path(request["folder"]) / variant
        job = Job(folder, request["target"], case.NEEDS.flags, request["limit"])
        _one(case, variant, backend, job)


def _one(case: Case, variant: str, backend: Backend, job: Job) -> None:
    job.folder.mkdir(parents=True, exist_ok=True)
    for stale in job.folder.iterdir():
        if stale.is_file():
            stale.unlink()
    log = job.folder / LOG
    log.touch()
    ended = processes.fork(lambda: attempt(case, variant, backend, job), log, job.limit + GRACE)
    (job.folder / ENDED).write_text(json.dumps(dataclasses.asdict(ended)))


if __name__ == "__main__":
    for request in sys.argv[1:]:
        main(json.loads(Path(request).read_text()))
