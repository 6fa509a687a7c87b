"""Several compilers, and Ray's own local cluster: one command gives cases × compiler versions."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from neurontriage import cli
from neurontriage.repro import fleet
from neurontriage.repro.catalogue import find_case
from neurontriage.repro.running import Request

STANDIN = Path(__file__).parent / "standin_neuronx_cc.py"


def compiler(folder: Path, version: str, plays: str) -> Path:
    """A stand-in that says a version and fails on the original graph or compiles everything."""
    path = folder / version / "bin" / "neuronx-cc"
    path.parent.mkdir(parents=True)
    told = f"STANDIN_VERSION='stand-in {version}' STANDIN_PLAYS={plays} STANDIN_ORIGINAL_ONLY=1"
    path.write_text(f'#!/bin/sh\n{told} exec {sys.executable} {STANDIN} "$@"\n')
    path.chmod(0o755)
    return path


def test_a_compiler_is_its_path_or_its_environment(tmp_path: Path) -> None:
    path = compiler(tmp_path, "2.21.1.0", "success")
    for given in (path, path.parent, path.parent.parent):
        assert fleet.checked(str(given)) == str(path)


def test_the_compiler_of_a_sweep_is_the_first_on_the_path_and_only_then(tmp_path: Path) -> None:
    before, path = os.environ["PATH"], compiler(tmp_path, "2.21.1.0", "success")
    with fleet.compiler_first(str(path)):
        assert os.environ["PATH"].startswith(str(path.parent))
    assert os.environ["PATH"] == before
    assert fleet.label(str(path)).startswith("2.21.1.0-")


@pytest.mark.xla
@pytest.mark.usefixtures("xla")
@pytest.mark.parametrize("ray", ["", "local"])
def test_a_case_with_two_compilers(tmp_path: Path, ray: str) -> None:
    """The older one fails, the newer one accepts: here, and on a Ray cluster that the run starts and stops."""
    found = tuple(str(compiler(tmp_path, *each)) for each in (("2.21.1.0", "dilation"), ("2.22.1.0", "success")))
    request = Request("neuronx-cc", "trn1", tmp_path / "out", 120, jobs=2, ray=ray, compilers=found)
    seen: list[Any] = []
    document = fleet.sweep_everywhere([find_case("NCC-EVRF010")], request, lambda *news: seen.append(news[:2]))
    assert document["schema"] == "neurontriage.repro-matrix/1"
    assert [each["version"] for each in document["compilers"]] == ["2.21.1.0", "2.22.1.0"]
    verdicts = {each["compiler"]["version"]: each["verdict"] for each in document["cases"]}
    assert verdicts == {"2.21.1.0": "confirmed", "2.22.1.0": "not-reproduced"}
    assert seen[-1] == (2, 2)
    assert len(list((tmp_path / "out").glob("*/NCC-EVRF010/result.json"))) == 2
    assert json.loads((tmp_path / "out" / "matrix.json").read_text()) == document
    if ray:
        import ray as cluster

        assert not cluster.is_initialized()
        assert all(each["host"] == os.uname().nodename for each in document["cases"])


def test_ray_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    words = ["repro", "--all", "--only", "XLA-SyncMissing", "--ray", "local", "-o", str(tmp_path)]
    assert cli.run(cli.build("repro"), words) == 2
    assert "neurontriage[fleet]" in capsys.readouterr().err
