"""The command line: options, outputs, and what is kept when something goes wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from neurontriage.cli import build, run
from neurontriage.measure import keeping
from neurontriage.measure.devices import load, neuron

ROOT = Path(__file__).parent.parent.parent


def measure(*words: str) -> int:
    return run(build("measure"), ["measure", *words])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--graphs", "tiny,huge"], "huge"),
        (["--patterns", "loop"], "natural, dependent, vmap, scan"),
        (["--backend", "tpu"], "xla-cpu"),
        (["--compare", "pyproject.toml"], "not JSON"),
        (["--format", "xml"], "terminal"),
        (["--output", "/nowhere/result.json"], "/nowhere/result.json"),
        (["--output", "/"], "is a folder"),
    ],
)
def test_wrong_words_end_with_one_message(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert measure(*words) == 2
    error = capsys.readouterr().err
    assert said in error and error.startswith("error: ") and "Traceback" not in error


@pytest.mark.parametrize("name", ["torch", "torch-xla", "scipy"])
def test_a_missing_extra_is_named(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from neurontriage.repro import environment

    there = {"torch": "2.9.1", "torch-xla": "2.9.0", "scipy": "1.17.1"}
    monkeypatch.setattr(environment, "version", lambda package: there.get(package) if package != name else None)
    assert measure("--backend", "xla-cpu") == 2
    error = capsys.readouterr().err
    assert f"{name} not installed" in error and "pip install 'neurontriage[xla]'" in error


@pytest.mark.parametrize("name", ["neuron", "torchneuron"])
def test_a_device_that_is_not_there_is_said(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not load(name).missing():
        pytest.skip("this machine has one")
    assert measure("--backend", name) == 2
    assert "cannot be used" in capsys.readouterr().err


def test_neuron_compiles_into_a_fresh_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NEURON_CC_FLAGS", "--cache_dir /mnt/old -O1 --cache_dir=/mnt/older --model-type=transformer")
    variables = neuron.environment(tmp_path, 0)
    assert variables["NEURON_CC_FLAGS"] == "-O1 --model-type=transformer"
    assert variables["NEURON_COMPILE_CACHE_URL"] == str(tmp_path / "cache")


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    output = tmp_path / "result.json"
    output.write_text("old")
    keeping.check(output)
    assert output.read_text() == "old"
    keeping.write(output, "new")
    assert output.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_a_result_is_not_lost_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder could be written before the measurement, and cannot any more after it."""
    from neurontriage.errors import TriageError
    from neurontriage.measure import importing

    document = {"schema": "neurontriage.measure/1", "patterns": [], "interrupted": False}

    def full(output: Path, text: str) -> None:
        raise TriageError("cannot-write", f"{output}: No space left on device")

    monkeypatch.setattr(importing, "load", lambda path: document)
    monkeypatch.setattr(keeping, "write", full)
    assert measure("--import", "x.json", "-o", str(tmp_path / "result.json")) == 2
    shown = capsys.readouterr()
    assert json.loads(shown.out) == document
    assert "No space left on device" in shown.err


@pytest.mark.xla
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_was_measured(number: signal.Signals, tmp_path: Path) -> None:
    output = tmp_path / "result.json"
    words = ["--graphs", "tiny", "--patterns", "natural", "--processes", "50", "--trials", "2", "-o", str(output)]
    command = [sys.executable, "-m", "neurontriage", "measure", *words]
    child = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert child.stderr
    while "process 2 of" not in child.stderr.readline():
        assert child.poll() is None
    time.sleep(0.2)
    child.send_signal(number)
    shown, _ = child.communicate(timeout=60)
    assert child.returncode == 130
    found = json.loads(output.read_text())
    assert found["interrupted"] and found["patterns"][0]["counts"]["compiles"] == 1
    assert "interrupted" in shown
