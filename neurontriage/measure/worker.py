"""`python -m neurontriage.measure.worker REQUEST PROCESS RECORDS`: measures one share in a process of its own.

Times of the start are taken from the parent's clock: on Linux `time.monotonic` is the same in all processes.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path
from typing import IO, Any

from neurontriage.measure import schedule
from neurontriage.measure.devices import load
from neurontriage.measure.plan import Plan


def main(request_path: str, process: str, records: str) -> None:
    """Writes one JSON line per record, at once, so that what was measured before a crash is kept."""
    request = json.loads(Path(request_path).read_text(encoding="utf-8"))
    plan, number = Plan.from_json(request["plan"]), int(process)
    with open(records, "a", encoding="utf-8") as output:
        _measure(plan, number, [(graph, pattern) for graph, pattern in request["keys"]], output)


def _measure(plan: Plan, number: int, keys: Any, output: IO[str]) -> None:
    began = time.monotonic()

    def emit(record: schedule.Record) -> None:
        output.write(json.dumps({**record, "process": number, "at": time.monotonic()}) + "\n")
        output.flush()

    connection = load(plan.backend).connect()
    emit({"kind": "imported", "began": began, "seconds": time.monotonic() - began})
    schedule.start(connection.device, emit)
    schedule.baseline(connection.device, emit)
    from neurontriage.measure import module, patterns

    source = module if plan.module else patterns
    order = random.Random(f"{plan.seed} {number}")
    schedule.measure(connection.device, lambda: source.programs(keys, plan, connection), plan, order, emit)


if __name__ == "__main__":
    main(*sys.argv[1:])
