"""Whole cases with the stand-in for neuronx-cc: never more is said than was seen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from neurontriage.repro import backends, environment, machine, session
from neurontriage.repro.catalogue import all_cases, find_case
from neurontriage.repro.script import write_script
from neurontriage.repro.worker_process import Worker
from neurontriage.triage import explain_text

pytestmark = [pytest.mark.xla, pytest.mark.usefixtures("xla")]
STANDIN = Path(__file__).parent / "standin_neuronx_cc.py"
BACKEND = backends.load("neuronx-cc")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Worker, Path]]:
    """A worker whose neuronx-cc is the stand-in, and the file that tells the stand-in what to play."""
    folder = tmp_path_factory.mktemp("bench")
    control, path = folder / "control.json", folder / "bin" / "neuronx-cc"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nexec {sys.executable} {STANDIN} "$@"\n')
    path.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("STANDIN_CONTROL", str(control))
        assert environment.compiler() == path
        with Worker(BACKEND.environment("trn1"), folder / "worker.log") as worker:
            yield worker, control


def examined(
    bench: tuple[Worker, Path], folder: Path, case_id: str, limit: float = 120, **plays: str
) -> dict[str, Any]:
    worker, control = bench
    control.write_text(json.dumps({f"STANDIN_{name}": value for name, value in plays.items()}))
    settings = session.Settings(folder, "trn1", limit, lambda text: explain_text(text, path="log"))
    return session.examine_with(worker, find_case(case_id), BACKEND, settings)


@pytest.mark.parametrize(
    ("case_id", "plays", "outcome", "verdict"),
    [
        ("NCC-EVRF010", "dilation", "reproduced", "confirmed"),
        ("NCC-EVRF010", "user-error", "different-failure", "cannot-tell"),
        ("NCC-EVRF010", "hang-after-text", "timed-out", "cannot-tell"),
        ("NCC-EVRF010", "kill", "different-failure", "cannot-tell"),
        ("NCC-EVRF010", "no-neff", "different-failure", "cannot-tell"),
        ("NCC-EVRF010", "garbage", "different-failure", "cannot-tell"),
        ("NCC-EVRF001", "other-operator", "different-failure", "cannot-tell"),
        ("NCC-EVRF015", "warning-then-success", "passed", "not-reproduced"),
        ("TEN404-InferIntrinsicOnCC", "ten404", "reproduced", "cannot-tell"),
    ],
)
def test_the_failing_graph_alone_fails(
    bench: tuple[Worker, Path], tmp_path: Path, case_id: str, plays: str, outcome: str, verdict: str
) -> None:
    """The stand-in is no neuronx-cc: what it says of an analogue stays open."""
    limit = 4 if "hang" in plays else 120
    result = examined(bench, tmp_path, case_id, limit, PLAYS=plays, ORIGINAL_ONLY="1")
    original = result["original"]
    assert (original["outcome"], result["verdict"]) == (outcome, verdict), result["reason"]
    assert "stand-in" in Path(original["log"]).read_text(errors="replace")
    assert original["command"].split()[1] == "compile"
    assert original["tries"] == (1 if outcome in ("timed-out", "passed") else 2)
    assert original["timed_out"] is (outcome == "timed-out")
    assert result["peak_memory_mb"] >= original["peak_memory_mb"] > 1
    assert result["seconds"] >= original["seconds"] > 0
    assert not machine.genuine(result["compiler"])
    assert result["compiler"]["digest"].startswith("sha256:")


def test_a_failure_that_does_not_come_again_is_not_counted(bench: tuple[Worker, Path], tmp_path: Path) -> None:
    once = str(tmp_path / "failed")
    result = examined(bench, tmp_path, "NCC-EVRF010", PLAYS="dilation", ORIGINAL_ONLY="1", ONCE=once)
    assert (result["original"]["outcome"], result["original"]["tries"]) == ("passed", 2)
    assert "after it failed once (NCC-EVRF010)" in result["original"]["reason"]


def test_a_listed_fix_that_fails_refutes_what_a_page_documents(bench: tuple[Worker, Path], tmp_path: Path) -> None:
    result = examined(bench, tmp_path, "NCC-EVRF010", PLAYS="dilation")
    assert (result["original"]["outcome"], result["verdict"]) == ("reproduced", "refuted")
    assert "dilate-kernel-by-hand" in result["reason"]


def test_a_script_compiles_and_ends_with_one_when_the_failure_shows(bench: tuple[Worker, Path], tmp_path: Path) -> None:
    control, case = bench[1], find_case("NCC-EVRF018")
    state = {"target": "trn1", "versions": {}, "backend": "none", "verdict": "none", "reason": "none"}
    script = write_script(case, state, tmp_path)
    own = {**os.environ, "STANDIN_CONTROL": str(control)}
    for when, status in (("rhs_dilate", 0), ("", 1)):
        control.write_text(json.dumps({"STANDIN_PLAYS": "dilation", "STANDIN_WHEN": when}))
        command = [sys.executable, "-I", str(script), "original"]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, env=own)
        assert ran.returncode == status, ran.stdout + ran.stderr
        assert "neuronx-cc compile --framework XLA original.hlo_module.pb --target trn1" in ran.stdout
        assert ("neuronx-cc failed" in ran.stdout) is bool(status)


def test_a_compiler_that_accepts_everything_confirms_and_refutes_nothing(
    bench: tuple[Worker, Path], tmp_path: Path
) -> None:
    cases = [
        case for case in all_cases().values() if case.NEEDS.compiler == "neuronx-cc" and not case.NEEDS.environment
    ]
    some = [case.ID for case in cases if case.ORIGIN.kind == "analogue"][::4] + [case.ID for case in cases][::12]
    verdicts = {case_id: examined(bench, tmp_path, case_id)["verdict"] for case_id in some}
    assert set(verdicts.values()) <= {"not-reproduced", "cannot-tell"}, verdicts
