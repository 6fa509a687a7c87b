"""What the attempts prove: pure functions from attempts to outcomes and a verdict. Facts first, texts second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from neurontriage.repro.case import Alternative, Case, Needs
from neurontriage.repro.identity import Signature, difference
from neurontriage.repro.processes import Ended

OriginalOutcome = Literal["reproduced", "passed", "different-failure", "timed-out", "not-run"]
AlternativeOutcome = Literal["compiled", "failed", "timed-out", "not-run"]
Verdict = Literal["confirmed", "not-reproduced", "refuted", "cannot-tell"]
COMPILED = ("run", "compare", "done")
"""Stages that are reached only after the compiler accepted the graph."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one child process left behind; `found` is the failure that its log states, `retried` one of a second try."""

    ended: Ended
    stage: str
    record: dict[str, Any]
    log: str
    found: Signature | None = None
    last_line: str = ""
    retried: Attempt | None = None

    @property
    def compiled(self) -> bool:
        """Whether the compiler accepted the graph."""
        return self.stage in COMPILED

    @property
    def timed_out(self) -> bool:
        """Whether it was stopped, or its compiler was."""
        return self.ended.timed_out or bool(self.record.get("timed_out"))

    @property
    def not_built(self) -> str:
        """What was missing to write the graph at all."""
        return str(self.record.get("not_built", ""))

    @property
    def finding(self) -> str | None:
        """The entry of its failure."""
        return self.found.entry if self.found else None

    @property
    def contradiction(self) -> str:
        """Where the compiler's exit status and its output file disagree about success; empty where they agree."""
        status, neff = self.record.get("exit_status"), self.record.get("neff_bytes")
        if status == 0 and not self.compiled and not neff:
            return "exit status 0 but no NEFF"
        return f"exit status {status}, yet a NEFF was written" if status and neff else ""

    @property
    def trouble(self) -> str:
        """Why it did not finish, in one line."""
        how = "stopped after the time limit" if self.timed_out else self.ended.fault
        return "; ".join(filter(None, (f"{how} while in {self.stage}" if how else "", self.last_line)))


@dataclass(frozen=True, slots=True)
class Original:
    """The failing graph: did the same failure come again?"""

    outcome: OriginalOutcome
    finding: str | None
    reason: str
    attempt: Attempt | None


@dataclass(frozen=True, slots=True)
class Tried:
    """One alternative; `equivalent` is None when it could not be compared."""

    alternative: Alternative
    outcome: AlternativeOutcome
    finding: str | None
    equivalent: bool | None
    reason: str
    attempt: Attempt | None
    shown: bool = False
    numbers: bool = True

    @property
    def helps(self) -> bool:
        """Compiled and same numbers, where there are any (`numbers`); a fix must not leave the device either.

        Where the compiler that fails was not asked (`shown` False) the trigger must be gone.
        """
        if self.outcome != "compiled" or self.attempt is None:
            return False
        if self.equivalent is not True:
            return self.equivalent is None and not self.numbers
        record = self.attempt.record
        leaves = bool(record.get("cpu_operators")) and self.alternative.kind == "fix"
        return not leaves and (self.shown or not record.get("trigger_in_hlo"))

    @property
    def fails_its_promise(self) -> bool:
        """Listed as working, checked, and it does not."""
        return self.alternative.promised and (self.outcome == "failed" or self.equivalent is False)


@dataclass(frozen=True, slots=True)
class Bench:
    """Where a case was tried: backend, what failures it can show, target, whether its compiler is genuine."""

    backend: str
    shows: tuple[str, ...]
    target: str
    genuine: bool = True

    def shortfall(self, needs: Needs) -> str:
        """Why the failure cannot show here; empty when it can."""
        if needs.compiler not in self.shows:
            return f"{self.backend} is not {needs.compiler}, the compiler that fails"
        if needs.compiler == "neuronx-cc" and needs.targets and self.target not in needs.targets:
            return f"the failure is specific to {', '.join(needs.targets)}, not {self.target}"
        return ""


def judge_original(case: Case, bench: Bench, attempt: Attempt | None) -> Original:
    """Outcome of the failing graph: exit status and NEFF first, then whether it is the very same failure."""
    if attempt is None:
        return Original("not-run", None, "the attempt did not start", None)
    if attempt.not_built:
        return Original("not-run", None, attempt.not_built, attempt)
    shortfall = bench.shortfall(case.NEEDS)
    if shortfall:
        return Original("not-run", attempt.finding, f"{shortfall}; {_seen(attempt)}", attempt)
    if attempt.timed_out:
        return Original("timed-out", attempt.finding, attempt.trouble, attempt)
    if attempt.contradiction:
        return Original("different-failure", attempt.finding, attempt.contradiction, attempt)
    if attempt.compiled and (case.NEEDS.compiler == "neuronx-cc" or attempt.stage == "done"):
        flaky = f", after it failed once ({attempt.retried.finding})" if attempt.retried else ""
        accepted = f"{bench.backend} compiles the graph that should fail{flaky}"
        return Original("passed", attempt.finding, accepted, attempt)
    other = _other_failure(case, attempt)
    if other:
        return Original("different-failure", attempt.finding, f"{other}; {attempt.trouble}", attempt)
    return Original("reproduced", attempt.finding, "", attempt)


def _other_failure(case: Case, attempt: Attempt) -> str:
    if case.NEEDS.compiler == "neuronx-cc" and attempt.stage != "compile":
        return f"failed while in {attempt.stage}, before the compiler was asked"
    other = difference(case, attempt.found)
    if other or attempt.retried is None:
        return other
    again = attempt.retried
    unlike = "it compiled" if again.compiled else difference(case, again.found) or ("timed out" * again.timed_out)
    return f"not stable: tried again, {unlike}" if unlike else ""


def unanswered(alternative: Alternative, bench: Bench, needs: Needs) -> str:
    """Why trying an alternative here would say nothing of its settings; empty where it would."""
    if alternative.targets and bench.target not in alternative.targets:
        return f"its setting exists on {', '.join(alternative.targets)}, not on {bench.target}"
    if alternative.settings_only and bench.shortfall(needs):
        return f"only settings of {needs.compiler} differ, and {bench.backend} does not read them"
    return ""


def judge_alternative(alternative: Alternative, bench: Bench, needs: Needs, attempt: Attempt | None) -> Tried:
    """Outcome of one alternative; semantics-changing ones are never equivalent."""
    shown = not bench.shortfall(needs)
    if reason := unanswered(alternative, bench, needs):
        return Tried(alternative, "not-run", None, None, reason, attempt, shown)
    if attempt is None or attempt.not_built or attempt.stage == "lowered":
        lowered = "only neuronx-cc can judge this graph"
        reason = (attempt.not_built or lowered) if attempt else "the attempt did not start"
        return Tried(alternative, "not-run", None, None, reason, attempt, shown)
    if attempt.timed_out:
        return Tried(alternative, "timed-out", attempt.finding, None, attempt.trouble, attempt, shown)
    if not attempt.compiled or attempt.contradiction:
        reason = attempt.contradiction or attempt.trouble
        return Tried(alternative, "failed", attempt.finding, None, reason, attempt, shown)
    equality = attempt.record.get("equality")
    equivalent = equality["equivalent"] if equality else None
    if alternative.kind == "semantics-changing":
        equivalent = False
    said = _shortcoming(attempt)
    return Tried(alternative, "compiled", attempt.finding, equivalent, said, attempt, shown, not needs.compile_only)


def decide(case: Case, bench: Bench, original: Original, tried: Sequence[Tried]) -> tuple[Verdict, str]:
    """The verdict with its reason. Never confirmed unless the failing graph failed in the same way."""
    if original.outcome == "passed":
        return (
            "not-reproduced",
            f"{original.reason}: perhaps fixed in it, perhaps the graph ({case.ORIGIN.kind}) is not it",
        )
    if original.outcome != "reproduced":
        return "cannot-tell", f"{original.outcome}: {original.reason}"
    analogue = case.ORIGIN.kind == "analogue"
    if analogue and not bench.genuine:
        return "cannot-tell", "the graph is an analogue, and the compiler does not say a release number of neuronx-cc"
    broken = [each.alternative.name for each in tried if each.fails_its_promise]
    helping = [each.alternative.name for each in tried if each.helps]
    said = f"compiled and equivalent: {', '.join(helping) or 'none'}"
    if broken and analogue:
        return (
            "cannot-tell",
            f"same failure reproduced; of an analogue's listed fixes fail: {', '.join(broken)}; {said}",
        )
    if broken:
        return "refuted", f"same failure reproduced, but listed fixes fail or differ: {', '.join(broken)}; {said}"
    if helping:
        return "confirmed", f"same failure reproduced; {said}"
    open_questions = [each.alternative.name for each in tried if _undecided(each)]
    return "cannot-tell", f"same failure reproduced, but not checked: {', '.join(open_questions) or 'any fix'}"


def _undecided(tried: Tried) -> bool:
    return tried.outcome in ("not-run", "timed-out") or (
        tried.outcome == "compiled" and tried.equivalent is None and tried.numbers
    )


def _seen(attempt: Attempt) -> str:
    if attempt.compiled:
        return f"the graph lowers and compiles there, trigger in HLO: {_yes(attempt.record.get('trigger_in_hlo'))}"
    if "trigger_in_hlo" in attempt.record:
        seen = f"the graph lowers, trigger in HLO: {_yes(attempt.record['trigger_in_hlo'])}"
        return f"{seen}; {attempt.trouble}" if attempt.trouble else seen
    return f"the graph does not lower: {attempt.trouble}"


def _shortcoming(attempt: Attempt) -> str:
    record = attempt.record
    left = ", ".join(record.get("cpu_operators", ()))
    equality = record.get("equality") or {}
    parts = (
        "the trigger is still in the HLO" if record.get("trigger_in_hlo") else "",
        f"runs on CPU: {left}" if left else "",
        equality.get("reason", "") or record.get("no_reference", ""),
        "" if attempt.stage == "done" else attempt.trouble,
    )
    return "; ".join(filter(None, parts))


def _yes(value: object) -> str:
    return "yes" if value else "no"
