"""Samples beside expectations, and what a page must say about odd reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from entries import RELEASES, entry_of

from neurontriage.analysis.compare import compared
from neurontriage.analysis.formats import names, renderer
from neurontriage.analysis.join import Facts, analyse
from neurontriage.analysis.model import Analysis
from neurontriage.analysis.result import load, of_document
from neurontriage.analysis.sites import site_of
from neurontriage.triage import explain_text

SAMPLES = Path(__file__).parents[2] / "samples" / "analyze"
FACTS = Facts(entry_of, RELEASES)


def sample(name: str) -> Analysis:
    return analyse(load(SAMPLES / f"{name}.json"), FACTS)


def made(**data: Any) -> Analysis:
    return analyse(of_document("r.json", {"supported_operators": {}, **data}), FACTS)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_sample(path: Path) -> None:
    expected = yaml.safe_load(path.with_suffix(".yaml").read_text())
    found = analyse(load(path), FACTS)
    assert found.verdict == expected["verdict"]
    assert found.share.value == expected["percentage"]
    assert found.share.recomputed == expected["recomputed"]
    assert len(found.operators) == expected["operators"]
    assert sorted(o.kind for o in found.operators if o.support == "partly") == expected.get("partly", [])
    assert {reason.id: list(reason.operators) for reason in found.reasons} == expected["reasons"]
    assert {s.file: [line.line for line in s.lines] for s in found.sources} == expected["sources"]


def test_there_are_the_documented_samples() -> None:
    assert len(list(SAMPLES.glob("*.json"))) >= 6


def test_the_tutorial_report_is_explained() -> None:
    found = sample("training-unsupported-verbosity-1")
    (reason,) = found.reasons
    assert reason.entry is not None
    assert reason.seen == ("a complex element type (c64)",)
    assert [hlo.text for hlo in reason.hlo] == [
        "c64[4]{0} convert(f32[4]{0})",
        "c64[4]{0} multiply(c64[4]{0}, c64[4]{0})",
    ]
    assert reason.since is not None
    assert (reason.since.opcodes, reason.since.others) == (("multiply",), ("convert",))
    assert found.share.agrees
    assert found.notes == ()
    assert {v.package: v.sdk for v in found.versions} == {"neuronx-cc": "2.9.0 to 2.9.1", "torch-neuronx": None}


def test_without_instructions_nothing_is_guessed() -> None:
    found = sample("training-unsupported")
    assert [reason.entry for reason in found.reasons] == [None]
    assert "--analyze-verbosity 1" in found.reasons[0].cause
    assert found.share.recomputed is None


def test_no_entry_is_said() -> None:
    facts = replace(FACTS, entry_of=lambda _: None)
    (reason,) = analyse(load(SAMPLES / "training-unsupported-verbosity-1.json"), facts).reasons
    assert reason.entry is None
    assert reason.title.startswith("NCC_EVRF004")
    assert "no entry" in reason.cause


def test_no_lowering() -> None:
    found = made(
        unsupported_operators=[{"kind": "aten::nonzero", "failureAt": "Lowering to HLO", "call": "a.py(3): f"}]
    )
    assert [reason.id for reason in found.reasons] == ["no-lowering"]


@pytest.mark.parametrize(
    ("data", "note"),
    [
        ({"unsupported_operators": []}, "no support_percentage"),
        ({"support_percentage": "sixty", "unsupported_operators": []}, "'sixty', is not a percentage"),
        ({"support_percentage": "120%", "unsupported_operators": []}, "is not a percentage from 0 to 100"),
        ({"support_percentage": "100%", "unsupported_operators": [{"kind": "a"}]}, "100 %, yet it lists unsupported"),
        ({"support_percentage": "40%", "unsupported_operators": []}, "lists no unsupported operator"),
        ({"support_percentage": "100%"}, "no list of unsupported operators"),
        ({"supported_operators": {}, "unsupported_operators": []}, "Both operator lists are empty"),
        ({"unsupported_operators": {"xla": [{"hlo_instruction": "?!"}]}}, "was not understood"),
        (
            {"unsupported_operators": {"aten": [], "xla": [{"hlo_instruction": "f32[] x()", "aten_op": "aten::z"}]}},
            "aten::z",
        ),
        ({"unsupported_operators": [], "novelty": 1}, "$.novelty"),
        (
            {"support_percentage": "75.00%", "supported_operators": {"a": 1}, "unsupported_operators": [{"kind": "b"}]},
            "75.00 %, but its own lists give 50.00 % (1 of 2",
        ),
    ],
)
def test_notes_say_what_is_odd(data: dict[str, Any], note: str) -> None:
    assert any(note in said for said in made(**data).notes), made(**data).notes


def test_an_unknown_percentage_is_never_zero() -> None:
    found = made(support_percentage="sixty", supported_operators={"aten": {"aten::mul": 1}})
    assert found.share.best is None
    for name in names():
        assert "0.00 %" not in renderer(name)(found)


def test_unparsed_instructions_are_counted_and_shown() -> None:
    found = made(unsupported_operators={"aten": [], "xla": [{"hlo_instruction": "?! odd", "aten_op": "aten::a"}]})
    assert found.unparsed == ("?! odd",)
    assert found.reasons[0].id == "unexplained"
    for name in names():
        assert "?! odd" in renderer(name)(found)


@pytest.mark.parametrize(
    ("call", "file", "line"),
    [
        ("test2_unsup.py 24", "test2_unsup.py", 24),
        ("my model.py 7", "my model.py", 7),
        ("/opt/lib/python3.8/site-packages/torch/x.py(1): f\nrun.py(6): main\n", "run.py", 6),
        ("/opt/lib/python3.8/site-packages/torch/x.py(1): f", "/opt/lib/python3.8/site-packages/torch/x.py", 1),
    ],
)
def test_site(call: str, file: str, line: int) -> None:
    frame = site_of(call).frame
    assert frame is not None
    assert (frame.file, frame.line) == (file, line)


@pytest.mark.parametrize("call", ["", "somewhere", "a.py", "a.py(x): f", " " * 5000, "(" * 5000])
def test_site_without_a_position(call: str) -> None:
    assert site_of(call).frame is None


def test_compare_tells_better_from_worse() -> None:
    old, new = sample("training-supported"), sample("training-unsupported-verbosity-1")
    worse = compared(new, old).comparison
    better = compared(old, new).comparison
    assert worse is not None and better is not None
    assert [change.kind for change in worse.worse] == ["aten::mul"]
    assert worse.better == ()
    assert [change.kind for change in better.better] == ["aten::mul"]
    assert better.worse == ()
    same = compared(new, new).comparison
    assert same is not None
    assert (same.better, same.worse, same.versions) == ((), (), ())


def test_the_log_of_the_run_is_joined() -> None:
    text = "2025-01-01T00:00:00Z [ERROR] [NCC_EVRF004] Complex data types are not supported on the Neuron device.\n"
    log = explain_text(text, "build.log")
    found = analyse(load(SAMPLES / "training-unsupported-verbosity-1.json"), replace(FACTS, log=log))
    for name in names():
        assert "build.log" in renderer(name)(found) or name == "json"
        assert "NCC-EVRF004" in renderer(name)(found)


def test_a_hundred_thousand_operators() -> None:
    operators = {f"aten::op_{n}": n % 97 for n in range(100_000)}
    found = made(
        support_percentage="100.00%", supported_operators={"aten": operators}, unsupported_operators={"aten": []}
    )
    for name in names():
        assert "aten::op_" in renderer(name)(found)
    assert len(found.operators) == 100_000
