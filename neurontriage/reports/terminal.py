"""Diagnosis → text for a terminal of 80 columns and up: the root first, its proof, what to change, links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from neurontriage.model import Diagnosis, Evidence, Finding
from neurontriage.render.drawing import drawn, links, section, workarounds
from neurontriage.render.text import printable

_SHOWN_LINKS = 3
_SHOWN_OTHERS = 8
_SHOWN_LINES = 3
_LONG_LINE = 230
_SHOWN_WORKAROUNDS = 4
_COLOURS = {"error": "bold red", "warning": "yellow", "benign": "green"}
_VERDICTS = {
    "failed": ("FAILED", "bold white on red"),
    "warned": ("WARNINGS", "bold black on yellow"),
    "clean": ("CLEAN", "bold white on green"),
    "unknown": ("UNKNOWN", "bold black on yellow"),
    "empty": ("EMPTY", "bold black on yellow"),
}


def render(diagnosis: Diagnosis) -> str:
    """The answer as text, with colours and hyperlinks only where standard output is a terminal that takes them."""
    return drawn(_parts(diagnosis))


def _parts(diagnosis: Diagnosis) -> Iterable[RenderableType]:
    yield _headline(diagnosis)
    yield from _root(diagnosis)
    yield from _others(diagnosis)
    yield from _facts(diagnosis)


def _headline(diagnosis: Diagnosis) -> Text:
    word, style = _VERDICTS[diagnosis.verdict]
    lines = sum(source.lines for source in diagnosis.inputs)
    name = diagnosis.inputs[0].path if len(diagnosis.inputs) == 1 else f"{len(diagnosis.inputs)} logs"
    name = name if len(name) < 50 else "…" + name[-48:]
    return Text.assemble((f" {word} ", style), f"  {printable(name)}", (f"  {lines:,} lines", "dim"))


def _root(diagnosis: Diagnosis) -> Iterable[RenderableType]:
    if not diagnosis.roots:
        if diagnosis.verdict in ("clean", "unknown", "empty"):
            yield Text("\nNothing in it is known or looks like a failure.")
            if running := sum(module.status == "running" for module in diagnosis.modules):
                said = (
                    f"It ends without the result of {running} compilation(s): it may be cut off, or the job still runs."
                )
                yield Text(said, overflow="fold")
        return
    for finding in diagnosis.roots:
        yield from _finding(finding, diagnosis)


def _finding(finding: Finding, diagnosis: Diagnosis) -> Iterable[RenderableType]:
    label = "ROOT CAUSE" if finding.known else "NOT RECOGNISED, most likely root"
    yield Text.assemble("\n", (label, _COLOURS[finding.severity]), f"  {printable(finding.title)}")
    yield Text.assemble("  ", (finding.id, "bold"), (f"  {_sureness(finding)}", "dim"))
    yield from _proof(finding, len(diagnosis.inputs) > 1)
    yield section("Why", finding.cause)
    if finding.affects:
        yield section("Versions", finding.affects)
    if finding.not_proof:
        yield section("Not proven", finding.not_proof)
    yield from _advice(finding)
    if finding.links:
        yield Padding(Text("Discussed", style="bold"), (1, 0, 0, 2))
        yield from links(finding.links[:_SHOWN_LINKS])
    if finding.repro:
        yield section("Try it", f"neurontriage repro {finding.repro}")


def _sureness(finding: Finding) -> str:
    words = [finding.layer, f"confidence {finding.confidence:.2f}"]
    if finding.general:
        words.append("an answer for its whole class")
    if finding.count > 1:
        words.append(f"{finding.count} lines")
    if len(finding.ranks) > 1:
        words.append(f"{len(finding.ranks)} ranks, first {finding.ranks[0]}")
    return ", ".join(words)


def _proof(finding: Finding, several: bool) -> Iterable[RenderableType]:
    yield Text("")
    shown = finding.evidence[:_SHOWN_LINES]
    for evidence in shown:
        yield Padding(_line(evidence, several), (0, 0, 0, 2))
    if finding.count > len(shown):
        yield Text(f"  … {finding.count - len(shown)} more such lines", style="dim")


def _line(evidence: Evidence, several: bool) -> Text:
    place = f"{evidence.path}:{evidence.line}" if several else f"{evidence.line}"
    text = printable(evidence.text)
    if len(text) > _LONG_LINE:
        text = f"{text[: _LONG_LINE // 2 - 20]} … {text[-_LONG_LINE // 2 :]}"
    return Text.assemble((f"{printable(place)}: ", "cyan"), (text, "bold"), overflow="fold")


def _advice(finding: Finding) -> Iterable[RenderableType]:
    if not finding.workarounds:
        return
    yield Padding(Text("What to change", style="bold"), (1, 0, 0, 2))
    yield from workarounds(finding.workarounds[:_SHOWN_WORKAROUNDS], whole=False)
    left = len(finding.workarounds) - _SHOWN_WORKAROUNDS
    if left > 0:
        yield Text(f"    … {left} more: neurontriage kb show {finding.id}", style="dim")


def _others(diagnosis: Diagnosis) -> Iterable[RenderableType]:
    groups = (
        ("Only consequences", [f for f in diagnosis.findings if f.role == "consequence"]),
        ("Also in the log", [f for f in diagnosis.findings if f.role == "context" and f.severity == "error"]),
        ("Warnings", [f for f in diagnosis.findings if f.severity == "warning"]),
    )
    root = diagnosis.roots[0].id if diagnosis.roots else None
    for name, findings in groups:
        if findings:
            yield Text.assemble("\n", (name, "bold"))
            yield from (_short(finding, root) for finding in findings[:_SHOWN_OTHERS])
            if len(findings) > _SHOWN_OTHERS:
                yield Text(f"  … {len(findings) - _SHOWN_OTHERS} more (--format json has them all)", style="dim")


def _short(finding: Finding, root: str | None) -> Padding:
    """One line: where, how often, what, and its cause where that is not the root."""
    times = f"×{finding.count} " if finding.count > 1 else ""
    cause = f"  ← {finding.caused_by}" if finding.caused_by not in (None, root) else ""
    line = Text.assemble((f"{finding.evidence[0].line:>6}  ", "cyan"), (times, "dim"), printable(finding.title))
    line.append(cause, "dim")
    line.no_wrap, line.overflow = True, "ellipsis"
    return Padding(line, (0, 0, 0, 1))


def _facts(diagnosis: Diagnosis) -> Iterable[RenderableType]:
    if diagnosis.environment:
        listed = ", ".join(f"{name} {value}" for name, value in diagnosis.environment.items())
        yield Text.assemble("\n", ("Environment  ", "bold"), printable(listed), overflow="fold")
    for note in diagnosis.notes:
        yield Text.assemble(("Support      ", "bold"), printable(note), overflow="fold")
    if diagnosis.modules:
        counts = Counter(module.status for module in diagnosis.modules)
        said = ", ".join(f"{counts[s]} {s}" for s in ("passed", "cached", "failed", "running") if counts[s])
        yield Text.assemble(("Compiles     ", "bold"), said)
    if harmless := [finding.title for finding in diagnosis.findings if finding.severity == "benign"]:
        yield Text.assemble(("Harmless     ", "bold"), printable("; ".join(harmless)), overflow="fold")
    if diagnosis.unparsed.lines:
        _, line, _ = diagnosis.unparsed.examples[0]
        yield Text(
            f"Not parsed   {diagnosis.unparsed.lines} lines of a known family, first at line {line}",
            style="dim",
        )
    for silenced in diagnosis.silenced:
        yield Text(f"Silenced     {printable(silenced)}", style="dim")
