"""Diagnosis → one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from neurontriage.model import Diagnosis, Finding
from neurontriage.render import verdict
from neurontriage.render.amounts import amount
from neurontriage.render.chain import chains, excerpts, places, steps
from neurontriage.render.language import say
from neurontriage.render.memory import memory, shown
from neurontriage.render.message import anchors, around, message
from neurontriage.render.pages import pieces as of_page
from neurontriage.render.pages import plural
from neurontriage.render.strip import strips
from neurontriage.render.summary import explained, ranks
from neurontriage.render.timeline import compiles, lanes

CONTEXT = True
_RESULTS = {"passed": "passed", "failed": "failed", "cached": "cached", "running": "without a result"}
_PROOF = 360


def render(diagnosis: Diagnosis) -> str:
    """The page; it needs neither network nor scripts to be read."""
    return "".join(pieces(diagnosis))


def pieces(diagnosis: Diagnosis) -> Iterator[str]:
    """The same page piece by piece: that of an incident with many findings is too long to be held."""
    main = explained(diagnosis)
    return of_page(
        "diagnosis.html",
        d=diagnosis,
        word=verdict.name(diagnosis),
        words=_RESULTS,
        tone=verdict.tone(diagnosis),
        headline=headline(diagnosis),
        explained=main,
        known_root=bool(main and main.known and main.role == "root"),
        proof=around(message(main), anchors(main), _PROOF) if main else "",
        fix=main.workarounds[0] if main and main.workarounds else None,
        **_lists(diagnosis),
        **_pictures(diagnosis),
        cause_of=_causes(diagnosis),
        anchor=_anchors(diagnosis),
        plural=plural,
        amount=amount,
        size=shown,
    )


def _lists(diagnosis: Diagnosis) -> dict[str, object]:
    findings = diagnosis.findings
    return {
        "main": [f for f in findings if f.role == "root" and f.severity != "benign"],
        "others": [f for f in findings if f.role != "root" or f.severity == "benign"],
        "harmless": [f for f in findings if f.severity == "benign"],
        "trees": [node for node in chains(findings) if node.finding.severity != "benign"],
        "steps": steps,
        "excerpts": partial(excerpts, among=places(findings)),
    }


def _pictures(diagnosis: Diagnosis) -> dict[str, object]:
    return {
        "compiles": compiles(diagnosis.modules),
        "lanes": lanes(diagnosis),
        "memory": memory(diagnosis),
        "strips": strips(diagnosis),
        "ranks": ranks(diagnosis),
    }


def headline(diagnosis: Diagnosis) -> str:
    """The root cause in one line, or that there is none."""
    roots = diagnosis.roots
    if roots:
        more = len(roots) - 1
        return roots[0].title + (f", {say('and')} {plural(more, 'more root cause')}" if more else "")
    if diagnosis.verdict == "failed":
        return say("Something failed; no root cause was recognised")
    if diagnosis.verdict == "warned":
        return f"{say('No failure')}, {plural(_count(diagnosis, 'warning'), 'warning')}"
    if diagnosis.verdict in ("unknown", "empty"):
        return verdict.sentence(diagnosis)
    return say("No failure found")


def _count(diagnosis: Diagnosis, severity: str) -> int:
    return sum(finding.severity == severity for finding in diagnosis.findings)


def _causes(diagnosis: Diagnosis) -> dict[str, Finding]:
    """The first finding of every id: several may share one."""
    return {finding.id: finding for finding in reversed(diagnosis.findings)}


def _anchors(diagnosis: Diagnosis) -> Callable[[Finding], str]:
    """A name for each finding in the page that nothing from a log has a part in."""
    numbers = {id(finding): number for number, finding in enumerate(diagnosis.findings, 1)}
    return lambda finding: f"finding-{numbers[id(finding)]}"
