"""A full disk, a folder that cannot be written, a compiler that changes: said as such, never taken for a result."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from neurontriage import cli
from neurontriage.model import Diagnosis
from neurontriage.repro import backends, disk, machine, reporting, session, sweep, worker_process
from neurontriage.repro.catalogue import find_case

STANDIN = (sys.executable, str(Path(__file__).parent / "standin_worker.py"))


def settings(folder: Path) -> session.Settings:
    return session.Settings(folder, "trn1", 10, lambda text: Diagnosis((), ()))


def run(folder: Path, *ids: str) -> dict[str, Any]:
    plan = sweep.Plan(1, start=lambda environment, log: worker_process.Worker(environment, log, STANDIN))
    return sweep.sweep([find_case(each) for each in ids], backends.load("xla-cpu"), settings(folder), plan)


def test_a_disk_that_fills_up_ends_a_sweep_and_keeps_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a worker leaves on a full disk are empty files, which look like an attempt that never began."""
    left = [True, False]
    monkeypatch.setattr(disk, "check", lambda folder: None if left.pop(0) else fail(folder))
    with pytest.raises(OSError, match="No space"):
        run(tmp_path, "NCC-EVRF010", "NCC-EVRF011", "NCC-EVRF013")
    assert [path.parent.name for path in tmp_path.glob("*/fingerprint")] == ["NCC-EVRF010"]


def fail(folder: Path) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def test_a_full_disk_is_no_fault_of_the_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(disk, "check", fail)
    assert cli.run(cli.build("repro"), ["repro", "NCC-EVRF010", "-o", str(tmp_path / "out")]) == 2
    assert "No space left on device" in capsys.readouterr().err


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken = tmp_path / "taken"
    taken.touch()
    for wrong in (taken, taken / "below"):
        assert cli.run(cli.build("repro"), ["repro", "NCC-EVRF010", "-o", str(wrong)]) == 2
        assert "cannot be written" in capsys.readouterr().err


def test_half_written_files_of_an_attempt_are_an_attempt_that_did_not_end(tmp_path: Path) -> None:
    for text in ("", "{", "[]"):
        (tmp_path / "ended.json").write_text(text)
        assert session.load_attempt(tmp_path, lambda text: Diagnosis((), ())) is None


def test_a_compiler_that_is_replaced_meanwhile_gives_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests = iter(range(1000))
    monkeypatch.setattr(machine, "compiler", lambda: {"path": "x", "version": "2.1.1.1", "digest": str(next(digests))})
    (found,) = run(tmp_path, "NCC-EVRF010")["cases"]
    assert found["verdict"] == "cannot-tell"
    assert "replaced while it compiled" in found["reason"]
    assert not list(tmp_path.glob("*/fingerprint"))


def test_what_was_not_tried_is_not_listed_as_no_help(tmp_path: Path) -> None:
    document = json.loads(json.dumps(run(tmp_path, "NCC-EVRF010")))
    for each in document["cases"][0]["alternatives"]:
        each.update(outcome="not-run", helps=False)
    assert "dilate" not in reporting.draw(document)


def test_the_report_fits_the_terminal_and_breaks_no_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    result = run(tmp_path, "NCC-EVRF010")["cases"][0] | {"schema": "neurontriage.repro/1"}
    source = result["origin"]["source"]
    lines = reporting.draw(json.loads(json.dumps(result))).splitlines()
    assert f"  {source}" in lines
    assert [line for line in lines if line != line.rstrip() or (len(line) > 60 and "://" not in line)] == []
