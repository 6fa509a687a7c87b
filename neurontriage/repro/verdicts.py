"""What the attempts prove: pure functions from attempts to outcomes and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from neurontriage.repro.case import Alternative, Needs
from neurontriage.repro.processes import Ended

OriginalOutcome = Literal["reproduced", "passed", "different-failure", "not-run"]
AlternativeOutcome = Literal["compiled", "failed", "not-run"]
Verdict = Literal["confirmed", "refuted", "cannot-tell"]
COMPILED = ("run", "compare", "done")
"""Stages that are reached only after the compiler accepted the graph."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one child process left behind; `finding` is the root entry that its log shows."""

    ended: Ended
    stage: str
    record: dict[str, Any]
    log: str
    finding: str | None = None
    last_line: str = ""

    @property
    def compiled(self) -> bool:
        """Whether the compiler accepted the graph."""
        return self.stage in COMPILED

    @property
    def trouble(self) -> str:
        """Why it did not finish, in one line."""
        return "; ".join(filter(None, (f"{self.ended.fault} while in {self.stage}", self.last_line)))


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

    @property
    def helps(self) -> bool:
        """Compiled, same numbers, trigger gone; a fix must not fall back to the CPU either."""
        if self.outcome != "compiled" or self.equivalent is not True or self.attempt is None:
            return False
        record = self.attempt.record
        leaves = bool(record.get("cpu_operators")) and self.alternative.kind == "fix"
        return not record.get("trigger_in_hlo") and not leaves


@dataclass(frozen=True, slots=True)
class Bench:
    """Where a case was tried: the backend, what failures it can show, and the target."""

    backend: str
    shows: tuple[str, ...]
    target: str

    def shortfall(self, needs: Needs) -> str:
        """Why the failure cannot show here; empty when it can."""
        if needs.compiler not in self.shows:
            return f"{self.backend} is not {needs.compiler}, the compiler that fails"
        if needs.compiler == "neuronx-cc" and needs.targets and self.target not in needs.targets:
            return f"the failure is specific to {', '.join(needs.targets)}, not {self.target}"
        return ""


def judge_original(entry: str, needs: Needs, bench: Bench, attempt: Attempt | None) -> Original:
    """Outcome of the failing graph: only `entry` itself is the same failure."""
    if attempt is None:
        return Original("not-run", None, "the attempt did not start", None)
    shortfall = bench.shortfall(needs)
    if shortfall:
        return Original("not-run", attempt.finding, f"{shortfall}; {_seen(attempt)}", attempt)
    if attempt.finding == entry:
        return Original("reproduced", entry, "", attempt)
    if attempt.compiled:
        return Original("passed", attempt.finding, f"{bench.backend} compiles the graph that should fail", attempt)
    return Original("different-failure", attempt.finding, attempt.trouble, attempt)


def judge_alternative(alternative: Alternative, attempt: Attempt | None) -> Tried:
    """Outcome of one alternative; semantics-changing ones are never equivalent."""
    if attempt is None:
        return Tried(alternative, "not-run", None, None, "the attempt did not start", None)
    if not attempt.compiled:
        return Tried(alternative, "failed", attempt.finding, None, attempt.trouble, attempt)
    equality = attempt.record.get("equality")
    equivalent = equality["equivalent"] if equality else None
    if alternative.kind == "semantics-changing":
        equivalent = False
    return Tried(alternative, "compiled", attempt.finding, equivalent, _shortcoming(attempt), attempt)


def decide(original: Original, tried: Sequence[Tried]) -> tuple[Verdict, str]:
    """The verdict with its reason. Never confirmed unless the failing graph failed in the same way."""
    if original.outcome == "passed":
        return "refuted", f"not reproduced: {original.reason}"
    if original.outcome != "reproduced":
        return "cannot-tell", f"{original.outcome}: {original.reason}"
    helping = [each.alternative.name for each in tried if each.helps]
    if helping:
        return "confirmed", f"same failure reproduced; compiled and equivalent: {', '.join(helping)}"
    open_questions = [each.alternative.name for each in tried if each.outcome == "not-run" or _undecided(each)]
    if open_questions:
        return "cannot-tell", f"same failure reproduced, but not checked: {', '.join(open_questions)}"
    return "refuted", "same failure reproduced, but no listed alternative compiled and is equivalent"


def _undecided(tried: Tried) -> bool:
    return tried.outcome == "compiled" and tried.equivalent is None


def _seen(attempt: Attempt) -> str:
    if attempt.compiled:
        return f"the graph lowers and compiles there, trigger in HLO: {_yes(attempt.record.get('trigger_in_hlo'))}"
    if "trigger_in_hlo" in attempt.record:
        return f"the graph lowers, trigger in HLO: {_yes(attempt.record['trigger_in_hlo'])}; {attempt.trouble}"
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
