"""A user's own model: what its shapes compile, and what padding would leave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.cli import build, run
from neurontriage.measure import shapes

pytestmark = pytest.mark.xla
ROOT = Path(__file__).parent.parent.parent
MODEL = """
import torch
from beside import WIDTH

def build():
    model = torch.nn.Sequential(torch.nn.Embedding(100, WIDTH), torch.nn.Linear(WIDTH, 8))
    return model, (torch.randint(0, 100, (4, 16)),)

def train(device):
    model = torch.nn.Linear(16, 4).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    def step(model, x):
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        return {"loss": loss, "weights": list(model.parameters())}
    return model, torch.randn(8, 16).to(device), step

runs = 0
def growing():
    def step(model, x):
        global runs
        runs += 1
        return x[:, : runs % 16 + 1].sum()
    return torch.nn.Identity(), torch.randn(4, 16), step

def crashing():
    import ctypes
    def step(model, x):
        return model(x) + 1 if x.shape[1] != 5 else ctypes.string_at(0)
    return torch.nn.Identity(), torch.randn(4, 16), step

def nothing():
    return 3

def fallback():
    return torch.nn.Identity(), torch.randn(4, 16), lambda model, x: torch.nonzero(x > 0).sum()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("own")
    (made / "model.py").write_text(MODEL)
    (made / "beside.py").write_text("WIDTH = 32\n")
    return made


def measured(folder: Path, function: str, *words: str, status: int = 0) -> dict[str, Any]:
    command = [sys.executable, "-m", "neurontriage", "measure", "--module", f"model.py:{function}", "--format", "json"]
    few = ("--processes", "1", "--trials", "2", "--warmup", "1")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*command, *few, *words], capture_output=True, text=True, cwd=folder, env=environment)
    assert done.returncode == status, done.stderr + done.stdout
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_shape_is_a_graph(folder: Path) -> None:
    found = measured(folder, "build", "--shapes", "4x15,4x16,4x17,4x30")
    assert [row["graph"] for row in found["patterns"]] == ["4x15", "4x16", "4x17", "4x30"]
    assert [each["compiles"] for each in found["shapes"]["shapes"]] == [1, 1, 1, 1]
    padded, powers = found["shapes"]["plans"]
    assert (padded["graphs"], powers["graphs"]) == (1, 2)
    assert padded["waste"] == pytest.approx(4 * 30 / (15 + 16 + 17 + 30) - 1)
    assert powers["shapes"] == [[4, 16], [4, 30]]


def test_a_training_step_is_one_graph(folder: Path) -> None:
    (row,) = measured(folder, "train")["patterns"]
    assert (row["counts"]["compiles"], row["counts"]["executions"], row["recompilations"]) == (1, 1, 0)


def test_a_shape_that_grows_is_named_as_unstable(folder: Path) -> None:
    found = measured(folder, "growing")
    assert found["patterns"][0]["recompilations"] >= 4
    assert any("its graph is not stable" in note for note in found["notes"])


def test_a_fallback_is_named(folder: Path) -> None:
    found = measured(folder, "fallback")
    assert found["patterns"][0]["counts"]["executions"] == 2
    assert any("aten::nonzero" in note for note in found["notes"])


def test_a_process_that_dies_takes_only_what_killed_it(folder: Path) -> None:
    found = measured(folder, "crashing", "--shapes", "4x4,4x5,4x6", "--processes", "2", status=1)
    states = {row["graph"]: (row["status"], row["error"]) for row in found["patterns"]}
    assert states["4x4"] == states["4x6"] == ("measured", None)
    assert states["4x5"][0] == "failed" and "SIGSEGV" in states["4x5"][1]
    assert len(found["processes"]) == 2


def test_a_function_that_returns_something_else_is_told_what_was_expected(folder: Path) -> None:
    (row,) = measured(folder, "nothing", status=1)["patterns"]
    assert "model.py:nothing returned int, not (module, inputs)" in row["error"]


@pytest.mark.parametrize(
    "words",
    [
        ["--module", "nowhere.py:build"],
        ["--module", "model.py"],
        ["--shapes", "8x127"],
        ["--module", "{own}:build", "--graphs", "tiny"],
        ["--module", "{own}:build", "--shapes", "8xx"],
        ["--module", "{own}:build", "--shapes", "8x1,8"],
        ["--module", "{own}:build", "--shapes", "0x1"],
    ],
)
def test_what_cannot_be_measured_is_refused_at_once(folder: Path, words: list[str]) -> None:
    assert run(build("measure"), ["measure", *(word.format(own=folder / "model.py") for word in words)]) == 2


@given(st.lists(st.tuples(st.integers(1, 64), st.integers(1, 4000)), min_size=1, max_size=12, unique=True))
def test_buckets_hold_every_shape_and_waste_less_than_the_longest(sizes: list[tuple[int, int]]) -> None:
    longest, powers = shapes.advice(sizes, ())["plans"]
    assert longest["graphs"] == 1 and powers["graphs"] <= len(sizes)
    assert 0 <= powers["waste"] <= longest["waste"] + 1e-9
    assert all(any(s[0] <= p[0] and s[1] <= p[1] for p in powers["shapes"]) for s in sizes)
