"""The command: exit statuses, messages and documents."""

from __future__ import annotations

import json

import pytest

from neurontriage import cli


def run(*words: str) -> int:
    return cli.run(cli.build("repro"), ["repro", *words])


def test_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--list", "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "neurontriage.repro-list/1"
    assert "TEN404-InferIntrinsicOnCC" in [case["id"] for case in document["cases"]]


def test_list_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--list") == 0
    shown = capsys.readouterr().out
    assert "TEN404-InferIntrinsicOnCC" in shown
    told = " ".join(shown.split())
    assert "analogue, fails in neuronx-cc, 3 alternatives; here: neuronxcc.nki is not installed" in told
    assert "on torch-xla only" in told


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "not clear which case"),
        (["X", "--all"], "not clear which case"),
        (["NCC-EVRF022", "--backend", "gpu"], "--backend gpu"),
        (["NCC-EVRF022", "--target", "trn9"], "--target trn9"),
        (["NCC-EVRF022", "--format", "pdf"], "--format pdf"),
        (["NCC-EVRF022", "--jobs", "3"], "--jobs: only with --all"),
        (["--all", "--budget", "soon"], "--budget soon"),
        (["--all", "--shard", "9/2"], "--shard 9/2"),
        (["--all", "--only", "nothing"], "no case left"),
        (["--all", "--compiler", "/nowhere"], "no neuronx-cc there"),
        (["NCC-EVRF022", "-o", "/proc/foo"], "cannot be written"),
        (["NCC-EVRF022", "--against", "/proc"], "no results of an earlier run"),
        (["NCC-EVRF0222"], "nearest: NCC-EVRF022"),
    ],
)
def test_wrong_words_are_refused_with_what_is_right(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert expected.split(": ")[-1] in shown.err


def test_a_compiler_that_is_not_here_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    from neurontriage.repro import environment

    monkeypatch.setattr(environment, "compiler", lambda: None)
    assert run("NCC-EVRF022", "--backend", "neuronx-cc") == 2
    assert "pip install 'neuronx-cc" in capsys.readouterr().err
