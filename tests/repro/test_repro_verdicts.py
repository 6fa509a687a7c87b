"""What attempts prove: every outcome and every verdict."""

from __future__ import annotations

from typing import Any

import pytest

from neurontriage.repro.case import Alternative, Needs
from neurontriage.repro.processes import Ended
from neurontriage.repro.verdicts import (
    Attempt,
    Bench,
    Original,
    Tried,
    decide,
    judge_alternative,
    judge_original,
)

WELL, BADLY = Ended(0, 1.0, 10.0), Ended(1, 1.0, 10.0)
SAME, OTHER = {"equality": {"equivalent": True}}, {"equality": {"equivalent": False, "reason": "far"}}
NEURON = Bench("neuronx-cc", ("neuronx-cc", "xla-cpu"), "trn1")
CPU = Bench("xla-cpu", ("xla-cpu",), "trn1")
FAILING = Needs("neuronx-cc")


def attempt(stage: str = "done", finding: str | None = None, **record: Any) -> Attempt:
    return Attempt(WELL if stage == "done" else BADLY, stage, record, "log.txt", finding, "")


def alternative(kind: str = "fix") -> Alternative:
    return Alternative("other", kind, lambda x: x)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bench", "needs", "made", "outcome"),
    [
        (NEURON, FAILING, attempt("compile", "X"), "reproduced"),
        (NEURON, FAILING, attempt("compile", "Y"), "different-failure"),
        (NEURON, FAILING, attempt("compile", None), "different-failure"),
        (NEURON, FAILING, attempt("lower", "Y"), "different-failure"),
        (NEURON, FAILING, attempt(), "passed"),
        (NEURON, FAILING, attempt("run"), "passed"),
        (NEURON, FAILING, None, "not-run"),
        (CPU, FAILING, attempt(), "not-run"),
        (CPU, FAILING, attempt("compile", "X"), "not-run"),
        (CPU, Needs("xla-cpu"), attempt("lower", "X"), "reproduced"),
        (NEURON, Needs("neuronx-cc", targets=("trn2",)), attempt(), "not-run"),
        (NEURON, Needs("neuronx-cc", targets=("trn1",)), attempt(), "passed"),
    ],
)
def test_original(bench: Bench, needs: Needs, made: Attempt | None, outcome: str) -> None:
    assert judge_original("X", needs, bench, made).outcome == outcome


def test_a_weaker_backend_says_what_it_saw() -> None:
    found = judge_original("X", FAILING, CPU, attempt(trigger_in_hlo=True))
    assert "not neuronx-cc" in found.reason
    assert "trigger in HLO: yes" in found.reason


@pytest.mark.parametrize(
    ("kind", "made", "outcome", "equivalent", "helps"),
    [
        ("fix", attempt(**SAME), "compiled", True, True),
        ("fix", attempt(**OTHER), "compiled", False, False),
        ("fix", attempt(equality=None), "compiled", None, False),
        ("fix", attempt(**SAME, trigger_in_hlo=True), "compiled", True, False),
        ("fix", attempt(**SAME, cpu_operators=["aten::im2col"]), "compiled", True, False),
        ("fallback", attempt(**SAME, cpu_operators=["aten::im2col"]), "compiled", True, True),
        ("semantics-changing", attempt(**SAME), "compiled", False, False),
        ("fix", attempt("compile", "X"), "failed", None, False),
        ("fix", None, "not-run", None, False),
    ],
)
def test_alternative(kind: str, made: Attempt | None, outcome: str, equivalent: bool | None, helps: bool) -> None:
    found = judge_alternative(alternative(kind), made)
    assert (found.outcome, found.equivalent, found.helps) == (outcome, equivalent, helps)


def tried(made: Attempt | None, kind: str = "fix") -> Tried:
    return judge_alternative(alternative(kind), made)


@pytest.mark.parametrize(
    ("outcome", "alternatives", "verdict"),
    [
        ("reproduced", [tried(attempt(**SAME))], "confirmed"),
        ("reproduced", [tried(attempt(**OTHER)), tried(attempt(**SAME))], "confirmed"),
        ("reproduced", [tried(attempt(**OTHER))], "refuted"),
        ("reproduced", [tried(attempt("compile"))], "refuted"),
        ("reproduced", [tried(attempt(**SAME), "semantics-changing")], "refuted"),
        ("reproduced", [tried(None)], "cannot-tell"),
        ("reproduced", [tried(attempt(equality=None))], "cannot-tell"),
        ("passed", [tried(attempt(**SAME))], "refuted"),
        ("different-failure", [tried(attempt(**SAME))], "cannot-tell"),
        ("not-run", [tried(attempt(**SAME))], "cannot-tell"),
    ],
)
def test_verdict(outcome: str, alternatives: list[Tried], verdict: str) -> None:
    original = Original(outcome, None, "because", None)  # type: ignore[arg-type]
    assert decide(original, alternatives)[0] == verdict


def test_the_reason_names_what_helps_and_why_nothing_can_be_told() -> None:
    reproduced, not_run = Original("reproduced", "X", "", None), Original("not-run", None, "no compiler", None)
    assert "other" in decide(reproduced, [tried(attempt(**SAME))])[1]
    assert "no compiler" in decide(not_run, [])[1]
