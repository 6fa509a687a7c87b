"""The result of an older script of single runs → a document of ours, and which of its conclusions its numbers carry.

Such scripts list, per pattern (`natural_for_loop_small`, `vmap_small`, …), the seconds of a few "first" and of a few
"cached" runs, and derive compile time, initialisation and the heaviest pattern from their means.
"""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from neurontriage import __version__
from neurontriage.errors import TriageError
from neurontriage.measure.document import SCHEMA, comparisons
from neurontriage.measure.phases import Row
from neurontriage.measure.records import Combination
from neurontriage.measure.statistics import Summary, summarise
from neurontriage.repro import environment as installed

_PATTERN = re.compile(r"(?P<pattern>natural|dependent|vmap|scan)(?:_for_loop)?(?:_(?P<graph>[a-z_]+))?$")
_FIRST = ("first_runs", "first_run_times", "first_times", "first_trials", "first_run")
_CACHED = ("cached_runs", "cached_run_times", "cached_times", "cached_trials", "cached_run")
_MOST_DEPTH, _SAME = 12, 2.0
"""A first run less than twice as long as a cached one compiled nothing."""
Conclusion = dict[str, str]


@dataclass(frozen=True, slots=True)
class Series:
    """The runs of one pattern and graph, in seconds, in the order in which they were taken."""

    pattern: str
    graph: str
    first: tuple[float, ...]
    cached: tuple[float, ...]


def load(path: Path) -> dict[str, Any]:
    """The document of such a file. TriageError when it holds no series of runs, or SciPy is missing."""
    if not installed.version("scipy"):
        raise TriageError("extra-missing", "scipy is not installed", "the extra xla", "pip install 'neurontriage[xla]'")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _refusal(path, error.strerror or str(error)) from None
    except (ValueError, RecursionError) as error:
        raise _refusal(path, f"not JSON: {error}") from None
    series = list({(one.graph, one.pattern): one for one in _walk(found, "", 0)}.values())
    if not series:
        raise _refusal(path, "no runs of a pattern in it")
    return document(sorted(series, key=lambda one: one.graph), _sync(found), path.name)


def _refusal(path: Path, problem: str) -> TriageError:
    expected = "JSON with first and cached runs in seconds under keys like natural_for_loop_small"
    return TriageError("not-importable", f"{path}: {problem}", expected, "neurontriage measure measures them anew")


def _walk(node: Any, name: str, depth: int) -> Iterator[Series]:
    """Every mapping under a pattern's name that holds runs, however deep."""
    if not isinstance(node, dict) or depth > _MOST_DEPTH:
        return
    named = _PATTERN.match(name)
    first, cached = _runs(node, _FIRST), _runs(node, _CACHED)
    if named and cached:
        yield Series(named["pattern"], named["graph"] or "model", first, cached)
        return
    for key, value in node.items():
        yield from _walk(value, str(key), depth + 1)


def _runs(node: Mapping[str, Any], names: Sequence[str]) -> tuple[float, ...]:
    """A list of numbers under one of the names, or that column of `detailed_timings`."""
    for name in names:
        if isinstance(node.get(name), list):
            return tuple(_numbers(node[name]))
    trials = node.get("detailed_timings")
    rows = [trial for trial in trials if isinstance(trial, dict)] if isinstance(trials, list) else []
    return tuple(_numbers(row.get(names[-1]) for row in rows))


def _numbers(values: Iterable[Any]) -> Iterator[float]:
    for value in values:
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf"):
            yield float(value)


def _sync(found: Any) -> float | None:
    """Seconds of an empty synchronisation, where the file has them."""
    for name in ("sync_baseline", "pure_sync", "sync_times", "sync_statistics"):
        node = found.get(name) if isinstance(found, dict) else None
        for key in ("median", "mean"):
            if isinstance(node, dict) and isinstance(node.get(key), int | float):
                return float(node[key])
    return None


def document(series: list[Series], sync: float | None, name: str) -> dict[str, Any]:
    """A document in our schema; what such a file does not hold (counts, start, model) is null or empty."""
    rows = [_row(one) for one in series]
    return {
        "schema": SCHEMA,
        "tool": {"version": __version__},
        "imported": name,
        "configuration": {"backend": "unknown", "processes": 1, "measurement_trials": len(series[0].cached)},
        "environment": {"times_of": f"the machine that wrote {name}", "host": {}, "versions": {}},
        "interrupted": False,
        "seconds": None,
        "sync_baseline": {"median": sync, "low": None, "high": None} if sync else None,
        "processes": [],
        "patterns": [row.document for row in rows],
        "comparisons": list(comparisons(rows)),
        "model": {"parts": {}, "expected": None, "measured": None, "error": None, "per_combination_error": None},
        "notes": ["no counters: nothing shows what was compiled or executed in these runs"],
        "conclusions": list(_conclusions(rows, series, sync)),
    }


def _row(one: Series) -> Row:
    first, cached = summarise({0: one.first}), summarise({0: one.cached})
    plain = {
        "graph": one.graph,
        "pattern": one.pattern,
        "status": "measured",
        "error": None,
        "finding": None,
        "faults": {},
        "counts": None,
        "recompilations": 0,
        "first_run": first.to_json() if first else None,
        "cached_run": cached.to_json() if cached else None,
        "true_execution_time": cached.median if cached else None,
        "device_initialization_time": None,
    }
    return Row(Combination((one.graph, one.pattern)), first, cached, plain)


def _conclusions(rows: list[Row], series: list[Series], sync: float | None) -> Iterator[Conclusion]:
    """What such results are quoted for, each with what the numbers say."""
    for graph, group in groupby(rows, key=lambda row: row.graph):
        measured = {row.pattern: row.steady for row in group if row.steady}
        if len(measured) > 1:
            yield _extreme(graph, measured, "slowest")
            yield _extreme(graph, measured, "fastest")
    for one in series:
        if one.first:
            yield _compile_time(one)
    for one in series:
        if one.pattern == "dependent":
            yield _synchronisation(one, sync)


def _extreme(graph: str, measured: Mapping[str, Summary], which: str) -> Conclusion:
    """The pattern with the largest (smallest) mean, as it is quoted, against the intervals of the medians."""
    choose = max if which == "slowest" else min
    name = choose(measured, key=lambda each: measured[each].mean)
    quoted, others = measured[name], [other for each, other in measured.items() if each != name]
    claim = f"{name} is the {which} of {graph}"
    apart = all(_apart(quoted, other, which) for other in others)
    if apart:
        return _said(claim, "shown", f"its interval lies apart from all others, with {len(quoted.values)} runs each")
    by_median = choose(measured, key=lambda each: measured[each].median)
    if quoted.outliers and by_median != name:
        outliers = "one outlier" if len(quoted.outliers) == 1 else f"{len(quoted.outliers)} outliers"
        ms = ", ".join(f"{value * 1e3:.3g} ms" for value in quoted.outliers)
        why = f"{outliers} ({ms}): mean {quoted.mean * 1e3:.3g} ms, median {quoted.median * 1e3:.3g} ms"
        return _said(claim, "not shown", f"{why}; by medians it is {by_median}")
    return _said(claim, "cannot tell", "its interval overlaps with that of another pattern")


def _apart(one: Summary, other: Summary, which: str) -> bool:
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return False
    return one.low > other.high if which == "slowest" else one.high < other.low


def _compile_time(one: Series) -> Conclusion:
    """First less cached runs is quoted as the compile time."""
    claim = f"{one.pattern}/{one.graph} compiles in {(one.first[0] - statistics.median(one.cached)) * 1e3:.3g} ms"
    later = one.first[1:]
    usual = statistics.median(one.cached)
    same = [value for value in later if value < _SAME * usual]
    why = "the first run of a process also initialises, transfers, loads and executes for the first time"
    if later and len(same) == len(later):
        why += f"; the other {len(later)} 'first' runs take as long as cached ones: they compiled nothing"
    return _said(claim, "not shown", why)


def _synchronisation(one: Series, sync: float | None) -> Conclusion:
    claim = f"synchronisation dominates dependent/{one.graph}"
    if sync is None:
        return _said(claim, "cannot tell", "the file holds no cost of an empty synchronisation")
    share = 3 * sync / statistics.median(one.cached)
    return _said(
        claim, "shown" if share > 0.5 else "not shown", f"three empty synchronisations are {share:.0%} of a run"
    )


def _said(claim: str, verdict: str, why: str) -> Conclusion:
    return {"claim": claim, "verdict": verdict, "why": why}
