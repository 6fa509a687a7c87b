"""Findings → what caused what, and the lines around the one that decides: the shapes that pages draw."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from neurontriage.model import Evidence, Finding

NEAR = 4
"""Lines: evidence of other findings this close to a deciding line is shown with it as context."""


_BELOW = 12
"""Lines below a deciding one that a table or a list which belongs to it may have."""
_FIRST = 8
"""So many of the findings that followed from one, or that stand for themselves, are drawn first."""
_TRACEBACK = "Traceback (most recent call last)"


class Node(NamedTuple):
    """A finding and the findings that it caused."""

    finding: Finding
    caused: tuple[Node, ...]

    @property
    def size(self) -> int:
        return 1 + sum(node.size for node in self.caused)


class Step(NamedTuple):
    """What is drawn next of trees: the begin or the end of a list, of a finding, or of the rest of a long list, which
    are so many findings more.
    """

    begins: str = ""
    ends: str = ""
    finding: Finding | None = None
    left: int = 0


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One line of a log; `gap` says that lines are left out before it, `own` that it belongs to the finding."""

    line: int
    end_line: int
    text: str
    own: bool
    gap: bool
    rank: int | None = None
    time: str | None = None


def chains(findings: Iterable[Finding]) -> tuple[Node, ...]:
    """Trees by `caused_by`, in the order of the log; without its cause, or in a circle, a finding starts a tree."""
    everything = list(findings)
    causes = {finding.id: finding.caused_by for finding in reversed(everything)}
    under: dict[str, list[Finding]] = {}
    tops = []
    for finding in everything:
        if finding.caused_by in causes and not _circular(finding, causes):
            under.setdefault(finding.caused_by or "", []).append(finding)
        else:
            tops.append(finding)
    # several findings may share an id; what it caused is drawn once, under the first of them
    return tuple(_node(finding, under) for finding in tops)


def steps(trees: Sequence[Node]) -> Iterator[Step]:
    """Trees, from their first step to the last; of many findings beside each other the first ones stand apart."""
    left: list[Step | Node] = [*reversed(_list(trees))]
    while left:
        one = left.pop()
        if isinstance(one, Step):
            yield one
            continue
        yield Step(begins="finding", finding=one.finding)
        left.append(Step(ends="finding"))
        left += reversed(_list(one.caused) if one.caused else [])


def _list(nodes: Sequence[Node]) -> list[Step | Node]:
    rest = nodes[_FIRST:] if len(nodes) > _FIRST + 2 else ()
    shown: list[Step | Node] = [Step(begins="list"), *nodes[: len(nodes) - len(rest)]]
    if rest:
        shown += [Step(begins="rest", left=len(rest)), *rest, Step(ends="rest")]
    return [*shown, Step(ends="list")]


def _circular(finding: Finding, causes: Mapping[str, str | None]) -> bool:
    seen, at = {finding.id}, finding.caused_by
    while at is not None:
        if at in seen:
            return True
        seen.add(at)
        at = causes.get(at)
    return False


def _node(finding: Finding, under: dict[str, list[Finding]]) -> Node:
    followed = sorted(under.pop(finding.id, []), key=_place)
    return Node(finding, tuple(_node(child, under) for child in followed))


def _place(finding: Finding) -> tuple[str, int]:
    return (finding.evidence[0].path, finding.evidence[0].line) if finding.evidence else ("", 0)


Places = Mapping[str, Sequence[tuple[int, int, Finding, Evidence]]]
"""File → (line, rank of the finding's evidence among all, finding, evidence), by line."""


def places(findings: Iterable[Finding]) -> Places:
    """Where the evidence of all that is not benign stands."""
    found: dict[str, list[tuple[int, int, Finding, Evidence]]] = {}
    shown = ((finding, e) for finding in findings if finding.severity != "benign" for e in finding.evidence)
    for order, (owner, e) in enumerate(shown):
        found.setdefault(e.path, []).append((e.line, order, owner, e))
    return {path: sorted(rows, key=lambda row: row[:2]) for path, rows in found.items()}


def excerpts(finding: Finding, among: Places) -> dict[str, tuple[Excerpt, ...]]:
    """Per file the finding's evidence, with the evidence of others near its deciding line, in the order of the log."""
    own = {(e.path, e.line) for e in finding.evidence}
    shown = {(e.path, e.line): e for e in finding.evidence}
    for e in finding.evidence:
        for number, text in _telling(e):
            shown.setdefault((e.path, number), Evidence(e.path, number, number, text))
    for other in _near(finding, among):
        shown.setdefault((other.path, other.line), other)
    files: dict[str, list[Excerpt]] = {}
    for (path, line), evidence in sorted(shown.items(), key=lambda item: (item[0][0], item[0][1])):
        files.setdefault(path, []).append(_excerpt(evidence, (path, line) in own, files.get(path)))
    return {path: tuple(lines) for path, lines in files.items()}


def _telling(evidence: Evidence) -> Iterator[tuple[int, str]]:
    """Of the lines around a deciding one the nearest, and those of the traceback that ends in it; no part of it."""
    above = [number for number, text in evidence.context if number < evidence.line and _TRACEBACK in text]
    first = min(evidence.line - NEAR, above[-1] if above else evidence.line)
    for number, text in evidence.context:
        whole = evidence.line <= number <= evidence.end_line and text.strip() in evidence.text
        if first <= number <= evidence.end_line + _BELOW and not whole:
            yield number, text


def _near(finding: Finding, among: Places) -> Iterator[Evidence]:
    """The evidence of other findings near the deciding line, in the order of the findings."""
    for decisive in finding.evidence[:1]:
        rows = among.get(decisive.path, ())
        first = bisect_left(rows, decisive.line - NEAR, key=itemgetter(0))
        last = bisect_right(rows, decisive.line + NEAR, key=itemgetter(0))
        yield from (e for _, _, f, e in sorted(rows[first:last], key=itemgetter(1)) if f is not finding)


def _excerpt(evidence: Evidence, own: bool, before: list[Excerpt] | None) -> Excerpt:
    gap = bool(before) and evidence.line > before[-1].end_line + 1 if before else False
    return Excerpt(evidence.line, evidence.end_line, evidence.text, own, gap, evidence.rank, evidence.time)
