"""One cause, one message: every root with the consequences that belong to it, as CI systems want to hear of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from neurontriage.model import Diagnosis, Finding, Workaround
from neurontriage.render.message import message
from neurontriage.render.text import printable

_FIXES = 3


@dataclass(frozen=True, slots=True)
class Cause:
    """A finding that is told by itself, and those that followed from it, in the order of the log."""

    finding: Finding
    followed: tuple[Finding, ...] = ()


def causes(diagnosis: Diagnosis) -> tuple[Cause, ...]:
    """Roots first, then errors without a part in it, then warnings; consequences only under their cause.

    A consequence whose cause is not in the log is told under the first cause, or by itself where there is none.
    """
    told = [finding for finding in diagnosis.findings if finding.severity != "benign" and finding.role != "consequence"]
    told.sort(key=lambda finding: (finding.role != "root", finding.severity != "error"))
    followed = [finding for finding in diagnosis.findings if finding.role == "consequence"]
    if not told:
        return tuple(Cause(finding) for finding in followed)
    under: dict[str, list[Finding]] = {finding.id: [] for finding in told}
    by_id = {finding.id: finding.caused_by for finding in followed}
    for finding in followed:
        under[_top(finding.caused_by, by_id, under) or told[0].id].append(finding)
    seen: set[str] = set()
    return tuple(_cause(finding, under, seen) for finding in told)


def _cause(finding: Finding, under: dict[str, list[Finding]], seen: set[str]) -> Cause:
    """Several findings may share an id; what followed is told once, under the first of them."""
    mine = [] if finding.id in seen else under[finding.id]
    seen.add(finding.id)
    return Cause(finding, tuple(sorted(mine, key=lambda f: f.evidence[0].line if f.evidence else 0)))


def _top(name: str | None, causes_of: dict[str, str | None], known: dict[str, list[Finding]]) -> str | None:
    """The cause that is told by itself, up the chain."""
    seen: set[str] = set()
    while name is not None and name not in known and name not in seen:
        seen.add(name)
        name = causes_of.get(name)
    return name if name in known else None


def story(cause: Cause) -> Iterator[str]:
    """Why, the line that proves it, what helps, what only followed, where to read on: lines of plain text."""
    finding = cause.finding
    if finding.cause:
        yield finding.cause
    for number, evidence in enumerate(finding.evidence[:_FIXES]):
        yield f"{evidence.path}:{evidence.line}: {message(finding, number)}"
    for number, fix in enumerate(finding.workarounds[:_FIXES], 1):
        yield from advice(number, fix)
    if cause.followed:
        places = ", ".join(f"{f.evidence[0].line} {f.id}" for f in cause.followed if f.evidence)
        yield f"Only consequences: {places}"
    if finding.links:
        yield finding.links[0].url
    if finding.known:
        yield f"More: neurontriage kb show {finding.id}"


def advice(number: int, fix: Workaround) -> Iterator[str]:
    """A workaround in full, with its code."""
    yield f"{number}. {fix.title}" + (f": {' '.join(fix.detail.split())}" if fix.detail else "")
    for sign, text in (("-", fix.before), ("+", fix.after)):
        for line in (text or "").rstrip().splitlines():
            yield f"   {sign} {line}"


def in_checkout(path: str) -> str | None:
    """The path from the top of the checkout that CI works in; None for a pipe, an archive, or a file outside of it."""
    if path.startswith("<") or "!" in path or "://" in path:
        return None
    try:
        here = os.getcwd()
    except FileNotFoundError:  # it is removed
        here = os.sep
    top = os.environ.get("GITHUB_WORKSPACE") or os.environ.get("CI_PROJECT_DIR") or here
    inside = os.path.relpath(os.path.join(here, path), top)
    return None if inside.startswith("..") else printable(str(PurePosixPath(inside)))
