"""Diagnosis → SARIF 2.1.0: one rule per finding id, one result per cause, what followed as its code flow.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from neurontriage import __version__
from neurontriage.model import Diagnosis, Evidence, Finding, Workaround
from neurontriage.render.folding import Cause, advice, causes
from neurontriage.render.markdown import change, link, plain, prose
from neurontriage.render.message import message
from neurontriage.render.pages import web
from neurontriage.render.text import printable

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "benign": "note"}
_AT_ONCE = 1000
"""Words of JSON that are put together at a time."""
Record = dict[str, Any]


def render(diagnosis: Diagnosis) -> str:
    """One run; the same diagnosis gives the same bytes."""
    return "".join(pieces(diagnosis))


def pieces(diagnosis: Diagnosis) -> Iterator[str]:
    """The same text piece by piece: that of an incident with many findings is too long to be held."""
    words = json.JSONEncoder(indent=2, ensure_ascii=False).iterencode(_log(diagnosis))
    yield from iter(lambda: "".join(islice(words, _AT_ONCE)), "")
    yield "\n"


def _log(diagnosis: Diagnosis) -> Record:
    rules = {finding.id: number for number, finding in enumerate(_firsts(diagnosis))}
    told = [*causes(diagnosis), *(Cause(f) for f in diagnosis.findings if f.severity == "benign")]
    run = {
        "tool": {"driver": _driver(diagnosis)},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": _uri(source.path)}} for source in diagnosis.inputs],
        "automationDetails": {"id": "neurontriage/"},
        "results": [_result(cause, rules[cause.finding.id]) for cause in told],
        "properties": {"verdict": diagnosis.verdict, "environment": _environment(diagnosis)},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


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
    address = next((web(one.url) for one in finding.links if web(one.url)), "")
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
    """Why, every workaround with its code, every link: as text and as Markdown."""
    why = finding.cause or finding.title
    fixes = [line for number, fix in enumerate(finding.workarounds, 1) for line in advice(number, fix)]
    marked = [prose(why), *(_marked(fix) for fix in finding.workarounds)]
    marked += [f"- {link(one.url, one.title)}" for one in finding.links]
    return {
        "text": _text("\n".join([why, *fixes, *(one.url for one in finding.links)])),
        "markdown": "\n\n".join(marked),
    }


def _marked(fix: Workaround) -> str:
    parts = [f"**{plain(fix.title)}** {prose(fix.detail)}".rstrip()]
    return "\n\n".join([*parts, *change(fix.before, fix.after)])


def _precision(confidence: float) -> str:
    return "very-high" if confidence >= 0.95 else "high" if confidence >= 0.8 else "medium"


def _result(cause: Cause, rule: int) -> Record:
    """One result for each cause: where else it is seen and what followed are related places, in order a code flow."""
    finding, evidence = cause.finding, next(iter(cause.finding.evidence), None)
    result: Record = {
        "ruleId": printable(finding.id),
        "ruleIndex": rule,
        "level": "none" if finding.severity == "benign" else LEVELS[finding.severity],
        "kind": "informational" if finding.severity == "benign" else "fail",
        "message": {"text": _message(finding)},
        "partialFingerprints": {"finding/v1": _fingerprint(finding, evidence)},
        "properties": {"role": finding.role, "confidence": finding.confidence, "count": finding.count},
    }
    if evidence is None:
        return result
    result["locations"] = [_location(evidence)]
    related = [(finding, one) for one in finding.evidence[1:]]
    related += [(one, one.evidence[0]) for one in cause.followed if one.evidence]
    if related:
        result["relatedLocations"] = [_told(f, e) | {"id": n} for n, (f, e) in enumerate(related, 1)]
    if cause.followed:
        flow = [(finding, evidence), *((one, one.evidence[0]) for one in cause.followed if one.evidence)]
        result["codeFlows"] = [{"threadFlows": [{"locations": [{"location": _told(f, e)} for f, e in flow]}]}]
    return result


def _told(finding: Finding, evidence: Evidence) -> Record:
    """A place with what is seen there."""
    return _location(evidence) | {"message": {"text": _message(finding)}}


def _message(finding: Finding) -> str:
    line = f": {message(finding)}" if finding.evidence else ""
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
    encoded = quote(printable(path).strip("<>"), safe="/")
    if PurePosixPath(path).is_absolute():
        return "file://" + encoded
    return encoded or "."


def _fingerprint(finding: Finding, evidence: Evidence | None) -> str:
    """Stable over runs: the line's text counts, its number does not."""
    told = f"{finding.id}\0{evidence.path if evidence else ''}\0{evidence.text if evidence else ''}"
    return sha256(told.encode("utf-8", "replace")).hexdigest()[:32]


def _text(text: str) -> str:
    return printable(text).strip() or "no text"
