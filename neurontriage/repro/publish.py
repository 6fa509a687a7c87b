"""The result of one case as other programs read it (schema `neurontriage.repro/1`)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from neurontriage.repro import environment, machine
from neurontriage.repro.attempt import flags_of
from neurontriage.repro.backends import FOREIGN, Backend
from neurontriage.repro.case import Case, Tolerance
from neurontriage.repro.catalogue import entry_stack, stacks_of
from neurontriage.repro.equality import BY_DTYPE
from neurontriage.repro.verdicts import Attempt, Bench, Original, Tried, decide

if TYPE_CHECKING:
    from neurontriage.repro.session import Settings

Result = dict[str, Any]
SCHEMA = "neurontriage.repro/1"
TELLING = ("NEURON_", "XLA_", "PJRT_", "TORCH_")
"""Beginnings of environment variables that can change a result."""


def publish(
    case: Case, backend: Backend, settings: Settings, bench: Bench, judged: tuple[Original, Sequence[Tried]]
) -> Result:
    """Everything that was found, and everything that it was found with."""
    original, tried = judged
    verdict, reason = decide(case, bench, original, tried)
    return {
        "schema": SCHEMA,
        "case": case.ID,
        "title": case.TITLE,
        "provenance": case.ORIGIN.kind,
        "origin": {"source": case.ORIGIN.source, "since": case.ORIGIN.since, "before": case.ORIGIN.before},
        "stack": sorted(entry_stack(case)),
        "backend": bench.backend,
        "target": bench.target,
        "versions": environment.versions(),
        "compiler": machine.compiler(),
        "driver": machine.driver(),
        "instance_type": machine.instance_type(),
        "flags": [*case.NEEDS.flags, *settings.flags],
        "environment": telling(case, backend, bench.target),
        "numbers_from": backend.NUMBERS_FROM,
        "limit": settings.limit,
        "seconds": round(sum(attempt.ended.seconds for attempt in _attempts(original, tried)), 3),
        "peak_memory_mb": max((_peak(attempt) for attempt in _attempts(original, tried)), default=None),
        "original": {
            "outcome": original.outcome,
            "finding": original.finding,
            **_measured(original.attempt),
            "reason": original.reason,
        },
        "alternatives": [_alternative(case, each) for each in tried],
        "verdict": verdict,
        "reason": reason,
    }


def telling(case: Case, backend: Backend, target: str) -> dict[str, str]:
    """The variables that the attempts saw and that can change a result: not those that are taken out."""
    chosen = {**backend.environment(target), **case.NEEDS.environment}
    own = {name: value for name, value in os.environ.items() if name.startswith(TELLING) and name not in FOREIGN}
    return dict(sorted({**own, **chosen}.items()))


def _alternative(case: Case, tried: Tried) -> dict[str, Any]:
    ran = tried.attempt if tried.outcome != "not-run" else None  # numbers without its setting say nothing of it
    equality = (ran.record.get("equality") if ran else None) or {}
    chosen = tried.alternative
    return {
        "name": chosen.name,
        "kind": "fix" if chosen.kind == "semantics-changing" else chosen.kind,
        "semantics_changing": chosen.kind == "semantics-changing",
        "flags": list(flags_of(case, chosen.name)),
        "environment": dict(chosen.environment),
        "requires": [condition.text for condition in chosen.requires],
        "stacks": list(stacks_of(case, chosen)),
        "source": chosen.source or None,
        "inferred": chosen.inferred,
        "outcome": tried.outcome,
        "finding": tried.finding,
        **_measured(tried.attempt),
        "equivalent": tried.equivalent,
        "max_abs_error": equality.get("max_abs_error"),
        "cosine": equality.get("cosine"),
        "tolerance": equality.get("tolerance") or _tolerance(chosen.tolerance),
        "helps": tried.helps,
        "expected_to_help": chosen.promised,
        "reason": tried.reason,
        "note": chosen.note,
    }


def _attempts(original: Original, tried: Sequence[Tried]) -> Iterator[Attempt]:
    made = [original.attempt, *(each.attempt for each in tried)]
    return (attempt for first in made if first for attempt in (first, first.retried) if attempt)


def _peak(attempt: Attempt) -> float:
    """MB of the largest process: the attempt itself, or its compiler."""
    return max(float(attempt.record.get("compiler_peak_mb", 0.0)), round(attempt.ended.peak_mb, 1))


def _tolerance(tolerance: Tolerance | None) -> dict[str, float]:
    used = tolerance or BY_DTYPE["float32"]
    return {"rtol": used.rtol, "atol": used.atol}


def _measured(attempt: Attempt | None) -> dict[str, Any]:
    record = attempt.record if attempt else {}
    return {
        "seconds": round(attempt.ended.seconds, 3) if attempt else None,
        "exit_status": record.get("exit_status", attempt.ended.status if attempt else None),
        "timed_out": attempt.timed_out if attempt else False,
        "command": record.get("command"),
        "peak_memory_mb": _peak(attempt) if attempt else None,
        "compile_seconds": record.get("compile_seconds"),
        "neff_bytes": record.get("neff_bytes"),
        "message": attempt.found.message if attempt and attempt.found else None,
        "tries": 2 if attempt and attempt.retried else 1 if attempt else 0,
        "log": attempt.log if attempt else None,
        "trigger_in_hlo": record.get("trigger_in_hlo"),
        "instructions": record.get("instructions"),
        "cpu_operators": record.get("cpu_operators"),
    }
