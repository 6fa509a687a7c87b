"""The torch-xla frontend on the CPU client: tutorials, fallbacks with their lines, reads, lengths, real execution."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from neurontriage.analysis.result import load as load_result
from neurontriage.knowledge.catalog import load
from neurontriage.preflight.checking import Request, check
from neurontriage.preflight.export import exported
from neurontriage.preflight.model import Preflight
from neurontriage.preflight.targets import Wanted

pytestmark = pytest.mark.xla
SCRIPTS = Path(__file__).parent / "scripts"


def preflight(name: str, target: str = "trn1") -> Preflight:
    return check(Request(Wanted(str(SCRIPTS / name)), target), load())


def line(name: str, text: str) -> int:
    lines = (SCRIPTS / name).read_text().splitlines()
    return next(number for number, found in enumerate(lines, 1) if text in found)


def test_the_unsupported_model_of_the_tutorial(tmp_path: Path) -> None:
    found = preflight("complex_product.py")
    report = exported(found, 1)
    assert report["support_percentage"] == "60.00%"
    assert report["supported_operators"]["xla"] == [
        "f32[] multiply(f32[], f32[])",
        "f32[4]{0} broadcast(f32[]), dimensions={}",
        "f32[4]{0} add(f32[4]{0}, f32[4]{0})",
    ]
    assert [item["hlo_instruction"] for item in report["unsupported_operators"]["xla"]] == [
        "c64[4]{0} convert(f32[4]{0})",
        "c64[4]{0} multiply(c64[4]{0}, c64[4]{0})",
    ]
    assert {item["aten_op"] for item in report["unsupported_operators"]["xla"]} == {"aten::mul"}
    call = report["unsupported_operators"]["aten"][0]["call"]
    assert call.endswith(f"complex_product.py {line('complex_product.py', 'x * y')}")
    fallback = next(row for row in found.rows if row.outcome == "falls-back")
    assert fallback.name == "aten._fft_r2c"
    assert fallback.sites[0].endswith(f":{line('complex_product.py', 'torch.fft')}")
    path = tmp_path / "result.json"
    path.write_text(json.dumps(report))
    assert load_result(path).percentage == 60.0
    assert "xla" not in exported(found, 2)["supported_operators"]


def test_the_supported_model_of_the_tutorial() -> None:
    found = preflight("two_layers.py")
    report = exported(found, 1)
    assert report["support_percentage"] == "100.00%"
    assert report["unsupported_operators"] == {"aten": [], "xla": []}
    assert report["supported_operators"]["aten"]["aten::mm"] == 10
    assert found.memory.parts["weights"] == 4 * 30
    assert not found.unsupported
    assert not found.ended


def test_topk_fallbacks_reads_and_lengths() -> None:
    name = "topk_and_fallbacks.py"
    found = preflight(name, "trn2")
    assert not found.unsupported, "top-k is no sort on Neuron"
    assert {row.lowering for row in found.rows if row.name == "aten.topk"} == {"AwsNeuronTopK"}
    fallbacks = {row.name: row for row in found.rows if row.outcome == "falls-back"}
    assert {"aten.im2col", "aten.col2im"} <= set(fallbacks)
    assert "backward" in fallbacks["aten.col2im"].seen
    assert fallbacks["aten.col2im"].sites[0].endswith(f":{line(name, 'unfold')}")
    assert "read" in {graph.cause for graph in found.graphs}
    change = next(one for one in found.recompilations if one.dimension is not None)
    assert (3, 8) in change.shapes
    assert (4, 8) in change.shapes
    assert not found.ended


def test_a_shape_that_depends_on_data_is_run_for_real() -> None:
    found = preflight("data_dependent.py")
    assert any("executed on the CPU" in note for note in found.notes)
    assert any(row.name == "aten.nonzero" and row.outcome == "falls-back" for row in found.rows)
    assert not found.ended


RECURRENT = """import torch, torch_xla
device = torch_xla.device()
layer, x = torch.nn.GRU(4, 4).to(device), torch.rand(3, 2, 4).to(device)
layer(x.unfold(0, 2, 1).mean(-1))[0].sum().backward()
torch_xla.sync()
"""


def test_a_recurrent_layer_and_a_view_that_has_no_lowering(tmp_path: Path) -> None:
    """A GRU asks a tensor for its device in the middle of its lowering; unfold is refused by name on Neuron."""
    script = tmp_path / "train.py"
    script.write_text(RECURRENT)
    found = check(Request(Wanted(str(script))), load())
    assert not found.ended
    assert {row.opcode for row in found.rows} >= {"while", "dot", "tanh"}
    unfold = [row for row in found.rows if row.outcome == "falls-back"]
    assert {row.entry for row in unfold} == {"XLA-ViewOperator"}
    assert unfold[0].workarounds


BAD = {
    "raises": ("raise ValueError('no data')", "raised at", "no data"),
    "exits": ("import sys; sys.exit(7)", "exit status 7", ""),
    "hard-exit": ("import os; os._exit(3)", "exit status 3", ""),
    "segfault": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV", ""),
    "megabytes": ("print('x' * 30_000_000); raise ValueError('after much output')", "after much output", ""),
    "forks": ("import os; pid = os.fork(); os._exit(0) if pid == 0 else os.waitpid(pid, 0); 1 / 0", "division", ""),
}


@pytest.mark.parametrize("name", BAD)
def test_what_was_captured_until_then_is_kept(name: str, tmp_path: Path) -> None:
    statement, word, other = BAD[name]
    script = tmp_path / "train.py"
    head = "import torch, torch_xla\nx = torch.rand(4).to(torch_xla.device()) * 2\ntorch_xla.sync()\n"
    script.write_text(head + statement + "\n")
    found = check(Request(Wanted(str(script))), load())
    assert word in found.ended
    assert "before it ended" in found.verdict
    assert other in found.ended
    assert [row.name for row in found.rows if row.opcode == "multiply"] == ["aten.mul"]
