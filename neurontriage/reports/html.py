"""Diagnosis → one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Callable

from neurontriage.model import Diagnosis, Finding
from neurontriage.render.chain import chains, excerpts
from neurontriage.render.pages import page, plural
from neurontriage.render.timeline import compiles, lanes

MEDIA = "text/html"
CONTEXT = True
_WORDS = {"failed": "Failed", "warned": "Warnings", "clean": "Clean", "unknown": "Unknown", "empty": "Empty"}
_TONES = {"failed": "bad", "warned": "warn", "clean": "ok", "unknown": "warn", "empty": "warn"}


def render(diagnosis: Diagnosis) -> str:
    """The page; it needs neither network nor scripts to be read."""
    return page(
        "diagnosis.html",
        d=diagnosis,
        word=_WORDS[diagnosis.verdict],
        tone=_TONES[diagnosis.verdict],
        headline=headline(diagnosis),
        main=[f for f in diagnosis.findings if f.role == "root" and f.severity != "benign"],
        others=[f for f in diagnosis.findings if f.role != "root" or f.severity == "benign"],
        trees=[node for node in chains(diagnosis.findings) if node.finding.severity != "benign"],
        excerpts=lambda finding: excerpts(finding, diagnosis.findings),
        compiles=compiles(diagnosis.modules),
        lanes=lanes(diagnosis),
        cause_of=_causes(diagnosis),
        anchor=_anchors(diagnosis),
        plural=plural,
    )


def headline(diagnosis: Diagnosis) -> str:
    """The root cause in one line, or that there is none."""
    roots = diagnosis.roots
    if roots:
        more = len(roots) - 1
        return roots[0].title + (f", and {plural(more, 'more root cause')}" if more else "")
    if diagnosis.verdict == "failed":
        return "Something failed; no root cause was recognised"
    if diagnosis.verdict == "warned":
        return f"No failure, {plural(_count(diagnosis, 'warning'), 'warning')}"
    return "No failure found"


def _count(diagnosis: Diagnosis, severity: str) -> int:
    return sum(finding.severity == severity for finding in diagnosis.findings)


def _causes(diagnosis: Diagnosis) -> dict[str, Finding]:
    """The first finding of every id: several may share one."""
    return {finding.id: finding for finding in reversed(diagnosis.findings)}


def _anchors(diagnosis: Diagnosis) -> Callable[[Finding], str]:
    """A name for each finding in the page that nothing from a log has a part in."""
    numbers = {id(finding): number for number, finding in enumerate(diagnosis.findings, 1)}
    return lambda finding: f"finding-{numbers[id(finding)]}"
