"""Sweeps: order, resumption, dead workers, budgets, cores; the workers are stand-ins that only take time."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from neurontriage.model import Diagnosis
from neurontriage.repro import backends, machine, resume, sweep, worker_process
from neurontriage.repro.catalogue import all_cases, find_case
from neurontriage.repro.cores import Allocator
from neurontriage.repro.session import Settings

STANDIN = (sys.executable, str(Path(__file__).parent / "standin_worker.py"))
IDS = ("NCC-EVRF022", "NCC-EVRF010", "XLA-ViewOperator", "NCC-EVRF001")


def start(environment: dict[str, str], log: Path) -> worker_process.Worker:
    return worker_process.Worker(environment, log, STANDIN)


def settings(folder: Path, **more: Any) -> Settings:
    return Settings(folder, "trn1", 10, lambda text: Diagnosis((), ()), **more)


def run(folder: Path, *ids: str, name: str = "xla-cpu", **plan: Any) -> dict[str, Any]:
    chosen = sweep.Plan(start=start, **{"jobs": 2, **plan})
    return sweep.sweep([find_case(each) for each in ids], backends.load(name), settings(folder), chosen)


def stamps(folder: Path) -> dict[str, int]:
    return {path.parent.name: path.stat().st_mtime_ns for path in folder.glob("*/result.json")}


def test_a_sweep_keeps_order_and_goes_on_where_it_was(tmp_path: Path) -> None:
    first = run(tmp_path, *IDS)
    assert [each["case"] for each in first["cases"]] == list(IDS)
    assert json.loads((tmp_path / "all.json").read_text()) == first
    before = stamps(tmp_path)
    (tmp_path / "NCC-EVRF010" / "fingerprint").write_text("other versions")
    assert run(tmp_path, *IDS) == first
    assert {name for name, stamp in stamps(tmp_path).items() if stamp != before[name]} == {"NCC-EVRF010"}


def test_a_killed_worker_costs_the_case_it_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANDIN_DIES", "NCC-EVRF010")
    found = {each["case"]: each for each in run(tmp_path, *IDS, jobs=4)["cases"]}
    assert {case: each["original"]["outcome"] for case, each in found.items() if case != "NCC-EVRF010"} == {
        case: "passed" if case == "XLA-ViewOperator" else "not-run" for case in IDS if case != "NCC-EVRF010"
    }
    assert "ended with status -9" in found["NCC-EVRF010"]["reason"]
    assert found["NCC-EVRF001"]["alternatives"][0]["equivalent"] is True
    monkeypatch.delenv("STANDIN_DIES")
    before = stamps(tmp_path)
    assert "not xla-cpu" not in run(tmp_path, *IDS)["cases"][1]["reason"]
    after = stamps(tmp_path)
    assert {name for name, stamp in after.items() if before.get(name) != stamp} == {"NCC-EVRF010"}


def test_a_budget_starts_nothing_more_and_keeps_nothing_of_it(tmp_path: Path) -> None:
    found = run(tmp_path, *IDS, budget=0.0)
    assert {each["original"]["outcome"] for each in found["cases"]} == {"not-run"}
    assert "time budget" in found["cases"][0]["reason"]
    assert not stamps(tmp_path)


def executable(folder: Path, version: str) -> Path:
    path = folder / "neuronx-cc"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho NeuronX Compiler version {version}\n")
    path.chmod(0o755)
    return path


def test_another_compiler_limit_flag_or_setting_is_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case, backend = find_case("NCC-EVRF022"), backends.load("neuronx-cc")
    executable(tmp_path / "bin", "2.21.1.0")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    marks = [resume.mark(case, backend, settings(tmp_path))]
    executable(tmp_path / "bin", "2.22.1.0")
    marks.append(resume.mark(case, backend, settings(tmp_path)))
    marks.append(resume.mark(case, backend, settings(tmp_path, flags=("-O1",))))
    marks.append(resume.mark(case, backend, Settings(tmp_path, "trn1", 11, settings(tmp_path).explain)))
    marks.append(resume.mark(case, backend, Settings(tmp_path, "trn2", 10, settings(tmp_path).explain)))
    monkeypatch.setenv("XLA_FLAGS", "--other")
    marks.append(resume.mark(case, backend, settings(tmp_path)))
    assert len(set(marks)) == len(marks)
    assert machine.compiler()["version"] == "2.22.1.0"
    assert machine.genuine(machine.compiler())


def test_no_two_workers_share_a_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in dies when another has its core, as nrt_init fails: all of them come back."""
    (tmp_path / "held").mkdir()
    monkeypatch.setenv("STANDIN_CORES", str(tmp_path / "held"))
    monkeypatch.setenv("STANDIN_SECONDS", "0.05")
    pool = Allocator(range(8), 1, tmp_path / "leases")
    ids = [case.ID for case in all_cases().values() if case.NEEDS.compiler == "neuronx-cc"]
    found = run(tmp_path, *ids, name="neuron", jobs=8, cores=pool)
    logs = {each["original"]["log"]: each["reason"] for each in found["cases"]}
    assert None not in logs, [reason for log, reason in logs.items() if log is None]
    used = {Path(log).read_text() for log in logs}
    assert used == {f"core {number}\n" for number in range(8)}


def test_workers_of_one_surrounding_take_its_cases_first() -> None:
    queue = sweep.Queue(list(all_cases().values()), backends.load("xla-cpu"), "trn1", None)
    own, taken = None, []
    while (case := queue.take(own)) is not None:
        own = sweep._key(sweep.surroundings(case, backends.load("xla-cpu"), "trn1"))
        taken.append(own)
    assert len(taken) == len(all_cases())
    assert sum(a != b for a, b in itertools.pairwise(taken)) == len(set(taken)) - 1
