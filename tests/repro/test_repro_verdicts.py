"""What attempts prove: every outcome and every verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from neurontriage.repro.case import Alternative, Needs, Origin
from neurontriage.repro.identity import Signature
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

WELL, BADLY, STOPPED = Ended(0, 1.0, 10.0), Ended(1, 1.0, 10.0), Ended(-9, 9.0, 10.0, timed_out=True)
SAME, OTHER = {"equality": {"equivalent": True}}, {"equality": {"equivalent": False, "reason": "far"}}
NEURON = Bench("neuronx-cc", ("neuronx-cc", "xla-cpu"), "trn1")
STANDIN = Bench("neuronx-cc", ("neuronx-cc", "xla-cpu"), "trn1", genuine=False)
CPU = Bench("xla-cpu", ("xla-cpu",), "trn1")
FAILING = Needs("neuronx-cc")


@dataclass
class Asked:
    """As much of a case as a verdict asks for."""

    ID: str = "NCC-EVRF001"
    NEEDS: Needs = field(default_factory=lambda: FAILING)
    ORIGIN: Origin = field(default_factory=lambda: Origin("documented", "a page"))


def stated(entry: str = "NCC-EVRF001", code: str = "NCC_EVRF001", text: str = "Operator x") -> Signature:
    return Signature(entry, code, text)


def attempt(stage: str = "done", found: Signature | None = None, **record: Any) -> Attempt:
    return Attempt(WELL if stage == "done" else BADLY, stage, record, "log.txt", found, "")


def alternative(kind: str = "fix", **more: Any) -> Alternative:
    return Alternative("other", kind, lambda x: x, **more)  # type: ignore[arg-type]


SORT = Needs("neuronx-cc", subject=("sort", "Top_K"))
FAILED = {"exit_status": 70, "neff_bytes": 0}


@pytest.mark.parametrize(
    ("bench", "needs", "made", "outcome"),
    [
        (NEURON, FAILING, attempt("compile", stated(), **FAILED), "reproduced"),
        (NEURON, FAILING, attempt("compile", stated("NCC-EVRF002"), **FAILED), "different-failure"),
        (NEURON, FAILING, attempt("compile", stated(code="NCC_EUOC002"), **FAILED), "different-failure"),
        (NEURON, FAILING, attempt("compile", None, **FAILED), "different-failure"),
        (NEURON, FAILING, attempt("lower", stated()), "different-failure"),
        (NEURON, FAILING, attempt("compile", stated(), exit_status=0, neff_bytes=0), "different-failure"),
        (NEURON, FAILING, attempt("compile", stated(), exit_status=70, neff_bytes=9), "different-failure"),
        (NEURON, FAILING, attempt("compile", stated(), timed_out=True, **FAILED), "timed-out"),
        (NEURON, FAILING, Attempt(STOPPED, "compile", {}, "", stated()), "timed-out"),
        (NEURON, FAILING, attempt("run", stated(), exit_status=0, neff_bytes=9), "passed"),
        (NEURON, FAILING, attempt(), "passed"),
        (NEURON, FAILING, None, "not-run"),
        (CPU, FAILING, attempt(), "not-run"),
        (CPU, FAILING, attempt("compile", stated()), "not-run"),
        (CPU, Needs("xla-cpu"), attempt("lower", stated()), "reproduced"),
        (CPU, Needs("xla-cpu"), attempt("run", stated()), "reproduced"),
        (CPU, Needs("xla-cpu"), attempt(), "passed"),
        (NEURON, Needs("neuronx-cc", targets=("trn2",)), attempt(), "not-run"),
        (NEURON, Needs("neuronx-cc", targets=("trn1",)), attempt(), "passed"),
        (NEURON, SORT, attempt("compile", stated(text="Operator qr"), **FAILED), "different-failure"),
        (NEURON, SORT, attempt("compile", stated(text="Operator top-k"), **FAILED), "reproduced"),
    ],
)
def test_original(bench: Bench, needs: Needs, made: Attempt | None, outcome: str) -> None:
    assert judge_original(Asked(NEEDS=needs), bench, made).outcome == outcome  # type: ignore[arg-type]


def test_one_entry_for_two_codes_is_told_apart_by_the_code() -> None:
    case: Any = Asked("NCC-EUOC002", Needs("neuronx-cc", entry="NCC-EVRF001"))
    cholesky = stated(code="NCC_EVRF001", text="[NCC_EVRF001] Operator cholesky")
    assert judge_original(case, NEURON, attempt("compile", cholesky)).outcome == "different-failure"
    assert judge_original(case, NEURON, attempt("compile", stated(code="NCC_EUOC002"))).outcome == "reproduced"
    assert judge_original(case, NEURON, attempt("compile", stated(code=""))).outcome == "different-failure"


@pytest.mark.parametrize(
    ("again", "outcome"),
    [
        (attempt("compile", stated()), "reproduced"),
        (attempt("done"), "different-failure"),
        (attempt("compile", stated("OTHER")), "different-failure"),
    ],
)
def test_a_failure_counts_when_it_comes_twice(again: Attempt, outcome: str) -> None:
    made = Attempt(BADLY, "compile", FAILED, "", stated(), retried=again)
    found = judge_original(Asked(), NEURON, made)  # type: ignore[arg-type]
    assert found.outcome == outcome
    assert ("not stable" in found.reason) is (outcome != "reproduced")


def test_a_weaker_backend_says_what_it_saw() -> None:
    found = judge_original(Asked(), CPU, attempt(trigger_in_hlo=True))  # type: ignore[arg-type]
    assert "not neuronx-cc" in found.reason
    assert "trigger in HLO: yes" in found.reason


@pytest.mark.parametrize(
    ("bench", "kind", "made", "outcome", "equivalent", "helps"),
    [
        (CPU, "fix", attempt(**SAME), "compiled", True, True),
        (CPU, "fix", attempt(**OTHER), "compiled", False, False),
        (CPU, "fix", attempt(equality=None), "compiled", None, False),
        (CPU, "fix", attempt(**SAME, trigger_in_hlo=True), "compiled", True, False),
        (NEURON, "fix", attempt(**SAME, trigger_in_hlo=True), "compiled", True, True),
        (CPU, "fix", attempt(**SAME, cpu_operators=["aten::im2col"]), "compiled", True, False),
        (CPU, "fallback", attempt(**SAME, cpu_operators=["aten::im2col"]), "compiled", True, True),
        (CPU, "semantics-changing", attempt(**SAME), "compiled", False, False),
        (CPU, "fix", attempt("compile", stated()), "failed", None, False),
        (NEURON, "fix", attempt("compile", stated(), timed_out=True), "timed-out", None, False),
        (NEURON, "fix", attempt("compile", exit_status=0, neff_bytes=0), "failed", None, False),
        (CPU, "fix", None, "not-run", None, False),
    ],
)
def test_alternative(
    bench: Bench, kind: str, made: Attempt | None, outcome: str, equivalent: bool | None, helps: bool
) -> None:
    found = judge_alternative(alternative(kind), bench, FAILING, made)
    assert (found.outcome, found.equivalent, found.helps) == (outcome, equivalent, helps)


def test_settings_of_the_compiler_are_not_judged_without_it() -> None:
    by_flag = alternative(flags=("-O1",))
    assert judge_alternative(by_flag, CPU, FAILING, attempt(**SAME)).outcome == "not-run"
    assert judge_alternative(by_flag, NEURON, FAILING, attempt(**SAME)).helps


def test_a_setting_that_the_target_does_not_have_is_not_run() -> None:
    native = alternative(flags=("--native-int64=enabled",), targets=("trn2",))
    found = judge_alternative(native, NEURON, FAILING, attempt(**SAME))
    assert (found.outcome, found.reason) == ("not-run", "its setting exists on trn2, not on trn1")
    assert judge_alternative(native, Bench("neuronx-cc", NEURON.shows, "trn2"), FAILING, attempt(**SAME)).helps


def test_a_graph_that_cannot_be_built_is_not_run_with_the_reason() -> None:
    unbuilt = attempt("not-built", not_built="nki is not installed")
    original = judge_original(Asked(), NEURON, unbuilt)  # type: ignore[arg-type]
    assert (original.outcome, original.reason) == ("not-run", "nki is not installed")
    assert judge_alternative(alternative(), NEURON, FAILING, unbuilt).reason == "nki is not installed"


def tried(made: Attempt | None, kind: str = "fix", **more: Any) -> Tried:
    return judge_alternative(alternative(kind, **more), NEURON, FAILING, made)


GOOD, DIFFERS, REFUSED = tried(attempt(**SAME)), tried(attempt(**OTHER)), tried(attempt("compile"))


@pytest.mark.parametrize(
    ("outcome", "alternatives", "verdict"),
    [
        ("reproduced", [GOOD], "confirmed"),
        ("reproduced", [DIFFERS, GOOD], "refuted"),
        ("reproduced", [tried(attempt(**OTHER), works=False), GOOD], "confirmed"),
        ("reproduced", [DIFFERS], "refuted"),
        ("reproduced", [REFUSED], "refuted"),
        ("reproduced", [tried(attempt("compile"), inferred=True)], "cannot-tell"),
        ("reproduced", [tried(attempt("compile"), inferred=True), GOOD], "confirmed"),
        ("reproduced", [tried(attempt(**SAME), "semantics-changing")], "cannot-tell"),
        ("reproduced", [tried(None)], "cannot-tell"),
        ("reproduced", [tried(attempt("compile", timed_out=True))], "cannot-tell"),
        ("reproduced", [tried(attempt(equality=None))], "cannot-tell"),
        ("passed", [GOOD], "not-reproduced"),
        ("different-failure", [GOOD], "cannot-tell"),
        ("timed-out", [GOOD], "cannot-tell"),
        ("not-run", [GOOD], "cannot-tell"),
    ],
)
def test_verdict(outcome: str, alternatives: list[Tried], verdict: str) -> None:
    original = Original(outcome, None, "because", None)  # type: ignore[arg-type]
    assert decide(Asked(), NEURON, original, alternatives)[0] == verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bench", "alternatives", "verdict"),
    [(NEURON, [GOOD], "confirmed"), (STANDIN, [GOOD], "cannot-tell"), (NEURON, [DIFFERS], "cannot-tell")],
)
def test_an_analogue_is_confirmed_by_the_real_compiler_only_and_refutes_nothing(
    bench: Bench, alternatives: list[Tried], verdict: str
) -> None:
    case: Any = Asked(ORIGIN=Origin("analogue", "an issue"))
    assert decide(case, bench, Original("reproduced", "X", "", None), alternatives)[0] == verdict


def test_the_reason_names_what_helps_and_why_nothing_can_be_told() -> None:
    case: Any = Asked()
    reproduced, not_run = Original("reproduced", "X", "", None), Original("not-run", None, "no compiler", None)
    assert "other" in decide(case, NEURON, reproduced, [GOOD])[1]
    assert "no compiler" in decide(case, NEURON, not_run, [])[1]


def test_a_message_is_compared_without_what_varies() -> None:
    one = stated(text="2026-03-28T14:10:42Z [NCC_EVRF001] Operator sort.12 at /tmp/a/x.pb 0x7f00 not supported")
    two = stated(text="2025-01-01T00:00:00Z [NCC_EVRF001] Operator sort.7 at /tmp/b/y.pb 0x1 not supported")
    assert one.message == two.message
    assert "NCC_EVRF001" in one.message
