"""Diagnosis → JSON of schema `neurontriage.explain/1`, a frozen public form: fields may be added, never change."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from neurontriage import __version__
from neurontriage.model import Diagnosis, Evidence, Finding
from neurontriage.render.text import CONTROL

SCHEMA = "neurontriage.explain/1"


def render(diagnosis: Diagnosis) -> str:
    """The JSON text, with the same bytes for the same diagnosis."""
    text = json.dumps(document(diagnosis), indent=2, ensure_ascii=False)
    return CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\t", "\\t")) + "\n"


def document(diagnosis: Diagnosis) -> dict[str, Any]:
    """The JSON document as plain data."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "tool": {"version": __version__, "knowledge": dict(diagnosis.knowledge)},
        "inputs": [{"path": s.path, "bytes": s.bytes, "lines": s.lines} for s in diagnosis.inputs],
        "verdict": diagnosis.verdict,
        "environment": dict(diagnosis.environment),
    }
    if diagnosis.modules:
        data["compile"] = _compile(diagnosis)
    data["findings"] = [_finding(finding) for finding in diagnosis.findings]
    data["unparsed"] = {
        "lines": diagnosis.unparsed.lines,
        "examples": [{"path": path, "line": line, "text": text} for path, line, text in diagnosis.unparsed.examples],
    }
    data["suspects"] = [{"path": s.path, "line": s.line, "text": s.text, "why": s.why} for s in diagnosis.suspects]
    if diagnosis.notes:
        data["notes"] = list(diagnosis.notes)
    if diagnosis.silenced:
        data["silenced"] = list(diagnosis.silenced)
    return data


def _compile(diagnosis: Diagnosis) -> dict[str, Any]:
    counts = Counter(module.status for module in diagnosis.modules)
    modules = [{"module": m.module, "status": m.status, "seconds": m.seconds} for m in diagnosis.modules]
    return {"modules": modules, **{status: counts[status] for status in ("passed", "failed", "cached")}}


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "known": finding.known,
        "title": finding.title,
        "layer": finding.layer,
        "severity": finding.severity,
        "role": finding.role,
        "caused_by": finding.caused_by,
        "why": {"kind": finding.why.kind, "text": finding.why.text} if finding.why else None,
        "confidence": finding.confidence,
        "count": finding.count,
        "fields": dict(finding.fields),
        "evidence": [_evidence(evidence) for evidence in finding.evidence],
        "cause": finding.cause,
        "not_proof": finding.not_proof,
        "workarounds": [
            _without_none(w, ("title", "kind", "detail", "before", "after", "since")) for w in finding.workarounds
        ],
        "links": [_without_none(link, ("url", "title", "state")) for link in finding.links],
        "fixed_in": dict(finding.fixed_in) if finding.fixed_in else None,
        "affects": finding.affects,
        "repro": finding.repro,
        "ranks": list(finding.ranks),
        "general": finding.general,
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return _without_none(evidence, ("path", "line", "end_line", "text", "time", "rank"))


def _without_none(value: object, names: tuple[str, ...]) -> dict[str, Any]:
    found = {name: getattr(value, name) for name in names}
    return {name: item for name, item in found.items() if item is not None}
