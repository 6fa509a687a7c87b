"""Diagnosis → workflow commands that GitHub Actions shows as annotations: one for each cause.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from neurontriage.model import Diagnosis
from neurontriage.render.folding import Cause, causes, in_checkout, story
from neurontriage.render.text import printable

_COMMANDS = {"error": "error", "warning": "warning", "benign": "notice"}
_NOTHING = {
    "clean": "::notice title=neurontriage::No failure found\n",
    "unknown": "::warning title=neurontriage::Nothing in the log was recognised\n",
    "empty": "::warning title=neurontriage::The log is empty\n",
}


def render(diagnosis: Diagnosis) -> str:
    """Roots first: GitHub shows only the first ten annotations of a step. What followed stands in its cause's text."""
    told = causes(diagnosis)
    if not told:
        return _NOTHING.get(diagnosis.verdict, _NOTHING["clean"])
    return "".join(_annotation(cause) for cause in told)


def _annotation(cause: Cause) -> str:
    finding = cause.finding
    where = finding.evidence[0] if finding.evidence else None
    path = in_checkout(where.path) if where else None
    place = {"file": path, "line": str(where.line), "endLine": str(where.end_line)} if where and path else {}
    properties = {**place, "title": f"{finding.id}: {finding.title}"}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(chr(10).join(story(cause)))}\n"


def _data(text: str) -> str:
    """A line feed would end the command, and what follows could be a command of its own."""
    return printable(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
