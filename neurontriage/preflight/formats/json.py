"""Preflight → JSON, schema neurontriage.preflight/1. Fields may be added, never change."""

from __future__ import annotations

import json
from typing import Any

from neurontriage.preflight.capture import Break, Graph, Recompilation
from neurontriage.preflight.model import Advice, Memory, Preflight, Row

SCHEMA = "neurontriage.preflight/1"
_INPUTS = 1_000


def render(found: Preflight) -> str:
    """The document, indented."""
    return json.dumps(document(found), indent=2) + "\n"


def document(found: Preflight) -> dict[str, Any]:
    """The document as plain data."""
    return {
        "schema": SCHEMA,
        "path": found.target_file,
        "target": found.target,
        "sdk": found.sdk,
        "sdk_assumed": not found.sdk_given,
        "frontend": found.frontend,
        "flags": list(found.flags),
        "verdict": found.verdict,
        "supported_percent": None if found.percent is None else round(found.percent, 2),
        "operators": [_row(row) for row in found.rows],
        "graphs": [_graph(graph) for graph in found.graphs],
        "recompilations": [_recompilation(one) for one in found.recompilations],
        "graph_breaks": [_break(one) for one in found.breaks],
        "memory": _memory(found.memory),
        "advice": [_advice(one) for one in found.advice],
        "notes": list(found.notes),
        "ended": found.ended or None,
        "versions": dict(found.versions),
        "accuracy": _accuracy(found),
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "opcode": row.opcode or None,
        "dtype": row.dtype or None,
        "count": row.count,
        "outcome": row.outcome,
        "from_sdk": row.from_sdk,
        "entry": row.entry,
        "seen": row.seen or None,
        "lowering": row.lowering,
        "sites": list(row.sites),
        "workarounds": [dict(one) for one in row.workarounds],
    }


def _graph(graph: Graph) -> dict[str, Any]:
    return {
        "id": graph.id,
        "instructions": graph.instructions,
        "inputs": [[dtype, list(dims)] for dtype, dims in graph.inputs[:_INPUTS]],
        "cause": graph.cause or None,
        "site": graph.site or None,
        "peak_bytes": graph.peak_bytes,
    }


def _recompilation(one: Recompilation) -> dict[str, Any]:
    shapes = [list(shape) for shape in one.shapes]
    return {
        "function": one.function,
        "dimension": one.dimension,
        "shapes": shapes,
        "site": one.site or None,
        "reason": one.reason or None,
    }


def _break(one: Break) -> dict[str, Any]:
    return {"reason": one.reason, "site": one.site or None}


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        "hbm_per_core_bytes": memory.available,
        "needed_bytes": memory.needed,
        "parts": dict(memory.parts),
        "fits": memory.fits,
        "notes": list(memory.notes),
    }


def _advice(one: Advice) -> dict[str, Any]:
    return {"title": one.title, "detail": one.detail, "entry": one.entry, "sites": list(one.sites)}


def _accuracy(found: Preflight) -> dict[str, Any] | None:
    answer = found.accuracy
    if answer is None:
        return None
    return {
        "checked": answer.checked,
        "graphs": answer.graphs,
        "disagree": list(answer.disagree),
        "notes": list(answer.notes),
        "not_run": answer.not_run or None,
    }
