"""Analysis → the public form `neurontriage.report/1`: fields may be added, never change."""

from __future__ import annotations

import json

from neurontriage import __version__
from neurontriage.analysis import wording
from neurontriage.analysis.model import Analysis, Comparison, Hlo, Operator, Place, Reason
from neurontriage.analysis.runlog import log_findings
from neurontriage.hlo.instruction import Instruction

SCHEMA = "neurontriage.report/1"
Record = dict[str, object]
_CHOICE = {"fills", "always", "suits"}
"""What only chooses among the fixes."""


def render(analysis: Analysis) -> str:
    """The same analysis gives the same bytes."""
    return json.dumps(_record(analysis), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _record(analysis: Analysis) -> Record:
    share, result = analysis.share, analysis.result
    record: Record = {
        "schema": SCHEMA,
        "tool": {"version": __version__},
        "input": {"path": result.path, "schema": result.schema, "hlo": result.refused_hlo is not None},
        "verdict": analysis.verdict,
        "headline": wording.headline(analysis),
        "percentage": {
            "printed": share.printed,
            "value": share.value,
            "recomputed": None if share.recomputed is None else round(share.recomputed, 4),
            "unit": share.unit,
            "supported": share.passed if share.total else None,
            "total": share.total or None,
            "agrees": share.agrees if share.recomputed is not None else None,
        },
        "versions": {v.package: {"version": v.version, "sdk": v.sdk} for v in analysis.versions},
        "operators": [_operator(operator) for operator in analysis.operators],
        "reasons": [_reason(reason) for reason in analysis.reasons],
        "sources": [
            {"file": s.file, "lines": [{"line": x.line, "operators": list(x.kinds)} for x in s.lines]}
            for s in analysis.sources
        ],
        "notes": list(analysis.notes),
        "not_shown": wording.not_shown(analysis) or None,
        "ended": list(analysis.ended),
        "unparsed": {"instructions": len(analysis.unparsed), "examples": list(analysis.unparsed[:10])},
        "unknown_fields": list(result.unknown),
    }
    if analysis.comparison:
        record["comparison"] = _comparison(analysis.comparison)
    if analysis.log:
        record["log"] = [
            {
                "id": said.finding.id,
                "title": said.finding.title,
                "severity": said.finding.severity,
                "role": said.finding.role,
                "operators": list(said.operators),
                "workarounds": [{"title": fix.title, "detail": fix.detail} for fix in said.finding.workarounds],
            }
            for said in log_findings(analysis)
        ]
    return record


def _operator(operator: Operator) -> Record:
    return {
        "kind": operator.kind,
        "support": operator.support,
        "supported": operator.supported,
        "refused": operator.refused,
        "refused_uses": operator.refused_uses,
        "refused_instructions": operator.lowered,
    }


def _reason(reason: Reason) -> Record:
    entry = reason.entry
    return {
        "id": reason.id,
        "known": entry is not None,
        "title": reason.title,
        "cause": reason.cause,
        "seen": list(reason.seen),
        "basis": list(reason.basis),
        "operators": list(reason.operators),
        "places": [_place(place) for place in reason.places],
        "hlo": [_hlo(hlo) for hlo in reason.hlo],
        "workarounds": [item.model_dump(exclude=_CHOICE) for item in entry.workarounds] if entry else [],
        "links": [item.model_dump() for item in entry.links] if entry else [],
        "repro": entry.repro if entry else None,
        "supported_from": dict(reason.since.versions) if reason.since else None,
    }


def _place(place: Place) -> Record:
    frame = place.site.frame
    return {
        "operator": place.kind,
        "stage": place.stage,
        "file": frame.file if frame else None,
        "line": frame.line if frame else None,
        "call": place.site.text,
    }


def _hlo(hlo: Hlo) -> Record:
    return {
        "instruction": hlo.text,
        "operator": hlo.kind,
        "parsed": _instruction(hlo.parsed) if hlo.parsed else None,
    }


def _instruction(found: Instruction) -> Record:
    shapes = {"result": found.result, "operands": found.operands}
    return {
        "opcode": found.opcode,
        "dtypes": list(found.dtypes),
        **{
            name: [{"dtype": s.dtype, "dims": list(s.dims), "layout": s.layout} for s in group]
            for name, group in shapes.items()
        },
        "attributes": dict(found.attributes),
    }


def _comparison(found: Comparison) -> Record:
    return {
        "path": found.path,
        "percentage_before": found.before.best,
        "better": [change.kind for change in found.better],
        "worse": [change.kind for change in found.worse],
        "gone": list(found.gone),
        "new": list(found.new),
        "same_model": found.same_model,
        "versions": {package: {"before": was, "now": now} for package, was, now in found.versions},
    }
