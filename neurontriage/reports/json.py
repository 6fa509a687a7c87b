"""Diagnosis → JSON of schema `neurontriage.explain/1`, a frozen public form: fields may be added, never change."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from operator import attrgetter
from typing import Any

from neurontriage import __version__
from neurontriage.model import Check, CompileStatistics, Diagnosis, Finding
from neurontriage.render.text import control

SCHEMA = "neurontriage.explain/1"
_SPAN = " to "
_AT_ONCE = 1000
"""Words of JSON that are put together at a time."""


def render(diagnosis: Diagnosis) -> str:
    """The JSON text, with the same bytes for the same diagnosis."""
    return "".join(pieces(diagnosis))


def pieces(diagnosis: Diagnosis) -> Iterator[str]:
    """The same text piece by piece: that of an incident with many findings is too long to be held."""
    words = json.JSONEncoder(indent=2, ensure_ascii=False).iterencode(document(diagnosis))
    yield from map(_printable, iter(lambda: "".join(islice(words, _AT_ONCE)), ""))
    yield "\n"


def _printable(text: str) -> str:
    return control().sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\t", "\\t"))


def document(diagnosis: Diagnosis) -> dict[str, Any]:
    """The JSON document as plain data; `contract.explain` describes it."""
    return {
        "schema": SCHEMA,
        "tool": {"version": __version__, "knowledge": dict(diagnosis.knowledge)},
        "inputs": _records(diagnosis.inputs, "path", "bytes", "lines"),
        "verdict": diagnosis.verdict,
        "environment": _environment(diagnosis),
        **({"compile": _compile(diagnosis)} if diagnosis.modules or diagnosis.compiles else {}),
        "findings": [finding(one) for one in diagnosis.findings],
        "suspects": _records(diagnosis.suspects, "path", "line", "text", "why"),
        **({"ranks": _ranks(diagnosis)} if diagnosis.ranks else {}),
        **({"runs": _records(diagnosis.runs, "path", "line", "end_line", "verdict")} if diagnosis.runs else {}),
        "collect": list(diagnosis.collect),
        "unparsed": {
            "lines": diagnosis.unparsed.lines,
            "examples": [
                {"path": path, "line": line, "text": text} for path, line, text in diagnosis.unparsed.examples
            ],
        },
        "notes": [*diagnosis.notes, *diagnosis.against],
        "silenced": list(diagnosis.silenced),
    }


def _records(values: tuple[Any, ...], *names: str) -> list[dict[str, Any]]:
    take = attrgetter(*names)
    return [dict(zip(names, take(value), strict=True)) for value in values]


def _environment(diagnosis: Diagnosis) -> dict[str, Any]:
    """`sdk` is the newest release that fits the versions printed, `sdk_range` the first and the last that do."""
    known: dict[str, Any] = dict(diagnosis.environment)
    if isinstance(known.get("sdk"), str) and "sdk_range" not in known:
        first, _, last = known["sdk"].partition(_SPAN)
        known |= {"sdk": last or first, "sdk_range": [first, last or first]}
    return known


def _compile(diagnosis: Diagnosis) -> dict[str, Any]:
    counts = Counter(module.status for module in diagnosis.modules)
    modules = _records(diagnosis.modules, "module", "status", "seconds")
    totals = {status: counts[status] for status in ("passed", "failed", "cached")}
    return {"modules": modules, **totals, "statistics": _statistics(diagnosis.compiles)}


def _statistics(found: CompileStatistics | None) -> dict[str, Any] | None:
    """Times in seconds; what was compiled more than once at one place, and the sizes that made it so."""
    if found is None:
        return None
    (times,) = _records((found,), "seconds", "longest", "longest_seconds", "share")
    again = _records(found.recompilations, "place", "graphs", "tensor", "dimension", "sizes")
    return {**times, "recompilations": [{**one, "sizes": list(one["sizes"])} for one in again]}


def _ranks(diagnosis: Diagnosis) -> dict[str, Any] | None:
    found = diagnosis.ranks
    if found is None:
        return None
    lists = {"failed": found.failed, "waited": found.waited, "silent": found.silent}
    return {"first_failed": found.first_failed, **{name: list(ranks) for name, ranks in lists.items()}}


def finding(one: Finding) -> dict[str, Any]:
    """One finding as plain data, also for those who print findings one by one."""
    return {
        "id": one.id,
        "known": one.known,
        "recognised": one.recognised,
        "general": one.general,
        "title": one.title,
        "layer": one.layer,
        "severity": one.severity,
        "role": one.role,
        "caused_by": one.caused_by,
        "why": {"kind": one.why.kind, "text": one.why.text} if one.why else None,
        "confidence": one.confidence,
        "count": max(one.count, len(one.evidence)),  # the head and the reason of one record are two lines
        "fields": dict(one.fields),
        "evidence": _records(one.evidence, "path", "line", "end_line", "text", "time", "rank"),
        "cause": one.cause,
        "not_proof": one.not_proof,
        "check": _check(one.check),
        "workarounds": [_workaround(fix) for fix in one.workarounds],
        "done_when": one.done_when or None,
        "escalate": one.escalate or None,
        "blast_radius": one.blast_radius or None,
        "stack": list(one.stack),
        "links": _records(one.links, "url", "title", "state"),
        "fixed_in": dict(one.fixed_in) if one.fixed_in else None,
        "affects": one.affects,
        "repro": one.repro,
        "ranks": list(one.ranks),
    }


def _workaround(fix: Any) -> dict[str, Any]:
    (plain,) = _records((fix,), "title", "kind", "detail", "before", "after", "since")
    return {**plain, "short": fix.short or None}


def _check(check: Check | None) -> dict[str, Any] | None:
    if check is None:
        return None
    outcomes = _records(check.outcomes, "seen", "means", "workaround")
    return {"look": check.look, "command": check.command, "outcomes": outcomes}
