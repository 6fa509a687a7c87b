"""TorchNeuron against its documented interface: torch.compile with a backend named neuron, here a stand-in on CPU."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from neurontriage.repro import lowering
from neurontriage.repro.backends import CompileFailed, Job, load, torchneuron
from neurontriage.repro.catalogue import find_case, uses_xla
from neurontriage.repro.lazy import torch
from neurontriage.repro.script import write_script
from neurontriage.repro.session import unfit

pytestmark = [pytest.mark.xla, pytest.mark.usefixtures("xla")]
TEN404 = "2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Graphs that the stand-in backend was given; it runs them as they are, and refuses those with a sine."""
    found: list[Any] = []

    def compiled(graph: Any, _inputs: Any) -> Any:
        found.append(graph)
        if any("sin" in str(node.target) for node in graph.graph.nodes):
            raise RuntimeError(TEN404)
        return graph.forward

    monkeypatch.setattr(torchneuron, "DEVICE", "cpu")
    monkeypatch.setattr(torchneuron, "DYNAMO_BACKEND", compiled)
    monkeypatch.setenv("NEURON_CC_FLAGS", "")
    return found


def job(folder: Path) -> Job:
    return Job(folder, "trn2", ("-O1",), 60, folder / "slots", 1)


def test_a_graph_is_compiled_once_and_run(calls: list[Any], tmp_path: Path) -> None:
    lowered = torchneuron.lower(lambda x: (x * 2, x + 1), (torch.ones(2),))
    assert (lowered.hlo, calls) == (None, [])
    facts = torchneuron.compile(lowered, job(tmp_path))
    assert len(calls) == 1
    assert "NEURON_CC_FLAGS=-O1" in facts["command"]
    assert [value.numbers for value in lowering.read(torchneuron.run(lowered))] == [(2.0, 2.0), (2.0, 2.0)]


def test_what_leaves_the_device_runs_eagerly(calls: list[Any], tmp_path: Path) -> None:
    lowered = torchneuron.lower(torch.sin, (torch.zeros(2),), True)
    facts = torchneuron.compile(lowered, job(tmp_path))
    assert (calls, facts["command"]) == ([], "eager, NEURON_CC_FLAGS=-O1")
    assert [value.numbers for value in lowering.read(lowered.outputs)] == [(0.0, 0.0)]


def test_an_alternative_written_with_torch_xla_is_not_run(tmp_path: Path) -> None:
    from neurontriage.repro import session
    from neurontriage.triage import explain_text

    case = find_case("NCC-EVRF015")
    settings = session.Settings(tmp_path, "trn2", 60, lambda text: explain_text(text, path="log"))
    tried = {
        each["name"]: each["reason"] for each in session.judge(case, load("torchneuron"), settings)["alternatives"]
    }
    assert "torch-xla" in tried["known-target"]
    assert "torch-xla" not in tried["plain-operators"]


def test_a_refusal_is_a_failed_compilation(calls: list[Any], tmp_path: Path) -> None:
    with pytest.raises(CompileFailed, match="TEN404"):
        torchneuron.compile(torchneuron.lower(torch.sin, (torch.ones(2),)), job(tmp_path))


def test_cases_that_are_written_with_torch_xla_are_left_out_with_the_reason() -> None:
    backend = load("torchneuron")
    assert "torch-xla" in unfit(find_case("NCC-EVRF017"), backend)
    assert unfit(find_case("NCC-EVRF001"), backend) == ""
    assert not unfit(find_case("NCC-EVRF017"), load("neuronx-cc"))
    assert uses_xla("XLA-SyncMissing")


NO_XLA = """
import sys, pathlib
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("torch_xla", "_XLAC"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocked())
text = pathlib.Path("repro.py").read_text().replace('else "neuron"', 'else "cpu"')
sys.argv = ["repro.py"]
exec(compile(text.replace('backend="neuron"', 'backend="eager"'), "repro.py", "exec"), {"__name__": "__main__"})
"""


def test_a_script_runs_where_torch_xla_is_not(tmp_path: Path) -> None:
    """Device and backend of TorchNeuron are stand-ins here: the CPU, and graphs that run as they are."""
    state = {"target": "trn2", "versions": {}, "backend": "none", "verdict": "none", "reason": "none"}
    write_script(find_case("NCC-EVRF010"), state, tmp_path)
    ran = subprocess.run([sys.executable, "-c", NO_XLA], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "dilate-kernel-by-hand: [tensor" in ran.stdout
