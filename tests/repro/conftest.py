"""Fixtures of the repro tests: the stand-in compiler on PATH, and torch-xla where a test needs it."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from neurontriage.repro import environment
from neurontriage.repro.backends import backend_install

Once = Callable[[str, Callable[[Path], None]], Path]
STANDIN = Path(__file__).parent / "standin_neuronx_cc.py"


@pytest.fixture
def standin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in front of PATH whose `neuronx-cc` is the stand-in."""
    folder = tmp_path / "bin"
    folder.mkdir()
    executable = folder / "neuronx-cc"
    executable.write_text(f'#!/bin/sh\nexec {sys.executable} {STANDIN} "$@"\n')
    executable.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return executable


@pytest.fixture
def xla() -> None:
    """Fails, rather than skips, where torch-xla is missing: these tests are part of the suite."""
    problem = environment.xla_problem()
    if problem:
        pytest.fail(f"{problem}; {backend_install('xla-cpu')}", pytrace=False)


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """A folder by name, filled by the first test process that asks for it; the others wait for that."""
    base = tmp_path_factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def filled(name: str, fill: Callable[[Path], None]) -> Path:
        folder = root / name
        with (root / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                folder.mkdir()
                fill(folder)
        return folder

    return filled
