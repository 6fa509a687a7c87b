"""The torch.compile frontend: plain torch, operators with lines, breaks, recompilations, bad targets."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import load
from neurontriage.preflight.checking import Request, check
from neurontriage.preflight.model import Preflight
from neurontriage.preflight.targets import Wanted

pytestmark = pytest.mark.xla
SCRIPTS = Path(__file__).parent / "scripts"


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SCRIPTS)


def preflight(name: str, target: str = "trn2", **wanted: object) -> Preflight:
    return check(Request(Wanted(name, **wanted), target), load())  # type: ignore[arg-type]


def line(text: str) -> int:
    lines = (SCRIPTS / "models.py").read_text().splitlines()
    return next(number for number, found in enumerate(lines, 1) if text in found)


def test_operators_with_lines_and_the_break() -> None:
    found = preflight("models:breaking")
    names = {row.name for row in found.rows}
    assert {"aten.addmm", "aten.topk", "aten._softmax", "aten.mm"} <= names, "the backward pass too"
    topk = next(row for row in found.rows if row.name == "aten.topk")
    assert topk.sites == (f"models.py:{line('torch.topk(y')}",)
    assert (topk.outcome, topk.lowering) == ("supported", "AwsNeuronTopK")
    assert found.breaks[0].site == f"models.py:{line('a break')}"
    assert "print" in found.breaks[0].reason
    assert not found.unsupported


def test_another_length_compiles_again() -> None:
    found = preflight("models:lengths")
    assert [(one.dimension, one.shapes[1]) for one in found.recompilations] == [(0, (4, 8)), (0, (5, 8))]
    assert {one.function for one in found.recompilations} == {"step"}


def test_unsorted_topk_is_a_sort_and_integers_are_refused() -> None:
    assert [row.entry for row in preflight("models:unsorted").unsupported] == ["NCC-EVRF029"]
    assert [row.entry for row in preflight("models:integers").unsupported] == ["NCC-EVRF013"]


def test_without_memory() -> None:
    found = preflight("models:breaking", meta=True)
    assert found.memory.parts["weights"] == 4 * 72


TRAINING = """import torch

def main():
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(2):
        model(torch.rand(2, 4)).sum().backward()
        optimizer.step()

main()
"""


def test_a_script_without_torch_compile_whose_model_is_gone_at_its_end(tmp_path: Path) -> None:
    script = tmp_path / "plain.py"
    script.write_text(TRAINING)
    found = preflight(str(script))
    assert {row.name for row in found.rows if row.opcode == "dot"} == {"aten.addmm", "aten.mm"}
    parts = found.memory.parts
    assert (parts["weights"], parts["gradients"], parts["optimizer state"]) == (80, 80, 160)


def test_an_exported_program(tmp_path: Path) -> None:
    import torch

    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(torch.nn.Linear(4, 2), (torch.rand(3, 4),)), path)
    found = preflight(str(path))
    assert {row.name for row in found.rows} >= {"aten.addmm"}
    assert found.memory.parts["weights"] == 4 * 10


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("models:absent", "has no absent"),
        ("no_such_module:f", "no_such_module"),
        ("models:nothing", "returned int"),
        ("models:raising", "no checkpoint here"),
        ("models:needing", "needs arguments (input); it must return (callable, example arguments)"),
        ("idle.py", "called neither torch.compile nor a torch module"),
        ("leaving.py", "exit status 1: no data in"),
        ("absent.py", "no such file"),
    ],
)
def test_a_target_that_cannot_be_used(target: str, words: str) -> None:
    with pytest.raises(TriageError) as caught:
        preflight(target)
    assert words in str(caught.value)
    assert target in str(caught.value)
    assert sys.modules.get("models") is None, "the target runs in a child process only"


def test_a_program_that_is_cut_off_is_not_to_be_run_again(tmp_path: Path) -> None:
    path = tmp_path / "model.pt2"
    path.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(TriageError, match=r"model\.pt2") as caught:
        preflight(str(path))
    assert caught.value.hint == "export it again, or give the script"


def test_a_run_that_takes_too_long_names_the_limit(tmp_path: Path) -> None:
    script = tmp_path / "waiting.py"
    script.write_text("import time\ntime.sleep(60)\n")
    with pytest.raises(TriageError, match="time limit") as caught:
        preflight(str(script), limit=1.0)
    assert "--limit" in caught.value.hint


def test_a_script_that_python_cannot_read_is_named_with_its_line(tmp_path: Path) -> None:
    script = tmp_path / "unfinished.py"
    script.write_text("import torch\n\nprint(torch.ones(2)\n")
    with pytest.raises(TriageError, match=r"SyntaxError: .* \(.*unfinished\.py, line 3\)"):
        preflight(str(script))
