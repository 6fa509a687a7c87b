"""Runs of all cases: order, resumption, what changed since, and what is proposed to the knowledge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from neurontriage.errors import TriageError
from neurontriage.model import Diagnosis
from neurontriage.repro import history, sweep
from neurontriage.repro.backends import Backend, load
from neurontriage.repro.case import Case
from neurontriage.repro.catalogue import all_cases, find_case
from neurontriage.repro.session import Settings


def result(
    case: str, outcome: str = "reproduced", verdict: str = "confirmed", compiler: str = "2.14"
) -> dict[str, Any]:
    return {
        "schema": "neurontriage.repro/1",
        "case": case,
        "original": {"outcome": outcome},
        "alternatives": [],
        "verdict": verdict,
        "versions": {"neuronx-cc": compiler},
    }


def write(folder: Path, *results: dict[str, Any]) -> Path:
    for each in results:
        (folder / each["case"]).mkdir(parents=True, exist_ok=True)
        (folder / each["case"] / "result.json").write_text(json.dumps(each))
    return folder


def test_what_a_new_compiler_fixed_is_told_and_proposed(tmp_path: Path) -> None:
    before = history.load_results(write(tmp_path, result("A"), result("B"), result("C")))
    after = [result("A", "passed", "refuted", "2.15"), result("B", compiler="2.15"), result("D")]
    changed = history.changes(before, after)
    assert [(change.case, change.before, change.after) for change in changed] == [
        ("A", "reproduced, confirmed", "passed, refuted")
    ]
    assert changed[0].published()["versions"] == {"before": {"neuronx-cc": "2.14"}, "after": {"neuronx-cc": "2.15"}}
    assert history.proposals(before, after) == [{"case": "A", "affected": "2.14", "fixed": "2.15"}]


def test_nothing_is_proposed_without_both_compiler_versions(tmp_path: Path) -> None:
    old = {**result("A"), "versions": {"torch": "2.9.1"}}
    assert history.proposals({"A": old}, [result("A", "passed", "refuted")]) == []


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"schema": "other/1"}'])
def test_a_folder_that_is_no_earlier_run_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(TriageError, match="no results of an earlier run"):
        history.load_results(tmp_path)
    (tmp_path / "X").mkdir()
    (tmp_path / "X" / "result.json").write_text(content)
    with pytest.raises(TriageError, match="not a result"):
        history.load_results(tmp_path)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replaces the compilation by one that notes the case; the sweep around it is the real one."""
    ran: list[str] = []

    def examine(cases: list[Case], backend: Backend, settings: Settings) -> list[dict[str, Any]]:
        ran.extend(case.ID for case in cases)
        if any(case.ID == "XLA-SyncMissing" for case in cases):
            raise TriageError("died", "the worker died")
        write(settings.folder, *(result(case.ID) for case in cases))
        return [result(case.ID) for case in cases]

    monkeypatch.setattr(sweep, "examine_together", examine)
    return ran


def run(folder: Path, *ids: str) -> dict[str, Any]:
    settings = Settings(folder, "trn1", 10, lambda text: Diagnosis((), ()))
    return sweep.sweep([find_case(each) for each in ids], load("xla-cpu"), settings, lambda *_: None)


def test_a_sweep_keeps_order_and_goes_on_where_it_was(tmp_path: Path, counted: list[str]) -> None:
    ids = ("NCC-EVRF022", "NCC-EVRF010", "XLA-ViewOperator")
    first = run(tmp_path, *ids)
    assert [each["case"] for each in first["cases"]] == list(ids)
    assert first["counts"] == {"confirmed": 3}
    assert json.loads((tmp_path / "all.json").read_text()) == first
    (tmp_path / "NCC-EVRF010" / "fingerprint").write_text("other versions")
    counted.clear()
    assert run(tmp_path, *ids) == first
    assert counted == ["NCC-EVRF010"]


def test_a_worker_that_dies_spoils_its_own_cases_only(tmp_path: Path, counted: list[str]) -> None:
    found = run(tmp_path, "XLA-SyncMissing", "XLA-ViewOperator")
    verdicts = {each["case"]: each["verdict"] for each in found["cases"]}
    assert verdicts == {"XLA-SyncMissing": "cannot-tell", "XLA-ViewOperator": "confirmed"}
    assert "died" in found["cases"][0]["reason"]


def test_cases_share_a_worker_only_with_the_same_environment() -> None:
    groups = sweep.batches(list(all_cases().values()))
    assert sum(map(len, groups)) == len(all_cases())
    for group in groups:
        assert len(group) <= sweep.BATCH
        assert len({json.dumps(dict(case.NEEDS.environment)) for case in group}) == 1


def test_workers_follow_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 8000000 kB\nMemAvailable:    3072000 kB\n")
    assert sweep.available_mb(meminfo) == 3000
    assert sweep.available_mb(tmp_path / "absent") > 0
    monkeypatch.setattr(sweep, "available_mb", lambda: 3000)
    assert sweep.workers() == 1
