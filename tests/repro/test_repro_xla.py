"""The cases with torch-xla's CPU client: everything lowers, every claim about an alternative is measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from neurontriage.repro import backends, cases, session, sweep
from neurontriage.repro.catalogue import all_cases, find_case
from neurontriage.repro.script import write_script
from neurontriage.triage import explain_text

pytestmark = pytest.mark.xla
IDS = list(all_cases())
TRULY_REPRODUCED = [case.ID for case in all_cases().values() if case.NEEDS.compiler == "xla-cpu"]
WORDS = {
    "XLA-ViewOperator": "The operator aten::unfold appears to be a view operator, but it has no implementation for the "
    "backend \"xla:0\". View operators don't support since the tensor's storage cannot be shared across devices.",
    "VMAP-RandomOperation": "vmap: called random operation while in randomness error mode.",
    "XLA-SyncMissing": "module 'torch_xla.core.xla_model' has no attribute 'sync'",
    "XLA-InferenceTensorVersion": "Cannot set version_counter for inference tensor",
    "FUNC-ScanMissing": "module 'torch.func' has no attribute 'scan'",
}


def settings(folder: Path) -> session.Settings:
    return session.Settings(folder, "trn1", 120, lambda text: explain_text(text, path="log"))


@pytest.fixture(scope="module")
def results(once: Any) -> dict[str, dict[str, Any]]:
    """All cases once, with the strongest thing that every machine has."""

    def every(folder: Path) -> None:
        sweep.sweep(list(all_cases().values()), backends.load("xla-cpu"), settings(folder), sweep.Plan())

    found = json.loads((once("all-cases", every) / sweep.SUMMARY).read_text())
    return {result["case"]: result for result in found["cases"]}


@pytest.mark.usefixtures("xla")
@pytest.mark.parametrize("case_id", IDS)
def test_every_alternative_does_what_its_case_says(case_id: str, results: dict[str, dict[str, Any]]) -> None:
    alternatives = results[case_id]["alternatives"]
    case = find_case(case_id)
    tried = [each for each in case.ALTERNATIVES if not each.settings_only and not case.NEEDS.compile_only]
    unbuilt = {each["name"] for each in alternatives if "cannot be built" in each["reason"]}
    assert not unbuilt or case.NEEDS.nki
    tried = [each for each in tried if each.name not in unbuilt]
    measured = {each["name"]: each["helps"] for each in alternatives if each["outcome"] != "not-run"}
    claimed = {each.name: each.works and each.kind != "semantics-changing" for each in tried}
    reasons = {each["name"]: each["reason"] for each in alternatives}
    assert measured == claimed, reasons
    assert not any(each["equivalent"] for each in alternatives if each["semantics_changing"])
    assert not [each for each in alternatives if each["outcome"] == "not-run" and each["max_abs_error"] is not None]


@pytest.mark.usefixtures("xla")
@pytest.mark.parametrize("case_id", [each for each in IDS if each not in TRULY_REPRODUCED])
def test_what_only_neuronx_cc_shows_is_lowered_and_left_open(case_id: str, results: dict[str, dict[str, Any]]) -> None:
    result = results[case_id]
    assert result["original"]["outcome"] == "not-run"
    assert result["verdict"] == "cannot-tell"
    if find_case(case_id).NEEDS.nki:
        assert "cannot be built" in result["reason"]
        return
    assert result["original"]["trigger_in_hlo"] is True
    assert "not neuronx-cc" in result["reason"]


@pytest.mark.usefixtures("xla")
@pytest.mark.parametrize("case_id", TRULY_REPRODUCED)
def test_failures_of_torch_and_xla_are_truly_reproduced(case_id: str, results: dict[str, dict[str, Any]]) -> None:
    result = results[case_id]
    assert (result["original"]["outcome"], result["original"]["finding"]) == ("reproduced", case_id)
    assert result["verdict"] == "confirmed"
    assert WORDS.get(case_id, "Error") in Path(result["original"]["log"]).read_text()


@pytest.mark.usefixtures("xla")
def test_a_result_is_published_as_promised(results: dict[str, dict[str, Any]]) -> None:
    result = results["NCC-EVRF001"]
    promised = {"schema", "case", "backend", "versions", "original", "alternatives", "verdict", "reason"}
    assert promised <= result.keys()
    assert {"outcome", "finding", "seconds", "log", "reason"} <= result["original"].keys()
    of_each = {"name", "kind", "outcome", "finding", "seconds", "log", "equivalent", "max_abs_error", "cosine"}
    assert of_each | {"tolerance", "trigger_in_hlo"} <= result["alternatives"][0].keys()
    assert {each["kind"] for each in result["alternatives"]} <= {"fix", "fallback"}


@pytest.mark.usefixtures("xla")
@pytest.mark.parametrize("case_id", ["NCC-EVRF018", "XLA-ViewOperator"])
def test_a_script_runs_alone(case_id: str, results: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    case = find_case(case_id)
    script = write_script(case, results[case_id], tmp_path)
    command, own = [sys.executable, "-I", script], {**os.environ, "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, env=own)
    assert ran.returncode == (1 if case.NEEDS.compiler == "xla-cpu" else 0), ran.stderr
    assert "torch-xla 2.9" in ran.stdout
    for alternative in case.ALTERNATIVES:
        assert f"{alternative.name}: [tensor" in ran.stdout
        assert (tmp_path / f"{alternative.name}.hlo_module.pb").stat().st_size > 0
    assert WORDS.get(case_id, "original: [tensor") in ran.stdout


HANGING_CASE = """
import os, time
from neurontriage.repro.case import Alternative, Example, Needs, Origin
from neurontriage.repro.lazy import torch
ID, TITLE, NEEDS = "ZZ-Hangs", "hangs, crashes, works", Needs("xla-cpu")
ORIGIN = Origin("analogue", "https://example.org")
def hangs(x): time.sleep(600)
def crashes(x): os.abort()
def works(x): return x * 2
ALTERNATIVES = (Alternative("crashes", "fix", crashes), Alternative("works", "fix", works))
def build(): return Example(hangs, (torch.ones(2),), reference=works)
def trigger(module): return False
"""


@pytest.mark.usefixtures("xla")
def test_a_variant_that_hangs_or_crashes_takes_nothing_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "zz_hangs.py").write_text(HANGING_CASE)
    driver = (
        "import sys; from neurontriage.repro import cases, worker; cases.__path__.append(sys.argv[1]);"
        "worker.GRACE = 3.0; import json; worker.main(json.loads(sys.argv[2]))"
    )
    request = {"case": "ZZ-Hangs", "backend": "xla-cpu", "target": "trn1", "limit": 2.0}
    request |= {"folder": str(tmp_path / "out"), "variants": ["original", "crashes", "works"]}
    command = [sys.executable, "-c", driver, str(tmp_path), json.dumps(request)]
    subprocess.run(command, check=True, timeout=300, env={**os.environ, "PJRT_DEVICE": "CPU"})
    loaded = {
        each: session.load_attempt(tmp_path / "out" / each, settings(tmp_path).explain) for each in request["variants"]
    }
    assert loaded["original"] and loaded["original"].ended.timed_out
    assert loaded["crashes"] and loaded["crashes"].ended.fault == "killed by SIGABRT"
    assert loaded["works"] and loaded["works"].record["equality"]["equivalent"]


def test_cases_live_in_one_folder() -> None:
    assert len(list(cases.__path__)) == 1
