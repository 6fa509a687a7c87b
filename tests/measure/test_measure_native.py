"""Devices behind torch.compile, shown with PyTorch's own CPU: what TorchNeuron needs, but for its device."""

from __future__ import annotations

import random
from typing import Any

import pytest

from neurontriage.measure import patterns, schedule
from neurontriage.measure.devices import native
from neurontriage.measure.document import Setting, document
from neurontriage.measure.plan import PATTERNS, Plan
from neurontriage.measure.session import Session

pytestmark = pytest.mark.xla


def test_all_patterns_compile_once_and_run_as_claimed() -> None:
    waits: list[None] = []
    connection = native.connection("cpu", "eager", lambda: waits.append(None))
    plan = Plan(graphs=("tiny", "multihead"), warmup=1, trials=2, processes=1)
    records: list[dict[str, Any]] = []

    def emit(record: dict[str, Any]) -> None:
        records.append({**record, "process": 0, "share": 0, "at": connection.device.now()})

    schedule.start(connection.device, emit)
    schedule.baseline(connection.device, emit)
    order = random.Random(0)
    build = lambda: patterns.programs(plan.combinations, plan, connection)  # noqa: E731
    schedule.measure(connection.device, build, plan, order, emit)
    found = document(Session(records), plan, Setting("test"))
    assert [row["status"] for row in found["patterns"]] == ["measured"] * 8, [row["error"] for row in found["patterns"]]
    for row in found["patterns"]:
        runs = 3 if row["pattern"] == "dependent" else 1
        assert (row["counts"]["compiles"], row["counts"]["executions"]) == (1, runs)
    assert {row["scan"] for row in found["patterns"] if row["pattern"] == PATTERNS[3]} == {"manual"}
    assert waits
