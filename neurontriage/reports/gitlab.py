"""Diagnosis → GitLab's code quality report (the Code Climate subset that GitLab reads).

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from pathlib import PurePosixPath

from neurontriage.model import Diagnosis, Finding
from neurontriage.render.folding import Cause, causes, in_checkout, story
from neurontriage.render.message import anchors, around, message
from neurontriage.render.text import printable

Record = dict[str, object]
_LONGEST = 300


def render(diagnosis: Diagnosis) -> str:
    """One issue per cause, at its deciding line; what followed stands in its text. Benign findings are left out."""
    seen: Counter[str] = Counter()
    issues = [_issue(cause, seen) for cause in causes(diagnosis) if cause.finding.evidence]
    return json.dumps(issues, indent=2, ensure_ascii=False) + "\n"


def _issue(cause: Cause, seen: Counter[str]) -> Record:
    """GitLab shows an issue once per fingerprint, so equal lines are numbered."""
    finding, evidence = cause.finding, cause.finding.evidence[0]
    told = f"{finding.id}\0{evidence.path}\0{evidence.text}"
    seen[told] += 1
    return {
        "type": "issue",
        "check_name": printable(finding.id),
        "description": _description(cause),
        "content": {"body": printable("\n".join(story(cause)))},
        "severity": _severity(finding),
        "categories": ["Bug Risk"],
        "fingerprint": sha256(f"{told}\0{seen[told]}".encode("utf-8", "replace")).hexdigest(),
        "location": {
            "path": _path(evidence.path),
            "lines": {"begin": max(evidence.line, 1), "end": max(evidence.end_line, evidence.line, 1)},
        },
    }


def _description(cause: Cause) -> str:
    finding = cause.finding
    fix = f" What helps: {finding.workarounds[0].title}" if finding.workarounds else ""
    return printable(f"{finding.title}: {around(message(finding), anchors(finding), _LONGEST)}{fix}")


def _severity(finding: Finding) -> str:
    if finding.severity == "warning":
        return "minor"
    return "blocker" if finding.role == "root" else "major"


def _path(path: str) -> str:
    """GitLab wants a path relative to the repository."""
    return in_checkout(path) or printable(str(PurePosixPath(path))).strip("<>/") or "log"
