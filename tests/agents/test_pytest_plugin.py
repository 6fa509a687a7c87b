"""The plugin in a real pytest run, alone and under xdist: it explains failures of ours and keeps out of others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = """
import logging, subprocess, sys

def test_compiles():
    print("2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC")
    raise RuntimeError("neuronx-cc failed")

def test_compiles_in_a_child():
    code = "print('[NCC_EVRF009] Size of total input and output tensors exceeds HBM limit of Trn1 (24GB)')"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 1

def test_of_another_kind():
    assert 1 == 2

def test_of_xla_that_nobody_knows():
    raise ValueError("torch_xla says something new")

def test_that_holds():
    print("[TEN404] Internal tensorizer error: InferIntrinsicOnCC")

def test_with_a_secret():
    print("[TEN404] Internal tensorizer error: InferIntrinsicOnCC password=hunter22secret")
    assert False
"""


@pytest.mark.parametrize("more", [[], pytest.param(["-n", "2"], marks=pytest.mark.slow)], ids=["alone", "xdist"])
def test_failing_tests_that_compiled_get_a_section(more: list[str], tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TESTS)
    words = ["-p", "no:neurontriage", "-p", "neurontriage.agents.pytest_plugin", "-p", "no:cacheprovider", "-rN", *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", "pytest", *words, "test_it.py"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1, done.stdout
    parts = {part.split(" ")[0]: part for part in done.stdout.split("____ test_")[1:]}
    explained = {name for name, part in parts.items() if "- neurontriage -" in part}
    assert explained == {"compiles", "compiles_in_a_child", "with_a_secret"}, done.stdout
    assert "root 1: TEN404-InferIntrinsicOnCC" in parts["compiles"]
    assert "root 1: NCC-EVRF009" in parts["compiles_in_a_child"]
    assert "hunter22" not in parts["with_a_secret"].partition("- neurontriage -")[2]


def test_pytest_finds_the_plugin_by_itself() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    assert '[project.entry-points.pytest11]\nneurontriage = "neurontriage.agents.pytest_plugin"' in text
