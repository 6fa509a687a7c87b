"""Diagnosis → GitLab's code quality report (the Code Climate subset that GitLab reads).

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import PurePosixPath

from neurontriage.model import Diagnosis, Evidence, Finding
from neurontriage.render.text import printable

MEDIA = "application/json"
Record = dict[str, object]


def render(diagnosis: Diagnosis) -> str:
    """One issue per line of evidence; the root causes are blockers. Benign findings are left out."""
    told = [finding for finding in diagnosis.findings if finding.severity != "benign"]
    seen: Counter[str] = Counter()
    issues = [issue for finding in told for issue in _issues(finding, seen)]
    return json.dumps(issues, indent=2, ensure_ascii=False) + "\n"


def _issues(finding: Finding, seen: Counter[str]) -> Iterator[Record]:
    """GitLab shows an issue once per fingerprint, so equal lines are numbered."""
    for evidence in finding.evidence:
        told = f"{finding.id}\0{evidence.path}\0{evidence.text}"
        seen[told] += 1
        yield {
            "type": "issue",
            "check_name": printable(finding.id),
            "description": _description(finding, evidence),
            "severity": _severity(finding),
            "categories": ["Bug Risk"],
            "fingerprint": sha256(f"{told}\0{seen[told]}".encode("utf-8", "replace")).hexdigest(),
            "location": {
                "path": _path(evidence.path),
                "lines": {"begin": max(evidence.line, 1), "end": max(evidence.end_line, evidence.line, 1)},
            },
        }


def _description(finding: Finding, evidence: Evidence) -> str:
    fix = f" What helps: {finding.workarounds[0].title}" if finding.workarounds else ""
    return printable(f"{finding.title}: {evidence.text}{fix}")


def _severity(finding: Finding) -> str:
    if finding.severity == "warning":
        return "minor"
    return "blocker" if finding.role == "root" else "major"


def _path(path: str) -> str:
    """GitLab wants a path relative to the repository."""
    return printable(str(PurePosixPath(path))).removeprefix("/")
