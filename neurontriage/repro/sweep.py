"""`--all`: every case in turn, two at a time where memory allows, kept so that a stopped run goes on."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from neurontriage.errors import TriageError
from neurontriage.model import Diagnosis
from neurontriage.repro import blocks, environment, hlo, verdicts, wire
from neurontriage.repro.backends import Backend
from neurontriage.repro.case import Case
from neurontriage.repro.session import RESULT, Explain, Result, Settings, examine_together

SCHEMA = "neurontriage.repro-all/1"
SUMMARY, FINGERPRINT = "all.json", "fingerprint"
MB_PER_WORKER = 2500
"""One worker holds torch-xla (0.8 GB) and one attempt that compiles."""
MOST_WORKERS = 2
BATCH = 6
"""Cases per worker: importing torch-xla costs more than a small case does."""
Progress = Callable[[int, int, Result], None]


def sweep(cases: Sequence[Case], backend: Backend, settings: Settings, progress: Progress) -> Result:
    """Examines all cases, or takes the result of an equal earlier attempt in the same folder."""
    settings = dataclasses.replace(settings, explain=one_at_a_time(settings.explain))
    results = {case.ID: kept for case in cases if (kept := _kept(case, backend.NAME, settings)) is not None}
    for result in list(results.values()):
        progress(len(results), len(cases), result)
    with ThreadPoolExecutor(workers()) as pool:
        waiting = batches([case for case in cases if case.ID not in results])
        pending = [pool.submit(_examined, batch, backend, settings) for batch in waiting]
        try:
            for result in (result for done in as_completed(pending) for result in done.result()):
                results[result["case"]] = result
                progress(len(results), len(cases), result)
        except BaseException:
            pool.shutdown(cancel_futures=True)  # the batches under way end and are kept; no new one starts
            raise
    summary = summarise([results[case.ID] for case in cases], backend.NAME, settings.target)
    (settings.folder / SUMMARY).write_text(json.dumps(summary, indent=2) + "\n")
    return summary


def batches(cases: Sequence[Case]) -> list[list[Case]]:
    """Groups of cases that may share one worker: the same environment variables, and not too many."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(json.dumps(dict(case.NEEDS.environment), sort_keys=True), []).append(case)
    return [group[at : at + BATCH] for group in groups.values() for at in range(0, len(group), BATCH)]


def summarise(results: Sequence[Result], backend: str, target: str) -> Result:
    """All results in one document (schema `neurontriage.repro-all/1`)."""
    return {
        "schema": SCHEMA,
        "backend": backend,
        "target": target,
        "versions": environment.versions(),
        "counts": dict(sorted(Counter(result["verdict"] for result in results).items())),
        "cases": list(results),
    }


def workers() -> int:
    """How many cases may run side by side on this machine."""
    return max(1, min(MOST_WORKERS, os.cpu_count() or 1, available_mb() // MB_PER_WORKER))


def available_mb(meminfo: Path = Path("/proc/meminfo")) -> int:
    """Memory that can be had without swapping; unlimited where the system does not say."""
    try:
        lines = dict(line.split(":", 1) for line in meminfo.read_text().splitlines() if ":" in line)
        return int(lines["MemAvailable"].split()[0]) // 1024
    except (OSError, KeyError, ValueError):
        return MB_PER_WORKER * MOST_WORKERS


def one_at_a_time(explain: Explain) -> Explain:
    """The explainer's scanner is not made for several threads at once."""
    lock = threading.Lock()

    def guarded(text: str) -> Diagnosis:
        with lock:
            return explain(text)

    return guarded


def fingerprint(case: Case, backend: str, target: str) -> str:
    """Changes with everything that could change a result: the case, the shared code, versions, backend."""
    modules = (cast(ModuleType, case), blocks, hlo, wire, verdicts)
    about = [backend, target, environment.versions(), *(inspect.getsource(module) for module in modules)]
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


def _examined(cases: Sequence[Case], backend: Backend, settings: Settings) -> list[Result]:
    try:
        results = examine_together(cases, backend, settings)
    except TriageError as error:
        return [_broken(case, backend.NAME, settings.target, str(error)) for case in cases]
    for case in cases:
        mark = fingerprint(case, backend.NAME, settings.target)
        (settings.folder / case.ID / FINGERPRINT).write_text(mark)
    return results


def _kept(case: Case, backend: str, settings: Settings) -> Result | None:
    folder = settings.folder / case.ID
    try:
        same = (folder / FINGERPRINT).read_text() == fingerprint(case, backend, settings.target)
        return cast(dict[str, Any], json.loads((folder / RESULT).read_text())) if same else None
    except (OSError, json.JSONDecodeError):
        return None


def _broken(case: Case, backend: str, target: str, reason: str) -> Result:
    """A case whose process died must not take the others with it."""
    original = {"outcome": "not-run", "finding": None, "seconds": None, "log": None, "reason": reason}
    return {
        "schema": "neurontriage.repro/1",
        "case": case.ID,
        "title": case.TITLE,
        "backend": backend,
        "target": target,
        "versions": environment.versions(),
        "original": original,
        "alternatives": [],
        "verdict": "cannot-tell",
        "reason": f"not-run: {reason}",
    }
