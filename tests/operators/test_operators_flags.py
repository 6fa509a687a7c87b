"""Flags of the compiler as users write them, and what the commands say to a quotation that does not end."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurontriage import cli
from neurontriage.operators.flags import split

MODULE = str(Path(__file__).parents[2] / "samples" / "hlo" / "conv-step.hlo_module.pb")


def ended(words: list[str]) -> object:
    """The exit status of the program."""
    with pytest.raises(SystemExit) as left:
        cli.main(words)
    return left.value.code


def test_words_are_quoted_as_for_a_shell() -> None:
    assert split("") == ()
    assert split("-O1  --internal-hlo2tensorizer-options='--a --b'") == (
        "-O1",
        "--internal-hlo2tensorizer-options=--a --b",
    )


@pytest.mark.parametrize(
    "command",
    [
        ["preflight", MODULE],
        ["reduce", MODULE, "--like", "NCC_EVRF029"],
        ["repro", "NCC-EVRF029"],
    ],
    ids=lambda words: words[0],
)
def test_an_unfinished_quotation_is_one_clear_message(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ended([*command, "--flags", "--a 'b"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: --flags --a 'b: No closing quotation\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["preflight", ""], "error: an empty name: no such file"),
        (["preflight", "notes.json"], "error: notes.json: text, but no HLO module"),
        (["reduce", "absent.pb", "--like", "NCC_EVRF029"], "error: absent.pb: no such file"),
    ],
)
def test_what_is_no_target_is_told_before_anything_else(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.json").write_text('{\n  "a": 1\n}\n')
    assert ended(words) == 2
    assert capsys.readouterr().err.startswith(message)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.json"]
