"""Diagnosis → SARIF 2.1.0: one rule per finding id, one result per line of evidence.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from neurontriage import __version__
from neurontriage.model import Diagnosis, Evidence, Finding
from neurontriage.render.markdown import plain, prose
from neurontriage.render.pages import web
from neurontriage.render.text import printable

MEDIA = "application/sarif+json"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "benign": "note"}
Record = dict[str, Any]


def render(diagnosis: Diagnosis) -> str:
    """One run; the same diagnosis gives the same bytes."""
    rules = {finding.id: number for number, finding in enumerate(_firsts(diagnosis))}
    run = {
        "tool": {"driver": _driver(diagnosis)},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": _uri(source.path)}} for source in diagnosis.inputs],
        "results": [result for f in diagnosis.findings for result in _results(f, rules[f.id])],
        "properties": {"verdict": diagnosis.verdict, "environment": _environment(diagnosis)},
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _environment(diagnosis: Diagnosis) -> Record:
    return {printable(name): printable(value) for name, value in diagnosis.environment.items()}


def _firsts(diagnosis: Diagnosis) -> list[Finding]:
    """One finding per id: SARIF wants every rule once."""
    return list({finding.id: finding for finding in reversed(diagnosis.findings)}.values())[::-1]


def _driver(diagnosis: Diagnosis) -> Record:
    return {
        "name": "neurontriage",
        "version": __version__,
        "informationUri": "https://github.com/neurontriage/neurontriage",
        "rules": [_rule(finding) for finding in _firsts(diagnosis)],
    }


def _rule(finding: Finding) -> Record:
    address = next((web(link.url) for link in finding.links if web(link.url)), "")
    rule: Record = {
        "id": printable(finding.id),
        "shortDescription": {"text": _text(finding.title)},
        "fullDescription": {"text": _text(finding.cause or finding.title)},
        "help": _help(finding),
        "defaultConfiguration": {"level": LEVELS[finding.severity]},
        "properties": {"tags": [printable(finding.layer), finding.role], "precision": _precision(finding.confidence)},
    }
    return rule | ({"helpUri": address} if address else {})


def _help(finding: Finding) -> Record:
    fixes = [f"- {item.title}" + (f": {item.detail}" if item.detail else "") for item in finding.workarounds]
    marked = [f"- **{plain(item.title)}** {prose(item.detail)}" for item in finding.workarounds]
    return {
        "text": _text("\n".join([finding.cause or finding.title, *fixes])),
        "markdown": "\n".join([prose(finding.cause or finding.title), "", *marked]),
    }


def _precision(confidence: float) -> str:
    return "very-high" if confidence >= 0.95 else "high" if confidence >= 0.8 else "medium"


def _results(finding: Finding, rule: int) -> Iterator[Record]:
    """Evidence lines are separate results with equal rule, so that each is shown at its place."""
    for evidence in finding.evidence or (None,):
        result: Record = {
            "ruleId": printable(finding.id),
            "ruleIndex": rule,
            "level": LEVELS[finding.severity],
            "kind": "informational" if finding.severity == "benign" else "fail",
            "message": {"text": _message(finding, evidence)},
            "partialFingerprints": {"finding/v1": _fingerprint(finding, evidence)},
            "properties": {"role": finding.role, "confidence": finding.confidence, "count": finding.count},
        }
        if finding.severity == "benign":
            result["level"] = "none"
        yield result | ({"locations": [_location(evidence)]} if evidence else {})


def _message(finding: Finding, evidence: Evidence | None) -> str:
    line = f": {evidence.text}" if evidence else ""
    cause = f" (a consequence of {finding.caused_by})" if finding.caused_by else ""
    # SARIF reads {0} as a placeholder and [text](n) as a link to a location
    return _text(finding.title + cause + line).replace("{", "{{").replace("}", "}}").replace("[", "\\[")


def _location(evidence: Evidence) -> Record:
    region = {
        "startLine": max(evidence.line, 1),
        "endLine": max(evidence.end_line, evidence.line, 1),
        "snippet": {"text": _text(evidence.text)},
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(evidence.path)}, "region": region}}


def _uri(path: str) -> str:
    """A relative reference or a file: URI; whatever a name holds is percent-encoded."""
    encoded = quote(printable(path), safe="/")
    if PurePosixPath(path).is_absolute():
        return "file://" + encoded
    return encoded or "."


def _fingerprint(finding: Finding, evidence: Evidence | None) -> str:
    """Stable over runs: the line's text counts, its number does not."""
    told = f"{finding.id}\0{evidence.path if evidence else ''}\0{evidence.text if evidence else ''}"
    return sha256(told.encode("utf-8", "replace")).hexdigest()[:32]


def _text(text: str) -> str:
    return printable(text).strip() or "no text"
