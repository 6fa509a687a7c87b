"""A whole log as one strip: where in it each finding stands, in thousandths, for a drawing that one can click."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from neurontriage.model import Diagnosis, Finding, Source

WIDTH = 1000
_MOST_LOGS = 12
_NEAR = 4
"""Thousandths: marks of one finding nearer than this are one."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding at a line; `x` in thousandths of the log."""

    finding: Finding
    line: int
    x: float


@dataclass(frozen=True, slots=True)
class Strip:
    """One log with its marks, harmless ones first so that the others are drawn over them."""

    source: Source
    marks: tuple[Mark, ...]


def strips(diagnosis: Diagnosis) -> tuple[Strip, ...]:
    """The logs that hold findings, those with roots first, and at most so many as one looks at."""
    found = [
        Strip(source, tuple(_marks(source, diagnosis.findings))) for source in diagnosis.inputs if source.lines > 1
    ]
    told = [strip for strip in found if strip.marks]
    told.sort(key=lambda strip: -max(_weight(mark.finding) for mark in strip.marks))
    return tuple(told[:_MOST_LOGS])


def _weight(finding: Finding) -> int:
    return {"error": 2, "warning": 1, "benign": 0}[finding.severity] + 2 * (finding.role == "root")


def _marks(source: Source, findings: Iterable[Finding]) -> Iterable[Mark]:
    for finding in sorted(findings, key=_weight):
        last = -_NEAR - 1.0
        for line in sorted(e.line for e in finding.evidence if e.path == source.path):
            x = min((line - 1) / max(source.lines - 1, 1), 1) * (WIDTH - 6)
            if x - last > _NEAR:
                yield Mark(finding, line, x)
                last = x
