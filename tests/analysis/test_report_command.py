"""`neurontriage report` from the command line to its exit code, with the shipped knowledge base."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from neurontriage.cli import build, run

SAMPLES = Path(__file__).parents[2] / "samples" / "analyze"
BAD = str(SAMPLES / "training-unsupported-verbosity-1.json")
GOOD = str(SAMPLES / "training-supported.json")


def report(*words: str) -> int:
    return run(build("report"), ["report", *words])


def test_supported_ends_with_0_and_unsupported_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(GOOD) == 0
    assert "Every operator compiles." in capsys.readouterr().out
    assert report(BAD) == 1
    out = capsys.readouterr().out
    assert "NCC-EVRF004" in out
    assert "test2_unsup.py:24" in out
    assert "supported and unsupported at once" in out


def test_html_writes_one_file_and_prints_its_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "result.json"
    source.write_bytes(Path(BAD).read_bytes())
    assert report(str(source), "--html") == 1
    written = Path(capsys.readouterr().out.strip())
    assert written == tmp_path / "result.html"
    assert written.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert written.stat().st_size < 300_000


def test_o_chooses_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.json"
    assert report(GOOD, "--format", "json", "-o", str(target)) == 0
    assert capsys.readouterr().out.strip() == str(target)
    assert json.loads(target.read_text())["schema"] == "neurontriage.report/1"


def test_compare_and_log(capsys: pytest.CaptureFixture[str]) -> None:
    log = str(SAMPLES / "training-unsupported.log")
    assert report(BAD, "--format", "json", "--compare", GOOD, "--log", log) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["comparison"]["worse"] == ["aten::mul"]
    assert data["comparison"]["percentage_before"] == 100.0
    assert data["log"] == []


def test_two_verbosities_of_one_model_are_compared_by_use(capsys: pytest.CaptureFixture[str]) -> None:
    """Verbosity 1 lists two instructions for the one use that both reports refuse: nothing got worse."""
    names = [str(SAMPLES / f"training-unsupported{which}.json") for which in ("-verbosity-1", "")]
    assert report(names[0], "--compare", names[1]) == 1
    shown = capsys.readouterr().out
    assert "call sites are compared" in " ".join(shown.split())
    assert "worse" not in shown
    assert "better" not in shown


def test_uses_and_instructions_are_columns_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    report(str(SAMPLES / "training-unsupported-verbosity-1.json"), "--format", "json")
    (found,) = [each for each in json.loads(capsys.readouterr().out)["operators"] if each["kind"] == "aten::mul"]
    assert (found["supported"], found["refused_uses"], found["refused_instructions"]) == (1, 1, 2)


@pytest.mark.parametrize("format", ["terminal", "markdown", "json", "html"])
def test_every_format_says_what_analyze_cannot_see_and_what_to_try(
    format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "report"
    report(str(SAMPLES / "training-unsupported-verbosity-1.json"), "--format", format, "-o", str(written))
    text = written.read_text()
    assert "never reach analyze" in text
    assert "NCC-EVRF004" in text
    assert "repro" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing.json"], "no such file"),
        ([GOOD, "--format", "htm"], "did you mean html?"),
        ([GOOD, "--compare", "nothing.json"], "nothing.json: no such file"),
        ([GOOD, "-o", "/nowhere/at/all.html"], "No such file or directory"),
        ([__file__], "not JSON"),
        ([str(SAMPLES.parent / "hlo" / "conv-step.hlo_module.pb")], "neurontriage preflight"),
    ],
)
def test_refusals(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(*words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert message in told.err
    assert "Traceback" not in told.err


@pytest.mark.skipif(os.name != "posix", reason="named pipes")
def test_a_pipe_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(Path(GOOD).read_bytes(),))
    writer.start()
    assert report(str(pipe)) == 0
    writer.join()
    assert "100.00 %" in capsys.readouterr().out
