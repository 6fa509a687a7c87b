"""Runs one case with one backend: original first, then every alternative → the published result."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.model import Diagnosis
from neurontriage.repro import disk, machine
from neurontriage.repro.attempt import LOWERED, NOT_BUILT, ORIGINAL, RECORD
from neurontriage.repro.backends import Backend
from neurontriage.repro.case import Alternative, Case
from neurontriage.repro.catalogue import uses_xla, written_for
from neurontriage.repro.identity import Signature, signature
from neurontriage.repro.processes import Ended
from neurontriage.repro.publish import Result, publish
from neurontriage.repro.verdicts import Attempt, Bench, Original, Tried, judge_alternative, judge_original, unanswered
from neurontriage.repro.worker import ENDED, FIRST_TRY, GRACE, LOG
from neurontriage.repro.worker_process import Worker

Explain = Callable[[str], Diagnosis]
RESULT = "result.json"
COMPILER_LOGS = ("neuronx-cc.log", "log-neuron-cc.txt")


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the artefacts go, for which target, the compiler's time limit in seconds, the explainer, and more flags.

    `slots` and `at_once`: never more compilations at one time, over all workers of a run.
    """

    folder: Path
    target: str
    limit: float
    explain: Explain
    flags: tuple[str, ...] = ()
    at_once: int = 1

    @property
    def slots(self) -> Path:
        """The folder by whose locks compilations of all processes wait for each other."""
        return self.folder / ".slots"


def examine(case: Case, backend: Backend, settings: Settings) -> Result:
    """Attempts all variants of a case in a worker of its own and returns the result (schema repro/1)."""
    from neurontriage.repro.placing import leased

    with leased(backend, settings.target) as core:
        log = settings.folder / case.ID / "worker.log"
        log.unlink(missing_ok=True)
        with Worker(surroundings(case, backend, settings.target) | core, log) as worker:
            return examine_with(worker, case, backend, settings)


def examine_with(worker: Worker, case: Case, backend: Backend, settings: Settings) -> Result:
    """The same with a worker that is already there; raises TriageError when it dies before anything was found."""
    reason = unfit(case, backend)
    if reason:
        return _stored(not_run(case, backend, settings, reason), settings)
    request = _request(case, backend, settings)
    patience = (settings.limit + GRACE) * 2 * len(request["variants"])
    compiler = machine.compiler()
    died = worker.examine(request, patience)
    disk.check(settings.folder)
    if compiler != machine.compiler():
        return not_run(case, backend, settings, "the compiler was replaced while it compiled this case")
    if died:
        raise TriageError(
            reference="repro-worker-died",
            message=f"the process that should compile {case.ID} {died}",
            expected="a working torch" + (" and torch-xla" if backend.STACK == "xla" else ""),
            hint="pip install 'neurontriage[xla]'",
        )
    return _stored(judge(case, backend, settings), settings)


def judge(case: Case, backend: Backend, settings: Settings) -> Result:
    """The result of what the worker left in the folders of a case."""
    folder = settings.folder / case.ID
    bench = bench_of(backend, settings.target)
    attempts = {name: load_attempt(folder / name, settings.explain) for name in variants(case, bench)}
    original = judge_original(case, bench, attempts[ORIGINAL])
    tried = [_tried(case, each, backend, bench, attempts.get(each.name)) for each in case.ALTERNATIVES]
    return publish(case, backend, settings, bench, (original, tried))


def _tried(case: Case, each: Alternative, backend: Backend, bench: Bench, made: Attempt | None) -> Tried:
    if backend.STACK in written_for(case, each):
        return judge_alternative(each, bench, case.NEEDS, made)
    reason = "it is written with torch-xla, which this stack does not have"
    return Tried(each, "not-run", None, None, reason, None)


def surroundings(case: Case, backend: Backend, target: str) -> dict[str, str]:
    """The environment that a worker needs for a case before it imports torch."""
    return {**backend.environment(target), **case.NEEDS.environment}


def bench_of(backend: Backend, target: str) -> Bench:
    """What this backend can show here; a compiler that says no release number is no neuronx-cc."""
    genuine = "neuronx-cc" not in backend.SHOWS or machine.genuine(machine.compiler())
    return Bench(backend.NAME, tuple(backend.SHOWS), target, genuine)


def unfit(case: Case, backend: Backend) -> str:
    """Why a case cannot be written for the stack of a backend; empty when it can."""
    return "the graph is written with torch-xla, which this stack does not have" * (
        backend.STACK == "native" and uses_xla(case.ID)
    )


def variants(case: Case, bench: Bench) -> list[str]:
    """The names of the attempts of a case that can say something on this bench, the failing graph first."""
    tried = [each.name for each in case.ALTERNATIVES if not unanswered(each, bench, case.NEEDS)]
    return [ORIGINAL, *tried]


def load_attempt(folder: Path, explain: Explain) -> Attempt | None:
    """What one child left in its folder; None when it never started."""
    how = _read_record(folder / ENDED)
    if not how:
        return None
    ended, record = Ended(**how), _read_record(folder / RECORD)
    stage, log = str(record.get("stage", "build")), folder / LOG
    again = load_attempt(folder / FIRST_TRY, explain)
    if stage in ("done", LOWERED, NOT_BUILT):
        return Attempt(ended, stage, record, str(_log_of(folder)), retried=again)
    found = None if ended.timed_out else failure(folder, explain)
    return Attempt(ended, stage, record, str(_log_of(folder)), found, _last_line(log), again)


def failure(folder: Path, explain: Explain) -> Signature | None:
    """The failure that the logs of an attempt state: the compiler's own where there are any."""
    return signature(explain(evidence(folder)))


def evidence(folder: Path) -> str:
    """The text to explain: what the compiler wrote, else what the attempt printed.

    Bytes of zero are left out: the explainer takes a file that holds them for no log at all.
    """
    logs = [folder / name for name in COMPILER_LOGS if (folder / name).is_file()] or [folder / LOG]
    return "\n".join(log.read_text(errors="replace") for log in logs).replace("\0", "")


def _log_of(folder: Path) -> Path:
    return next((folder / name for name in COMPILER_LOGS if (folder / name).is_file()), folder / LOG)


def _stored(result: Result, settings: Settings) -> Result:
    folder = settings.folder / result["case"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RESULT).write_text(json.dumps(result, indent=2) + "\n")
    return result


def not_run(case: Case, backend: Backend, settings: Settings, reason: str) -> Result:
    """The result of a case that could not be tried."""
    bench = bench_of(backend, settings.target)
    tried = [judge_alternative(each, bench, case.NEEDS, None) for each in case.ALTERNATIVES]
    return publish(case, backend, settings, bench, (Original("not-run", None, reason, None), tried))


def _request(case: Case, backend: Backend, settings: Settings) -> dict[str, Any]:
    folder, tried = (settings.folder / case.ID).resolve(), variants(case, bench_of(backend, settings.target))
    folder.mkdir(parents=True, exist_ok=True)
    for variant in tried:
        (folder / variant / ENDED).unlink(missing_ok=True)
    return {
        "case": case.ID,
        "backend": backend.NAME,
        "target": settings.target,
        "limit": settings.limit,
        "flags": list(settings.flags),
        "folder": str(folder),
        "variants": tried,
        "slots": str(settings.slots.resolve()),
        "at_once": settings.at_once,
    }


def _read_record(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError):  # died before or while writing
        return {}
    return dict(found)


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines() if log.is_file() else []
    return lines[-1][:300] if lines else ""
