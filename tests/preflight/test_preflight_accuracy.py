"""`--accuracy` with a stand-in for neuronx-cc: it lists and refuses as documented, and compiles nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.preflight import accuracy
from neurontriage.preflight.checking import Request, check
from neurontriage.preflight.formats import renderer
from neurontriage.preflight.model import Agreement
from neurontriage.preflight.targets import Wanted

MIXED = Path(__file__).parents[2] / "samples" / "hlo" / "mixed-operators.hlo_module.pb"
LIST = 'if [ "$1" = list-operators ]; then echo Add Mul Scatter Cos; exit 0; fi\n'
REFUSES = "echo '[ERROR] [NCC_EVRF029] Operation sort is not supported on trn2.'; exit 1\n"
FAILS = "echo '2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC'; exit 70\n"


def answer(catalog: Catalog, folder: Path, script: str | None, monkeypatch: pytest.MonkeyPatch) -> Agreement:
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin" if script is not None else str(folder))
    if script is not None:
        compiler = folder / "neuronx-cc"
        compiler.write_text(f"#!/bin/sh\n# a stand-in, compiles nothing\n{script}")
        compiler.chmod(0o755)
    found = check(Request(Wanted(str(MIXED)), "trn2", accuracy=True), catalog)
    assert found.accuracy is not None
    assert "Against the compiler" in renderer("terminal")(found)
    return found.accuracy


def test_without_a_compiler_it_is_not_run(catalog: Catalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "not installed" in answer(catalog, tmp_path, None, monkeypatch).not_run


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (LIST + REFUSES, None),
        (LIST + FAILS, "but the compiler fails with TEN404-InferIntrinsicOnCC"),
        (LIST + "exit 0\n", "NCC-EVRF029 here, but it compiles"),
        (LIST + "exit 3\n", "but the compiler fails with exit status 3"),
        (LIST + "kill -SEGV $$\n", "but the compiler fails with exit status -11"),
    ],
)
def test_a_graph_is_compiled_and_what_differs_is_said(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, words: str | None
) -> None:
    found = answer(catalog, tmp_path, script, monkeypatch)
    assert found.graphs == 1
    assert found.checked > 5
    differing = [line for line in found.disagree if line.startswith("lowered_misc")]
    assert len(differing) == (words is not None)
    assert any(line.startswith("compare: supported here") for line in found.disagree)
    if words:
        assert words in differing[0]


def test_an_old_compiler_without_a_list_still_compiles(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = answer(catalog, tmp_path, 'if [ "$1" = list-operators ]; then exit 2; fi\n' + REFUSES, monkeypatch)
    assert (found.checked, found.graphs, found.disagree) == (0, 1, ())
    assert "exit status 2" in found.notes[0]


def test_a_compiler_that_never_ends_is_stopped(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(accuracy, "_LIMIT", 0.5)
    found = answer(catalog, tmp_path, LIST + "sleep 60\n", monkeypatch)
    assert any("was stopped" in line for line in found.disagree)
