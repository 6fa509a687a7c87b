"""Runs one case with one backend: original first, then every alternative → the published result."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import neurontriage
from neurontriage.errors import TriageError
from neurontriage.model import Diagnosis
from neurontriage.repro import environment, processes
from neurontriage.repro.attempt import ORIGINAL, RECORD
from neurontriage.repro.backends import Backend
from neurontriage.repro.case import Case, Tolerance
from neurontriage.repro.equality import BY_DTYPE
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
from neurontriage.repro.worker import ENDED, GRACE, LOG

Explain = Callable[[str], Diagnosis]
Result = dict[str, Any]
SCHEMA = "neurontriage.repro/1"
RESULT = "result.json"
COMPILER_LOG = "neuronx-cc.log"
WORKER = "neurontriage.repro.worker"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the artefacts go, for which target, the compiler's time limit in seconds, and the explainer."""

    folder: Path
    target: str
    limit: float
    explain: Explain


def examine(case: Case, backend: Backend, settings: Settings) -> Result:
    """Attempts all variants of a case in child processes and returns the result (schema repro/1)."""
    return examine_together([case], backend, settings)[0]


def examine_together(cases: Sequence[Case], backend: Backend, settings: Settings) -> list[Result]:
    """The same for several cases that need the same environment variables: torch is imported once."""
    died = _run_worker(cases, backend, settings)
    return [_examined(case, backend, settings, died) for case in cases]


def _examined(case: Case, backend: Backend, settings: Settings, died: str) -> Result:
    folder = settings.folder / case.ID
    attempts = {variant: load_attempt(folder / variant, settings.explain) for variant in variants(case)}
    if died and not any(attempts.values()):
        raise TriageError(
            reference="repro-worker-died",
            message=f"the process that should compile {case.ID} {died}",
            expected="a working torch and torch-xla",
            hint="pip install 'neurontriage[xla]'",
        )
    bench = Bench(backend.NAME, tuple(backend.SHOWS), settings.target)
    original = judge_original(case.NEEDS.entry or case.ID, case.NEEDS, bench, attempts[ORIGINAL])
    tried = [judge_alternative(each, attempts[each.name]) for each in case.ALTERNATIVES]
    result = publish(case, bench, original, tried)
    (folder / RESULT).write_text(json.dumps(result, indent=2) + "\n")
    return result


def variants(case: Case) -> list[str]:
    """The names of the attempts of a case, the failing graph first."""
    return [ORIGINAL, *(alternative.name for alternative in case.ALTERNATIVES)]


def load_attempt(folder: Path, explain: Explain) -> Attempt | None:
    """What one child left in its folder; None when it never started."""
    if not (folder / ENDED).is_file():
        return None
    ended = Ended(**json.loads((folder / ENDED).read_text()))
    record = _read_record(folder / RECORD)
    stage = str(record.get("stage", "build"))
    log = folder / LOG
    finding = root_entry(explain(evidence(folder))) if stage != "done" else None
    return Attempt(ended, stage, record, str(log), finding, _last_line(log) if stage != "done" else "")


def root_entry(diagnosis: Diagnosis) -> str | None:
    """The id of the root cause that a log shows; None when it shows no failure."""
    return next((finding.id for finding in diagnosis.roots), None)


def publish(case: Case, bench: Bench, original: Original, tried: list[Tried]) -> Result:
    """The result as other programs read it."""
    verdict, reason = decide(original, tried)
    return {
        "schema": SCHEMA,
        "case": case.ID,
        "title": case.TITLE,
        "backend": bench.backend,
        "target": bench.target,
        "versions": environment.versions(),
        "original": {
            "outcome": original.outcome,
            "finding": original.finding,
            **_measured(original.attempt),
            "reason": original.reason,
        },
        "alternatives": [_published_alternative(each) for each in tried],
        "verdict": verdict,
        "reason": reason,
    }


def _published_alternative(tried: Tried) -> dict[str, Any]:
    equality = (tried.attempt.record.get("equality") if tried.attempt else None) or {}
    kind = tried.alternative.kind
    return {
        "name": tried.alternative.name,
        "kind": "fix" if kind == "semantics-changing" else kind,
        "semantics_changing": kind == "semantics-changing",
        "outcome": tried.outcome,
        "finding": tried.finding,
        **_measured(tried.attempt),
        "equivalent": tried.equivalent,
        "max_abs_error": equality.get("max_abs_error"),
        "cosine": equality.get("cosine"),
        "tolerance": equality.get("tolerance") or _tolerance(tried.alternative.tolerance),
        "helps": tried.helps,
        "expected_to_help": tried.alternative.works and kind != "semantics-changing",
        "reason": tried.reason,
        "note": tried.alternative.note,
    }


def _tolerance(tolerance: Tolerance | None) -> dict[str, float]:
    used = tolerance or BY_DTYPE["float32"]
    return {"rtol": used.rtol, "atol": used.atol}


def _measured(attempt: Attempt | None) -> dict[str, Any]:
    if attempt is None:
        return {"seconds": None, "log": None, "trigger_in_hlo": None}
    return {
        "seconds": round(attempt.ended.seconds, 3),
        "peak_mb": round(attempt.ended.peak_mb, 1),
        "log": attempt.log,
        "trigger_in_hlo": attempt.record.get("trigger_in_hlo"),
        "instructions": attempt.record.get("instructions"),
        "cpu_operators": attempt.record.get("cpu_operators"),
    }


def _run_worker(cases: Sequence[Case], backend: Backend, settings: Settings) -> str:
    """Runs all variants of the cases in one worker; returns how the worker died, if it did."""
    requests = [_write_request(case, backend.NAME, settings) for case in cases]
    log = settings.folder / cases[0].ID / "worker.log"
    log.unlink(missing_ok=True)
    surroundings = {**backend.environment(settings.target), **cases[0].NEEDS.environment, "PYTHONPATH": _path()}
    attempts = sum(len(variants(case)) for case in cases)
    command = [sys.executable, "-m", WORKER, *map(str, requests)]
    ended = processes.run(command, settings.folder, log, (settings.limit + GRACE) * (attempts + 1), surroundings)
    return f"ended with {ended.fault}: {_last_line(log)} (see {log})" if ended.fault else ""


def _path() -> str:
    """Where the worker finds this very package, also when it runs from a checkout."""
    package = str(Path(neurontriage.__file__).parent.parent)
    return os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))


def _write_request(case: Case, backend: str, settings: Settings) -> Path:
    folder = (settings.folder / case.ID).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for variant in variants(case):
        (folder / variant / ENDED).unlink(missing_ok=True)
    path = folder / "request.json"
    values = {"case": case.ID, "backend": backend, "target": settings.target, "limit": settings.limit}
    path.write_text(json.dumps({**values, "folder": str(folder), "variants": variants(case)}))
    return path


def evidence(folder: Path) -> str:
    """The compiler's own log where there is one: our traceback after it is not the failure.

    Bytes of zero are left out: the explainer takes a file that holds them for no log at all.
    """
    compiler_log = folder / COMPILER_LOG
    chosen = compiler_log if compiler_log.is_file() else folder / LOG
    return chosen.read_text(errors="replace").replace("\0", "")


def _read_record(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text())
    except (FileNotFoundError, json.JSONDecodeError):  # died before or while writing
        return {}
    return dict(found)


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines() if log.is_file() else []
    return lines[-1][:300] if lines else ""
