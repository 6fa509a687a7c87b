"""The neuronx-cc backend against a stand-in that replays recorded output; it is no proof about the real compiler."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from neurontriage.repro.backends import CompileFailed, Job, neuronx_cc
from neurontriage.repro.lowering import Lowered
from neurontriage.repro.session import failure
from neurontriage.triage import explain_text

GRAPH = Lowered((), "", b"module with a sort", ())


def job(folder: Path, *flags: str, limit: float = 30) -> Job:
    return Job(folder / "work", "trn1", flags, limit)


def compile_log(folder: Path) -> str:
    return (folder / "work" / neuronx_cc.LOG).read_text(errors="replace")


def test_success_measures_the_neff(tmp_path: Path, standin: Path) -> None:
    measured = neuronx_cc.compile(GRAPH, job(tmp_path))
    assert measured["neff_bytes"] == len(b"stand-in NEFF")
    assert measured["compiler_peak_mb"] > 1
    assert compile_log(tmp_path).startswith("stand-in neuronx-cc")


@pytest.mark.parametrize(
    ("plays", "how_it_ended", "entry"),
    [
        ("ten404", "exit status 70", "TEN404-InferIntrinsicOnCC"),
        ("user-error", "exit status 1", "NCC-EVRF029"),
        ("kill", "killed by SIGKILL", None),
        ("no-neff", "exit status 0 but no NEFF", None),
        ("garbage", "exit status 3", None),
    ],
)
def test_each_class_of_failure_is_told_apart(
    tmp_path: Path, standin: Path, monkeypatch: pytest.MonkeyPatch, plays: str, how_it_ended: str, entry: str | None
) -> None:
    monkeypatch.setenv("STANDIN_PLAYS", plays)
    with pytest.raises(CompileFailed, match=how_it_ended) as failed:
        neuronx_cc.compile(GRAPH, job(tmp_path))
    assert {"exit_status", "timed_out", "command", "neff_bytes", "compiler_peak_mb"} <= failed.value.facts.keys()
    assert compile_log(tmp_path).startswith("stand-in neuronx-cc")
    found = failure(tmp_path / "work", lambda text: explain_text(text, path="neuronx-cc.log"))
    assert (found.entry if found else None) == entry


def test_host_memory_is_recognised(tmp_path: Path, standin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANDIN_PLAYS", "host-memory")
    with pytest.raises(CompileFailed):
        neuronx_cc.compile(GRAPH, job(tmp_path))
    found = failure(tmp_path / "work", lambda text: explain_text(text, path="neuronx-cc.log"))
    assert found is not None
    assert "F137" in found.entry


def test_a_hanging_compiler_is_stopped(tmp_path: Path, standin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANDIN_PLAYS", "hang")
    with pytest.raises(CompileFailed, match="time limit"):
        neuronx_cc.compile(GRAPH, job(tmp_path, limit=1))


def test_a_neff_of_an_earlier_run_does_not_count(
    tmp_path: Path, standin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    neuronx_cc.compile(GRAPH, job(tmp_path))
    monkeypatch.setenv("STANDIN_PLAYS", "no-neff")
    with pytest.raises(CompileFailed, match="no NEFF"):
        neuronx_cc.compile(GRAPH, job(tmp_path))


def test_a_neff_that_comes_late_does_not_come(tmp_path: Path, standin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the compiler leaves running is ended with it: nothing is written behind the verdict."""
    monkeypatch.setenv("STANDIN_PLAYS", "late-neff")
    with pytest.raises(CompileFailed, match="no NEFF"):
        neuronx_cc.compile(GRAPH, job(tmp_path))
    time.sleep(1.5)
    assert not (tmp_path / "work" / neuronx_cc.NEFF).exists()


def test_the_documented_command_line(standin: Path) -> None:
    line = neuronx_cc.command(job(Path("x"), "--implicit-integer-downcast=none"))
    assert line[0] == str(standin)
    assert line[1] == "compile"
    assert "--implicit-integer-downcast=none" in line
    assert [line[line.index(option) + 1] for option in ("--framework", "--target", "--output")] == [
        "XLA",
        "trn1",
        "graph.neff",
    ]


@pytest.mark.xla
@pytest.mark.neuronx_cc
def test_the_real_compiler_takes_the_command_line(tmp_path: Path, xla: None) -> None:
    """Needs the real neuronx-cc; without it this is reported as not run."""
    from neurontriage.repro import environment
    from neurontriage.repro.catalogue import find_case
    from neurontriage.repro.session import Settings, examine

    if environment.compiler() is None or environment.placeholder("neuronx-cc"):
        pytest.skip("not run: the real neuronx-cc is not installed here")
    settings = Settings(tmp_path, "trn1", 600, lambda text: explain_text(text, path="log"))
    result = examine(find_case("NCC-EVRF010"), neuronx_cc, settings)
    assert [each["outcome"] for each in result["alternatives"][:2]] == ["compiled", "compiled"]
