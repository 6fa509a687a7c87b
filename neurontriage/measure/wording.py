"""Numbers of a measurement in words: the sentences that every format shares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
NAMES = {"natural": "natural loop", "dependent": "dependent loop", "vmap": "vmap", "scan": "scan", "step": "own step"}


def plural(number: int, noun: str, ending: str = "s") -> str:
    """`1 graph`, `2,000 graphs`."""
    return f"{number:,} {noun}{'' if number == 1 else ending}"


def seconds(value: float | None) -> str:
    """Three digits and a unit: `0.43 ms`."""
    if value is None:
        return "-"
    scale, unit = next(((s, u) for s, u in _UNITS if abs(value) >= s), _UNITS[-1])
    return f"{value / scale:.3g} {unit}" if abs(value) < 1000 else f"{value:.0f} s"


def interval(summary: Mapping[str, Any] | None, unit: bool = True) -> str:
    """`0.21…0.25 ms`, in the unit of the median; empty without an interval."""
    if not summary or summary["low"] is None:
        return ""
    scale, name = next(((s, u) for s, u in _UNITS if abs(summary["median"]) >= s), _UNITS[-1])
    return f"{summary['low'] / scale:.3g}…{summary['high'] / scale:.3g}" + (f" {name}" if unit else "")


def with_interval(summary: Mapping[str, Any] | None) -> str:
    """`0.23 ms (0.21…0.25)`; the median alone without an interval."""
    if not summary:
        return "-"
    bounds = interval(summary, unit=False)
    return seconds(summary["median"]) + (f" ({bounds})" if bounds else "")


def headline(document: Mapping[str, Any]) -> str:
    """What was measured, where, how often and how long it took."""
    configuration, rows = document["configuration"], document["patterns"]
    if document.get("imported"):
        return f"{len(rows)} combinations read from {document['imported']}"
    measured = sum(row["status"] == "measured" for row in rows)
    return (
        f"{measured} of {len(rows)} combinations measured on {configuration['backend']} in "
        f"{seconds(document['seconds'])}: {plural(configuration['processes'], 'process', 'es')}, "
        f"{plural(configuration['measurement_trials'], 'trial')} in each"
    )


def share(value: float | None) -> str:
    """A part of one as a percentage."""
    return "-" if value is None else f"{value:.0%}"


def compared(graph: Mapping[str, Any]) -> Iterable[str]:
    """What the intervals of one graph's patterns carry, as sentences; what they do not carry is said, too."""
    patterns = dict.fromkeys(name for pair in graph["pairs"] for name in (pair["one"], pair["other"]))
    if graph["heaviest"]:
        yield f"{NAMES.get(graph['heaviest'], graph['heaviest'])} is the slowest"
    if graph["lightest"]:
        yield f"{NAMES.get(graph['lightest'], graph['lightest'])} is the fastest"
    unclear = [pair for pair in graph["pairs"] if pair["verdict"] == "cannot tell"]
    if unclear:
        named = ", ".join(f"{pair['one']}/{pair['other']}" for pair in unclear)
        yield f"cannot tell: {named}" + (" (no difference is shown)" if len(patterns) == 2 else "")


def pair(found: Mapping[str, Any]) -> str:
    """`scan is 9.1 times slower than natural (8.2 … 10.4), in 99 % of all pairs of runs`"""
    ratio, low, high = found["ratio"], found["low"], found["high"]
    if found["verdict"] == "cannot tell":
        return f"{found['other']} against {found['one']}: cannot tell (ratio of medians {ratio:.3g})"
    if found["verdict"] == "faster":
        ratio, low, high = 1 / ratio, 1 / high, 1 / low
    bounds = f" ({low:.3g} … {high:.3g})" if low is not None and high is not None else ""
    often = found["probability"] if found["verdict"] == "slower" else 1 - found["probability"]
    than = f"{ratio:.3g} times {found['verdict']} than {found['one']}{bounds}"
    return f"{found['other']} is {than}, in {often:.0%} of all pairs of runs"


def model(document: Mapping[str, Any]) -> str:
    """How well the parts explain the whole."""
    found = document["model"]
    if found["error"] is None:
        return f"parts add up to {seconds(found['expected'])}; the total was not measured"
    return (
        f"parts add up to {seconds(found['expected'])}, the clock says {seconds(found['measured'])} "
        f"({found['error']:+.1%})"
    )


def conclusion(found: Mapping[str, Any]) -> str:
    """`vmap is the slowest of small: not shown: one outlier (…)`"""
    return f"{found['claim']}: {found['verdict']}: {found['why']}"


def against(document: Mapping[str, Any]) -> Iterable[str]:
    """What differs from an older result; nothing where none was given."""
    found = document.get("compared")
    if not found:
        return
    same = sum(row["verdict"] == "cannot tell" for row in found["rows"])
    yield f"against {found['path']}: {same} of {len(found['rows'])} cached runs agree within their intervals"
    yield from (f"not the same: {name} was {was}, is {now}" for name, was, now in found["differences"])
    for row in found["rows"]:
        name = f"{row['graph']}/{row['pattern']}"
        yield from (f"{name}: {what} {was} → {now}" for what, was, now in row["counts"])
        if row["verdict"] != "cannot tell":
            ratio = row["ratio"] if row["verdict"] == "slower" else 1 / row["ratio"]
            yield f"{name}: {ratio:.3g} times {row['verdict']}"
    if found["missing"]:
        yield f"only in one of the two: {', '.join(found['missing'])}"


def shapes(document: Mapping[str, Any]) -> Iterable[str]:
    """Which shapes compile, and what padding would save; nothing where no shapes were given."""
    found = document.get("shapes")
    if not found:
        return
    for each in found["shapes"]:
        name = "x".join(map(str, each["shape"]))
        what = "not measured" if each["compiles"] is None else f"{plural(each['compiles'], 'graph')} compiled"
        yield f"{name}: {what}"
    yield f"as it is: {plural(found['graphs'], 'graph')} for {plural(len(found['shapes']), 'shape')}"
    for plan in found["plans"]:
        sizes = ", ".join("x".join(map(str, shape)) for shape in plan["shapes"])
        yield f"{plan['name']}: {plural(plan['graphs'], 'graph')} ({sizes}), {share(plan['waste'])} more elements"
