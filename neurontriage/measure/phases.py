"""One combination's records → its counts, its times told apart, what dominates, a model checked against the total."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from neurontriage.measure.plan import Plan
from neurontriage.measure.records import Combination, values
from neurontriage.measure.schedule import Record
from neurontriage.measure.statistics import Summary, summarise

Times = dict[int, list[float]]


@dataclass(frozen=True, slots=True)
class Context:
    """What holds for all combinations: the plan, an empty synchronisation, and the start of each process (seconds).

    `shared_cache`: the first process compiles, the others load what it left in the compile cache.
    """

    plan: Plan
    sync: float
    device_initialization: Mapping[int, float]
    shared_cache: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One combination; `steady` is None where nothing was measured."""

    combination: Combination
    first: Summary | None
    steady: Summary | None
    document: dict[str, Any]

    @property
    def graph(self) -> str:
        return self.combination.key[0]

    @property
    def pattern(self) -> str:
        return self.combination.key[1]


def row(combination: Combination, context: Context) -> Row:
    """All that one combination's records say."""
    skip = 1 if context.plan.exclude_first and context.plan.trials > 1 else 0
    first, steady = summarise(combination.seconds("first")), summarise(combination.seconds("steady", skip))
    graph, pattern = combination.key
    document: dict[str, Any] = {"graph": graph, "pattern": pattern, **_state(combination, steady)}
    document |= _facts(combination) | {"counts": _counts(combination), "recompilations": _later(combination)}
    times = _times(combination, skip, context.shared_cache) if first and steady else {}
    document |= {"first_run": _json(first), "cached_run": _json(steady), **times}
    document |= _warmup(combination) | {"detailed_timings": _trials(combination)}
    if first and steady:
        document["true_execution_time"] = steady.median
        document["device_initialization_time"] = _middle(list(context.device_initialization.values()))
        document["dominance"] = _dominance(document, first, steady, context)
        document["model"] = _model(combination, times, steady)
    return Row(combination, first, steady, document)


def _json(summary: Summary | None) -> dict[str, Any] | None:
    return summary.to_json() if summary else None


def _middle(found: list[float]) -> float | None:
    return statistics.median(found) if found else None


def _state(combination: Combination, steady: Summary | None) -> dict[str, Any]:
    failures, faulty = combination.failures, combination.faulty
    status = "measured" if steady and not failures else "partial" if steady else "failed" if failures else "not-run"
    errors = [failure["error"] for failure in failures]
    if faulty and not steady:
        status, errors = "failed", [*errors, faulty[0]["fault"]]
    return {
        "status": status,
        "error": errors[0] if errors else None,
        "finding": None,
        "faults": dict(Counter(f"{each['phase']}: {each['fault']}" for each in faulty)),
    }


def _facts(combination: Combination) -> dict[str, Any]:
    facts = combination.graphs[0]["facts"] if combination.graphs else {}
    return {"parameters": facts.get("parameters"), "layers": facts.get("layers"), "scan": facts.get("scan")}


def _counts(combination: Combination) -> dict[str, Any] | None:
    """Per run; `exact`: every run of every process counted the same."""
    firsts, runs = combination.first, combination.steady
    if not firsts or not runs:
        return None
    sizes = combination.graphs[0]["instructions"] if combination.graphs else []
    one = runs[-1]["counted"]
    return {
        "graphs": len(sizes) or firsts[0]["counted"]["compiles"],
        "compiles": firsts[0]["counted"]["compiles"],
        "executions": one["executions"],
        "synchronisations": runs[0]["cuts"],
        "instructions": sum(sizes) or None,
        "to_device": one["to_device"],
        "from_device": one["from_device"],
        "fallbacks": one["fallbacks"],
        "exact": _same(firsts) and _same(runs) and _same_graphs(combination),
    }


def _same(records: list[Record]) -> bool:
    """Whether all runs counted the same; times are no counts."""
    timed = ("compile_seconds", "execute_seconds")
    counts = [[value for name, value in sorted(r["counted"].items()) if name not in timed] for r in records]
    return len({str([*each, record["cuts"]]) for each, record in zip(counts, records, strict=True)}) == 1


def _same_graphs(combination: Combination) -> bool:
    return len({tuple(each["instructions"]) for each in combination.graphs}) <= 1


def _later(combination: Combination) -> int:
    """Compilations after the first run: none where graphs are stable."""
    later = combination.warmup + combination.settling + combination.steady
    later += [record for record in combination.faulty if record["phase"] != "first"]
    return sum(record["counted"]["compiles"] for record in later)


def _times(combination: Combination, skip: int, shared_cache: bool) -> dict[str, Any]:
    """The first run taken apart: what it takes longer than a later one, on the host, in the compiler, on the device."""
    usual = {name: _middle(values(combination.part("steady", name, skip))) or 0.0 for name in _PARTS}
    lowering, execution = {}, {}
    compiling, loading = _compiled(combination.part("first", "compile_seconds"), shared_cache)
    for process, extra in ((r["process"], r) for r in combination.first):
        host = extra["tracing"] - usual["tracing"] + extra["cutting"] - usual["cutting"]
        lowering[process] = [max(0.0, host - extra["counted"]["compile_seconds"])]
        execution[process] = [max(0.0, extra["waiting"] - usual["waiting"])]
    parts = {"lowering": lowering, "compile": compiling, "load": loading, "first_execution": execution}
    summaries = {f"{name}_time": _json(summarise(runs)) for name, runs in parts.items()}
    return {**summaries, "parts_of_cached_run": usual}


def _compiled(counted: dict[int, list[float]], shared_cache: bool) -> tuple[Times, Times]:
    """Seconds of compiling and of loading by process: the counter of a process that finds the NEFF is its load time."""
    if not shared_cache or len(counted) < 2:
        return counted, {}
    loads = {process: found for process, found in counted.items() if process}
    load = statistics.median(values(loads))
    return {0: [max(0.0, found - load) for found in counted.get(0, [])]}, loads


_PARTS = ("tracing", "cutting", "waiting", "execute_seconds")


def _warmup(combination: Combination) -> dict[str, Any]:
    """`warmup_trend`: seconds per run by least squares; `warmup_stabilization`: the last run less the first."""
    runs = combination.seconds("warmup")
    trends = [statistics.linear_regression(range(len(each)), each).slope for each in runs.values() if len(each) > 1]
    changes = [each[-1] - each[0] for each in runs.values() if len(each) > 1]
    return {
        "warmup_times": [runs[process] for process in sorted(runs)],
        "warmup_mean": statistics.fmean(values(runs)) if runs else None,
        "warmup_trend": _middle(trends),
        "warmup_stabilization": _middle(changes),
        "warmup_stable": all(record["stable"] for record in combination.warm) if combination.warm else None,
    }


def _trials(combination: Combination) -> list[dict[str, Any]]:
    """Every timed run; the first of each process stands beside the trial of the same number."""
    firsts = {record["process"]: record["seconds"] for record in combination.first}
    listed = []
    for record in combination.steady:
        first = firsts.get(record["process"]) if record["trial"] == 0 else None
        difference = first - record["seconds"] if first is not None else None
        numbers = {"process": record["process"], "trial": record["trial"] + 1}
        listed.append({**numbers, "first_run": first, "cached_run": record["seconds"], "difference": difference})
    return listed


def _dominance(document: Mapping[str, Any], first: Summary, steady: Summary, context: Context) -> dict[str, Any]:
    counts, compiling = document["counts"], (document["compile_time"] or {}).get("median", 0.0)
    in_sync = counts["synchronisations"] * context.sync
    return {
        "compile_share": compiling / first.median,
        "synchronisation_seconds": in_sync,
        "without_synchronisation": max(0.0, steady.median - in_sync),
        "cache_speedup": first.median / steady.median,
        "graphs_per_synchronisation": counts["graphs"] / (counts["synchronisations"] or 1),
    }


def _model(combination: Combination, times: Mapping[str, Any], steady: Summary) -> dict[str, Any]:
    """Seconds of all runs: what lowering and compiling took, and a cached run for each of them, against the clock."""
    runs = combination.first + combination.warmup + combination.settling + combination.steady
    lowering = times["lowering_time"]
    once = lowering["mean"] * lowering["n"] + sum(values(combination.part("first", "compile_seconds")))
    expected = once + len(runs) * steady.median
    measured = sum(record["seconds"] for record in runs)
    return {"expected": expected, "measured": measured, "error": (expected - measured) / measured}
