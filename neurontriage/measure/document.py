"""A session's records → the document `neurontriage.measure/1`: what every format shows and `--output` keeps."""

from __future__ import annotations

import itertools
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from neurontriage import __version__
from neurontriage.measure.phases import Context, Row, row
from neurontriage.measure.plan import Plan
from neurontriage.measure.records import Sorted, sort
from neurontriage.measure.schedule import Record
from neurontriage.measure.session import Session
from neurontriage.measure.statistics import Summary, compare, summarise

SCHEMA = "neurontriage.measure/1"
START = ("process_start", "import", "device_initialization", "first_transfer", "first_graph", "building")


@dataclass(frozen=True, slots=True)
class Setting:
    """Where it was measured: what the times are times of, package versions, whether processes share a NEFF cache."""

    times_of: str
    versions: Mapping[str, str] = field(default_factory=dict)
    shared_cache: bool = False


def document(session: Session, plan: Plan, setting: Setting) -> dict[str, Any]:
    """Everything that was measured, and what follows from it; times in seconds."""
    found = sort(session.records, plan)
    baseline = _baseline(found)
    starts = _processes(found)
    opened = {each["process"]: each["device_initialization"] for each in starts if each["device_initialization"]}
    context = Context(plan, baseline.median if baseline else 0.0, opened, setting.shared_cache)
    rows = [row(combination, context) for combination in found.combinations.values()]
    return {
        "schema": SCHEMA,
        "tool": {"version": __version__},
        "configuration": plan.configuration(),
        "environment": {"times_of": setting.times_of, "host": _host(), "versions": dict(setting.versions)},
        "interrupted": session.interrupted,
        "seconds": session.seconds,
        "sync_baseline": baseline.to_json() if baseline else None,
        "processes": starts,
        "patterns": [each.document for each in rows],
        "comparisons": list(comparisons(rows)),
        "model": _model(rows, starts),
        "notes": list(_notes(session, rows)),
    }


def _host() -> dict[str, Any]:
    import os

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"machine": platform.machine(), "system": platform.system(), "cores": cores}


def _baseline(found: Sorted) -> Summary | None:
    """An empty synchronisation: the first of a process is left out, as it may find work that others left."""
    runs: dict[int, list[float]] = {}
    for record in found.processes:
        if record["kind"] == "baseline":
            runs.setdefault(record["process"], []).extend(record["seconds"][1:])
    return summarise(runs)


def _processes(found: Sorted) -> list[dict[str, Any]]:
    """How each process started and what it printed, by share."""
    shares: dict[int, dict[str, Any]] = {}
    for record in found.processes:
        if "share" in record:
            shares.setdefault(record["share"], _blank(record["process"])).update(_start(record))
    return [shares[share] for share in sorted(shares)]


def _blank(process: int) -> dict[str, Any]:
    return {"process": process, **dict.fromkeys((*START, "first_use", "baseline", "total"))}


def _start(record: Record) -> dict[str, Any]:
    if record["kind"] == "imported":
        return {
            "process_start": record["process_start"],
            "import": record["seconds"],
            "_spawned": record["began"] - record["process_start"],
        }
    if record["kind"] == "start":
        return {name: record[name] for name in (*START[2:5], "first_use")}
    if record["kind"] == "built":
        return {"building": record["seconds"]}
    if record["kind"] == "baseline":
        return {"baseline": sum(record["seconds"])}
    return {"_ended": record["at"]} if record["kind"] == "end" else {}


def comparisons(rows: Iterable[Row]) -> Iterable[dict[str, Any]]:
    """Every two patterns of one graph, by their cached runs; then which one is the heaviest, where that is shown."""
    for graph, group in itertools.groupby(rows, key=lambda row: row.graph):
        measured = [(each.pattern, each.steady) for each in group if each.steady]
        pairs = []
        for (one, a), (other, b) in itertools.combinations(measured, 2):
            found = compare(a, b)
            pairs.append({"one": one, "other": other, **_compared(found)})
        if pairs:
            ends = {"heaviest": heaviest(dict(measured)), "lightest": lightest(dict(measured))}
            yield {"graph": graph, "pairs": pairs, **ends}


def _compared(found: Any) -> dict[str, Any]:
    return {
        "ratio": found.ratio,
        "low": found.low,
        "high": found.high,
        "probability": found.probability,
        "verdict": found.verdict,
    }


def heaviest(measured: Mapping[str, Summary]) -> str | None:
    """The one that is slower than every other, None where that cannot be told."""
    return next((n for n, a in measured.items() if _beats(n, a, measured, "faster")), None)


def lightest(measured: Mapping[str, Summary]) -> str | None:
    """The one that is faster than every other, None where that cannot be told."""
    return next((n for n, a in measured.items() if _beats(n, a, measured, "slower")), None)


def _beats(name: str, one: Summary, measured: Mapping[str, Summary], others_are: str) -> bool:
    others = [other for each, other in measured.items() if each != name]
    return bool(others) and all(compare(one, other).verdict == others_are for other in others)


def _model(rows: list[Row], starts: list[dict[str, Any]]) -> dict[str, Any]:
    """The whole measurement from its parts, against the clock of the parent process; seconds."""
    parts: dict[str, float] = {name: sum(each[name] or 0.0 for each in starts) for name in START}
    models = [each.document["model"] for each in rows if "model" in each.document]
    parts["baseline"] = sum(each["baseline"] or 0.0 for each in starts)
    parts["inspection"] = sum(record["seconds"] for each in rows for record in each.combination.graphs)
    parts["runs"] = sum(model["expected"] for model in models)
    ended = [each for each in starts if {"_spawned", "_ended"} <= each.keys()]
    measured = sum(each["_ended"] - each["_spawned"] for each in ended)
    for each in starts:
        spawned, end = each.pop("_spawned", None), each.pop("_ended", None)
        each["total"] = end - spawned if end is not None and spawned is not None else None
    expected = sum(parts.values())
    complete = bool(ended) and len(ended) == len(starts)
    return {
        "parts": parts,
        "expected": expected,
        "measured": measured if complete else None,
        "error": (expected - measured) / measured if complete else None,
        "per_combination_error": _worst(models),
    }


def _worst(models: list[dict[str, float]]) -> float | None:
    """The largest error of one combination, with its sign."""
    return max((model["error"] for model in models), key=abs, default=None)


def _notes(session: Session, rows: list[Row]) -> Iterable[str]:
    """What a reader must know before believing a number."""
    if session.interrupted:
        yield "interrupted: what was measured until then is kept"
    states = [each.document["status"] for each in rows]
    for status in ("failed", "partial", "not-run"):
        if n := states.count(status):
            yield f"{n} of {len(rows)} combinations {status}"
    for each in rows:
        name = f"{each.graph}/{each.pattern}"
        if later := each.document["recompilations"]:
            yield f"{name}: {later} compilations after the first run: its graph is not stable"
        counts = each.document["counts"]
        if counts and not counts["exact"]:
            yield f"{name}: the counts differ between runs"
        if counts and counts["fallbacks"]:
            yield f"{name}: runs on the CPU in each step: {', '.join(sorted(counts['fallbacks']))}"
        if each.document.get("scan") == "manual":
            yield f"{name}: no native scan here; written out as a loop that keeps its states"
