"""How a repro sweep scales with workers on a simulated host of 32 NeuronCores, against workers that only take time.

Prints wall times and their ratio, and how many cores were used; a stand-in dies when two processes have one core.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from neurontriage.model import Diagnosis
from neurontriage.repro import backends, sweep
from neurontriage.repro.catalogue import all_cases
from neurontriage.repro.cores import Allocator
from neurontriage.repro.session import Settings
from neurontriage.repro.worker_process import Worker

STANDIN = (sys.executable, str(Path(__file__).parents[1] / "tests" / "repro" / "standin_worker.py"))


def start(environment: dict[str, str], log: Path) -> Worker:
    return Worker(environment, log, STANDIN)


def timed(folder: Path, jobs: int) -> tuple[float, set[str]]:
    """Seconds of a whole sweep with so many workers, and the cores that its attempts saw."""
    (folder / "held").mkdir(parents=True)
    os.environ["STANDIN_CORES"] = str(folder / "held")
    cases = [case for case in all_cases().values() if case.NEEDS.compiler == "neuronx-cc"]
    settings = Settings(folder, "trn1", 10, lambda _: Diagnosis((), ()))
    plan = sweep.Plan(jobs, Allocator(range(32), 1, folder / "leases"), start=start)
    before = time.monotonic()
    document: Any = sweep.sweep(cases, backends.load("neuron"), settings, plan)
    seconds = time.monotonic() - before
    logs = [each["original"]["log"] for each in document["cases"]]
    assert None not in logs, "a worker died: two had the same core"
    return seconds, {Path(log).read_text() for log in logs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", default="0.5", help="what one case takes")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 16, 32])
    options = parser.parse_args()
    os.environ["STANDIN_SECONDS"] = options.seconds
    base = None
    for jobs in options.workers:
        with tempfile.TemporaryDirectory() as folder:
            seconds, cores = timed(Path(folder) / "run", jobs)
        base = base or seconds
        print(f"{jobs:3d} workers: {seconds:7.2f} s, {base / seconds:5.1f} x, {len(cores)} cores used")


if __name__ == "__main__":
    main()
