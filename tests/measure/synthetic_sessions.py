"""Runs the schedule on synthetic devices, one for each process, as the workers would."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from synthetic import SyntheticDevice

from neurontriage.measure import schedule
from neurontriage.measure.device import Program
from neurontriage.measure.document import Setting, document
from neurontriage.measure.plan import Plan
from neurontriage.measure.session import Session

Make = Callable[[SyntheticDevice], list[Program]]


def records(device: SyntheticDevice, make: Make, plan: Plan, process: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    began = device.now()

    def emit(record: dict[str, Any]) -> None:
        found.append({**record, "process": process, "share": process, "at": device.now()})

    emit({"kind": "imported", "began": began, "process_start": 0.0, "seconds": 0.0})
    schedule.start(device, emit)
    schedule.baseline(device, emit)
    schedule.measure(device, lambda: make(device), plan, random.Random(process), emit)
    return found


def measured(devices: list[SyntheticDevice], make: Make, plan: Plan, shared_cache: bool = False) -> dict[str, Any]:
    """The document of one session; a device for each process."""
    session = Session()
    for process, device in enumerate(devices):
        session.records += records(device, make, plan, process)
    return document(session, plan, Setting("a synthetic device", shared_cache=shared_cache))


def row(result: dict[str, Any], graph: str, pattern: str) -> dict[str, Any]:
    return next(each for each in result["patterns"] if (each["graph"], each["pattern"]) == (graph, pattern))
