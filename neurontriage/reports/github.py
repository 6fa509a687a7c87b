"""Diagnosis → workflow commands that GitHub Actions shows as annotations.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from neurontriage.model import Diagnosis, Finding
from neurontriage.render.text import printable

MEDIA = "text/plain"
_COMMANDS = {"error": "error", "warning": "warning", "benign": "notice"}
_FIXES = 3


def render(diagnosis: Diagnosis) -> str:
    """Roots first: GitHub shows only the first ten annotations of a step. Benign findings are left out."""
    told = [finding for finding in diagnosis.findings if finding.severity != "benign"]
    if not told:
        return "::notice title=neurontriage::No failure found\n"
    return "".join(_annotation(finding) for finding in sorted(told, key=lambda f: f.role != "root"))


def _annotation(finding: Finding) -> str:
    where = finding.evidence[0] if finding.evidence else None
    place = {"file": where.path, "line": str(where.line), "endLine": str(where.end_line)} if where else {}
    properties = {**place, "title": f"{finding.id}: {finding.title}"}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(_message(finding))}\n"


def _message(finding: Finding) -> str:
    lines = [finding.cause or finding.title]
    lines += [f"A consequence of {finding.caused_by}."] if finding.caused_by else []
    lines += [evidence.text for evidence in finding.evidence[:1]]
    lines += [f"- {item.title}" for item in finding.workarounds[:_FIXES]]
    lines += [link.url for link in finding.links[:1]]
    return "\n".join(lines)


def _data(text: str) -> str:
    """A line feed would end the command, and what follows could be a command of its own."""
    return printable(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
