"""Documents of measurements on synthetic devices, for the formats: everything that a page can show, and attacks."""

from __future__ import annotations

from typing import Any

from synthetic import Costs, SyntheticDevice
from synthetic_sessions import measured

from neurontriage.measure import comparing, shapes
from neurontriage.measure.device import Cut, Program
from neurontriage.measure.plan import GRAPHS, PATTERNS, Plan

RUN = {"natural": 0.0003, "dependent": 0.0004, "vmap": 0.0003, "scan": 0.002}


def _programs(device: SyntheticDevice) -> list[Program]:
    def raises(cut: Cut) -> Any:
        raise RuntimeError("vmap: called random operation while in randomness error mode")

    found = [device.program(graph, name, 0.05, RUN[name], 1) for graph in GRAPHS for name in PATTERNS]
    return [Program("mlp", "vmap", raises, 1, 1) if one.key == ("mlp", "vmap") else one for one in found]


def whole() -> dict[str, Any]:
    """Every section: failures, conclusions, a comparison, shapes, counts, times and parts."""
    slow = [SyntheticDevice(Costs(jitter=0.05), seed, lambda graph, n: 0.01 * (n == 15)) for seed in range(3)]
    new = measured(slow, _programs, Plan())
    old = measured([SyntheticDevice(Costs(trace=0.004))], _programs, Plan(processes=1))
    new["compared"] = comparing.compared(old, new, "yesterday.json")
    sizes = ((8, 127), (8, 128), (8, 300))
    rows = [{"graph": "x".join(map(str, size)), "counts": {"compiles": 1}} for size in sizes]
    new["shapes"] = shapes.advice(sizes, rows)
    new["conclusions"] = [{"claim": "vmap is the slowest of small", "verdict": "not shown", "why": "one outlier"}]
    new["patterns"][1]["counts"]["fallbacks"] = {"aten::nonzero": 3}
    new["patterns"][2]["recompilations"] = 13
    return new


def hostile(attacks: list[str]) -> dict[str, Any]:
    """The same with an attack wherever text comes from outside: a module's name, an error, a version, a path."""
    found = whole()
    found["configuration"]["module"] = attacks[0]
    found["imported"] = attacks[1]
    found["environment"]["versions"] = {attacks[1]: attacks[2]}
    found["environment"]["times_of"] = attacks[3]
    found["notes"] = list(attacks)
    found["compared"]["path"] = attacks[0]
    found["conclusions"] = [{"claim": text, "verdict": text, "why": text} for text in attacks]
    for row, text in zip(found["patterns"], attacks * len(found["patterns"]), strict=False):
        row["graph"], row["error"], row["finding"] = text, text, text
        if row["counts"]:
            row["counts"]["fallbacks"] = {text: 1}
    for graph, text in zip(found["comparisons"], attacks * len(found["comparisons"]), strict=False):
        graph["graph"] = text
        graph["pairs"][0]["one"] = text
    return found
