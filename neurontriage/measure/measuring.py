"""A Plan → the document: chooses the backend, runs the session, explains what failed."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

from neurontriage.measure import devices, session, shapes
from neurontriage.measure.document import Setting, document
from neurontriage.measure.plan import Plan
from neurontriage.repro import environment as installed


def measure(plan: Plan, progress: session.Progress) -> dict[str, Any]:
    """Everything that was measured, also when somebody stopped it. `plan.processes` 0: what suits the backend."""
    backend = devices.choose(plan.backend)
    plan = replace(plan, backend=backend.NAME, processes=plan.processes or backend.PROCESSES)
    with _termination_interrupts():
        found = session.measure(plan, backend, progress)
    result = document(found, plan, Setting(backend.TIMES, _versions(), backend.SHARED_CACHE))
    _explain(found, result)
    _compilers(found, result)
    if plan.shapes:
        result["shapes"] = shapes.advice(plan.shapes, result["patterns"])
    return result


def _versions() -> Mapping[str, str]:
    return {"scipy": installed.version("scipy") or "", **installed.versions()}


@contextmanager
def _termination_interrupts() -> Iterator[None]:
    """SIGTERM is treated as Ctrl-C: what was measured until then is kept."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _explain(found: session.Session, result: dict[str, Any]) -> None:
    """Names the knowledge entry of every failure whose traceback is known."""
    failures = {(r["graph"], r["pattern"]): r["traceback"] for r in found.records if r["kind"] == "failed"}
    failures |= {(k[0], k[1]): r["traceback"] for r in found.records for k in r.get("keys", ())}
    for row in result["patterns"]:
        text = failures.get((row["graph"], row["pattern"]))
        row["finding"] = _finding(text) if text and row["error"] else None


def _compilers(found: session.Session, result: dict[str, Any]) -> None:
    """What the compile wrapper printed in each process: its modules with their seconds, and what went wrong."""
    from neurontriage.triage import explain_text

    printed = {record["share"]: record["text"] for record in found.records if record["kind"] == "log"}
    for share, process in enumerate(result["processes"]):
        diagnosis = explain_text(printed.get(share, ""))
        modules = [{"module": m.module, "status": m.status, "seconds": m.seconds} for m in diagnosis.modules]
        process["compiler"] = {"modules": modules, "findings": [root.id for root in diagnosis.roots]}


def _finding(text: str) -> str | None:
    from neurontriage.triage import explain_text

    roots = [root for root in explain_text(text).roots if root.recognised]
    return roots[0].id if roots else None
