"""The lines around the ones that decide: read in a second pass, only for reports that show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from neurontriage.expressions import expression
from neurontriage.model import Diagnosis, Evidence, Finding
from neurontriage.read.inputs import Input
from neurontriage.read.sparing import spared

AROUND = 3
_FIRST = 3
_LONGEST = 2000
GOES_ON = ("]", ":")
"""How a line ends whose message may stand on the next one, set in."""
_USE = expression(r"log_dev_mem|Failed to allocate .*usage")
_TABLE = 40
_TRACEBACK = 60

Lines = dict[int, str]


def with_context(diagnosis: Diagnosis, inputs: Iterable[Input], telling: bool = False) -> Diagnosis:
    """The diagnosis with AROUND lines before and after the first evidence of what is not harmless.

    After a line on device memory come the lines of its table. `telling`: only what says more than its own line does,
    tables and tracebacks, so that most logs need no second pass. Standard input and pipes cannot be read twice: their
    evidence stays as it is.
    """
    wanted = _told(diagnosis) if telling else _wanted(diagnosis)
    if not wanted:
        return diagnosis
    found: dict[str, Lines] = {}
    for one in inputs:
        if not any(map(one.holds, wanted)) or one.path is None or not one.path.is_file():
            continue
        for path, blocks in spared(replace(one, faults={}, left_out={})):  # the first pass has told of its faults
            found[path] = dict(_picked(blocks, wanted.get(path, set())))
    return replace(diagnosis, findings=tuple(_filled(finding, found) for finding in diagnosis.findings))


def _told(diagnosis: Diagnosis) -> dict[str, set[int]]:
    lines: dict[str, set[int]] = {}
    for root in (root for root in diagnosis.roots if root.evidence):
        evidence = root.evidence[0]
        if "raised_at" in root.fields or "exception" in root.fields:
            lines.setdefault(evidence.path, set()).update(range(max(1, evidence.line - _TRACEBACK), evidence.line + 1))
        if evidence.text.rstrip().endswith(GOES_ON):
            lines.setdefault(evidence.path, set()).add(evidence.end_line + 1)
    for evidence in (one for finding in diagnosis.findings for one in finding.evidence if _USE.search(one.text)):
        lines.setdefault(evidence.path, set()).update(_around(evidence))
    return lines


def _shown(finding: Finding) -> tuple[Evidence, ...]:
    return finding.evidence[:_FIRST] if finding.severity != "benign" else ()


def _wanted(diagnosis: Diagnosis) -> dict[str, set[int]]:
    lines: dict[str, set[int]] = {}
    for evidence in (one for finding in diagnosis.findings for one in _shown(finding)):
        lines.setdefault(evidence.path, set()).update(_around(evidence))
    return lines


def _around(evidence: Evidence) -> range:
    after = _TABLE if _USE.search(evidence.text) else AROUND
    return range(max(1, evidence.line - AROUND), evidence.end_line + after + 1)


def _picked(blocks: Iterable[bytes], wanted: set[int]) -> Iterator[tuple[int, str]]:
    """(number, text) of the wanted lines; blocks without one are only counted."""
    number = 1
    for block in blocks:
        if not wanted or number > max(wanted):
            return
        lines = block.count(b"\n")
        start, at = 0, number
        for line in sorted(line for line in wanted if number <= line <= number + lines):
            while at < line:
                start, at = block.index(b"\n", start) + 1, at + 1
            end = block.find(b"\n", start)
            if end >= 0 or start < len(block):  # behind the last line feed is no line
                raw = block[start : min(end if end >= 0 else len(block), start + _LONGEST)]
                yield line, raw.decode("utf-8", "replace").strip("\r")
        number += lines
        del block  # it is no longer held while the next one is read


def _filled(finding: Finding, found: dict[str, Lines]) -> Finding:
    """A finding with its context; itself where there is none, as of most of thousands."""
    shown = len(_shown(finding))
    around = [_context(one, found.get(one.path, {})) for one in finding.evidence[:shown]]
    if not any(around):
        return finding
    evidence = (one._replace(context=lines) for one, lines in zip(finding.evidence, around, strict=False))
    return replace(finding, evidence=(*evidence, *finding.evidence[shown:]))


def _context(evidence: Evidence, lines: Lines) -> tuple[tuple[int, str], ...]:
    first = min(_around(evidence).start, evidence.line - _TRACEBACK)
    return tuple((n, lines[n]) for n in range(first, _around(evidence).stop) if n in lines)
