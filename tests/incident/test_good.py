"""`--good`: what a good run prints too fails nothing; versions, new lines and missing lines are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage import cli
from neurontriage.facts.wording import Wordings, wording
from neurontriage.incident import Way, read
from neurontriage.knowledge.catalog import Catalog

START = (
    "2026-02-03 04:05:01 INFO ||NEURON_CC_WRAPPER||: Using a cached neff at /var/tmp/neuron-compile-cache/"
    "neuronxcc-2.{}+abcdef01/MODULE_1+d41d8cd9/model.neff\n"
    "2026-02-03 04:05:02 ERROR could not reach the metrics server at 10.0.0.1: connection refused\n"
    "2026-02-03 04:05:03 INFO step 1 loss 2.5\n"
)
GOOD = START.format("15.128.0") + "2026-02-03 04:05:09 INFO saving the checkpoint\n"
BAD = START.format("16.372.0") + "2026-02-03 04:05:05 ERROR the optimizer state does not match: 12 tensors against 14\n"


@pytest.fixture
def logs(tmp_path: Path) -> tuple[str, str]:
    for name, text in (("good.log", GOOD), ("bad.log", BAD)):
        (tmp_path / name).write_text(text)
    return str(tmp_path / "bad.log"), str(tmp_path / "good.log")


def test_what_a_good_run_prints_too_is_harmless(logs: tuple[str, str], catalog: Catalog) -> None:
    bad, good = logs
    (alone,) = read([bad], catalog).diagnoses
    (found,) = read([bad], catalog, Way(good=[good])).diagnoses
    assert not [f for f in alone.findings if f.evidence[0].line == 2 and f.severity == "benign"]
    assert found.roots[0].evidence[0].line == 4
    assert {f.severity for f in found.findings if f.evidence[0].line == 2} == {"benign"}
    assert found.against == (
        "neuronx-cc: 2.15.128.0+abcdef01 in the good run, 2.16.372.0+abcdef01 here",
        f"first new line: {bad}:4: 2026-02-03 04:05:05 ERROR the optimizer state does not match: 12 tensors against 14",
        "the good run went on with: 2026-02-03 04:05:09 INFO saving the checkpoint",
    )


def test_a_run_against_itself_is_good(logs: tuple[str, str], catalog: Catalog) -> None:
    bad, _ = logs
    (found,) = read([bad], catalog, Way(good=[bad])).diagnoses
    assert not found.roots
    assert found.against == ("no line is new",)


def test_the_command_tells_it(logs: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    bad, good = logs
    assert cli.run(cli.build("explain"), ["explain", bad, "--good", good, "--format", "json"]) == 1
    gone = "the good run went on with: 2026-02-03 04:05:09 INFO saving the checkpoint"
    assert gone in json.loads(capsys.readouterr().out)["notes"]
    cli.run(cli.build("explain"), ["explain", bad, "--good", good])
    assert "first new line" in capsys.readouterr().out
    assert cli.run(cli.build("explain"), ["explain", bad, "--good", "nowhere.log"]) == 2
    assert "nowhere.log" in capsys.readouterr().err


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=30), max_size=20))
def test_nothing_is_new_in_the_same_lines(lines: list[str]) -> None:
    content = [f"{line}\n".encode() for line in lines]
    good = Wordings()
    good.read(content)
    found = good.compare(content)
    assert (found.new, found.gone) == (0, "")


def test_numbers_and_ids_are_no_difference() -> None:
    assert wording(b"step 12 of MODULE 0xfe took 1.5 s") == wording(b"step 13 of  MODULE 0x1a took 22 s")
    assert wording(b"12:30 -- 44") == b""
