"""What changed since an earlier run, and what is proposed to the knowledge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from neurontriage.errors import TriageError
from neurontriage.repro import history


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
    after = [result("A", "passed", "not-reproduced", "2.15"), result("B", compiler="2.15"), result("D")]
    changed = history.changes(before, after)
    assert [(change.case, change.before, change.after) for change in changed] == [
        ("A", "reproduced, confirmed", "passed, not-reproduced")
    ]
    assert changed[0].published()["versions"] == {"before": {"neuronx-cc": "2.14"}, "after": {"neuronx-cc": "2.15"}}
    assert history.proposals(before, after) == [{"case": "A", "affected": "2.14", "fixed": "2.15"}]


def test_nothing_is_proposed_without_both_compiler_versions(tmp_path: Path) -> None:
    old = {**result("A"), "versions": {"torch": "2.9.1"}}
    assert history.proposals({"A": old}, [result("A", "passed", "not-reproduced")]) == []


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"schema": "other/1"}'])
def test_a_folder_that_is_no_earlier_run_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(TriageError, match="no results of an earlier run"):
        history.load_results(tmp_path)
    (tmp_path / "X").mkdir()
    (tmp_path / "X" / "result.json").write_text(content)
    with pytest.raises(TriageError, match="not a result"):
        history.load_results(tmp_path)


def test_what_the_compiler_says_of_itself_counts_more_than_its_package() -> None:
    assert history.compiler_version(result("A")) == "2.14"
    assert history.compiler_version({**result("A"), "compiler": {"version": "2.15.1"}}) == "2.15.1"
    assert history.compiler_version({**result("A"), "compiler": {"version": None}, "versions": {}}) is None
