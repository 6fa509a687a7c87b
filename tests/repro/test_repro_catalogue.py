"""The cases as data: found by walking, complete, tied to the knowledge, listed without torch."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from neurontriage.errors import TriageError
from neurontriage.repro import cases
from neurontriage.repro.case import Case
from neurontriage.repro.catalogue import all_cases, find_case, listing, module_of, select, uses_xla
from neurontriage.repro.script import render

CASES = list(all_cases().values())
FOLDER = Path(cases.__path__[0])


def file_name(case_id: str) -> str:
    """TEN404-InferIntrinsicOnCC -> ten404_infer_intrinsic_on_cc"""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", case_id)
    return re.sub(r"[^a-z0-9]+", "_", words.lower())


def test_there_are_at_least_35_cases() -> None:
    assert len(CASES) >= 35
    assert {module_of(case).__file__ for case in CASES} == {str(path) for path in FOLDER.glob("[a-z]*.py")}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.ID)
def test_a_case_is_named_after_its_entry_and_has_something_to_try(case: Case) -> None:
    own = not hasattr(module_of(case), "CASES")
    assert own == (FOLDER / f"{file_name(case.ID)}.py").is_file() or case.ID == "NCC-EVRF035"
    names = [each.name for each in case.ALTERNATIVES]
    assert names
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)
    assert any(each.works and each.kind != "semantics-changing" for each in case.ALTERNATIVES)
    assert all(each.note for each in case.ALTERNATIVES if not each.works)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.ID)
def test_the_script_stands_alone(case: Case) -> None:
    """It parses, names no module of ours, and every global it reads is defined in it."""
    result = {"target": "trn1", "versions": {}, "backend": "xla-cpu", "verdict": "cannot-tell", "reason": "none"}
    text = render(case, result)
    compile(text, case.ID, "exec")
    assert "neurontriage" not in text
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821,F811", "-"],
        input=text,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout


def test_listing_needs_no_torch() -> None:
    code = (
        "import sys; from neurontriage.repro.catalogue import listing; import neurontriage.commands.repro;"
        "assert len(listing()['cases']) > 34; assert not {'torch', 'torch_xla'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_listing_is_published_as_promised() -> None:
    found = listing()
    assert found["schema"] == "neurontriage.repro-list/1"
    assert {"id", "title", "alternatives", "needs", "provenance", "source"} <= found["cases"][0].keys()
    assert {case["needs"] for case in found["cases"]} == {"neuronx-cc", "xla-cpu"}


def test_an_unknown_id_names_the_nearest() -> None:
    assert find_case("ten404-inferintrinsiconcc").ID == "TEN404-InferIntrinsicOnCC"
    with pytest.raises(TriageError) as refused:
        find_case("NCC-EVRF012")
    assert "NCC-EVRF0" in refused.value.hint
    with pytest.raises(TriageError, match="no reproduction case"):
        find_case("zzz")


def test_cases_are_selected_by_id_layer_and_part() -> None:
    assert {case.ID for case in select("ncc-evrf06*,XLA-SyncMissing", "", "")} >= {"NCC-EVRF061", "XLA-SyncMissing"}
    assert {case.NEEDS.compiler for case in select("", "framework", "")} == {"xla-cpu"}
    parts = [select("", "", f"{number}/3") for number in (1, 2, 3)]
    assert sorted(case.ID for part in parts for case in part) == sorted(all_cases())
    for wrong in ("0/3", "4/3", "x", "1"):
        with pytest.raises(TriageError, match="--shard"):
            select("", "", wrong)
    with pytest.raises(TriageError, match="no case left"):
        select("nothing-like-it", "", "")


def test_every_case_says_where_its_graph_comes_from() -> None:
    for case in CASES:
        assert case.ORIGIN.kind in ("documented", "issue", "analogue")
        assert case.ORIGIN.source.startswith("https://")
        assert not (case.ID.startswith("TEN404") and case.ORIGIN.kind == "documented")


def test_settings_that_are_said_to_help_name_their_source() -> None:
    by_settings = [each for case in CASES for each in case.ALTERNATIVES if each.settings_only]
    assert len(by_settings) >= 12
    assert all(each.source.startswith("https://") and each.note for each in by_settings)
    assert {flag.split("=")[0] for each in by_settings for flag in each.flags} >= {
        "--implicit-integer-downcast",
        "--native-int64",
        "--logical-nc-config",
        "--auto-cast",
        "--experimental-unsafe-fp8e4m3fn-as-fp8e4m3",
    }


def test_every_fix_says_for_which_stack_it_holds() -> None:
    rows = {row["id"]: row for row in listing()["cases"]}
    stacks = {(case, fix["name"]): fix["stacks"] for case, row in rows.items() for fix in row["fixes"]}
    assert stacks["NCC-EVRF010", "dilate-kernel-by-hand"] == ["xla", "native"]
    assert stacks["XLA-SyncMissing", "torch-xla-sync"] == ["xla"]  # written with torch_xla
    assert stacks["TEN404-SundaSizeTiling", "slices-and-stack"] == ["xla"]  # so says the entry
    assert rows["TEN404-SundaSizeTiling"]["stack"] == ["torch-neuronx"]
    assert all(stacks.values())


@pytest.mark.parametrize(
    ("case_id", "expected"),
    [
        ("NCC-EVRF017", True),
        ("NCC-EVRF036", True),
        ("NCC-EVRF061", True),
        ("NCC-EVRF001", False),
        ("NCC-EVRF010", False),
    ],
)
def test_what_is_written_with_torch_xla_is_found_by_reading(case_id: str, expected: bool) -> None:
    assert uses_xla(case_id) is expected
