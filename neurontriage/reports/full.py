"""Diagnosis → everything it holds as text: every root with its proof, advice and links, then all that followed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.text import Text

from neurontriage.model import Diagnosis, Evidence, Finding, Workaround
from neurontriage.render.amounts import amount
from neurontriage.render.chain import Node, chains
from neurontriage.render.drawing import drawn, heading, links, look, section, workarounds, wrapped
from neurontriage.render.frames import frame
from neurontriage.render.language import count, say
from neurontriage.render.memory import memory
from neurontriage.render.places import Names, names
from neurontriage.render.summary import compiled, explained, headline, ranks
from neurontriage.render.text import printable
from neurontriage.render.verdict import sentence

Parts = Iterable[RenderableType]
_COLOURS = {"error": "bold red", "warning": "yellow", "benign": "green"}
_DEEPEST = 6


def render(diagnosis: Diagnosis) -> str:
    """The whole answer; lines of the log and code are never cut."""
    return drawn(_parts(diagnosis))


def _parts(diagnosis: Diagnosis) -> Parts:
    called, main = names(diagnosis), explained(diagnosis)
    yield from headline(diagnosis, called, main)
    if main is None:
        yield from wrapped(sentence(diagnosis), 0)
    explained_too = [main] if main is not None and main not in diagnosis.roots else []
    for finding in [*diagnosis.roots, *explained_too]:
        yield from _finding(finding, called)
    yield from _suspects(diagnosis, called)
    yield from _chain(diagnosis, called)
    yield from _context(diagnosis, called, main)
    yield from _facts(diagnosis)


def _finding(finding: Finding, called: Names) -> Parts:
    label = "ROOT CAUSE" if finding.role == "root" else "WHAT IS KNOWN"
    label = label if finding.known else "NOT RECOGNISED, most likely root"
    yield Text()
    yield from wrapped(Text.assemble((say(label), _COLOURS[finding.severity]), f"  {printable(finding.title)}"), 0)
    yield from wrapped(Text.assemble((finding.id, "bold"), (f"  {_sureness(finding)}", "dim")), 2)
    yield from _proof(finding, called)
    if finding.cause:
        yield section("Why", finding.cause)
    for name, text in _said(finding):
        yield section(name, text)
    yield from look(finding.check)
    if finding.workarounds:
        yield heading("What to change")
        yield from workarounds(finding.workarounds, whole=True)
    for name, text in (("Done when", finding.done_when), ("If nothing helps", finding.escalate)):
        if text:
            yield section(name, text)
    if finding.links:
        yield heading("Discussed")
        yield from links(finding.links)
    if finding.repro:
        yield section("Try it", f"neurontriage repro {finding.repro}")


def _said(finding: Finding) -> Iterator[tuple[str, str]]:
    stated = (
        ("Versions", finding.affects),
        ("Fixed in", ", ".join(f"{name} {version}" for name, version in (finding.fixed_in or {}).items())),
        ("Concerns", finding.blast_radius),
        ("Not proven", finding.not_proof),
    )
    yield from ((name, text) for name, text in stated if text)


def _sureness(finding: Finding) -> str:
    words = [say(finding.layer), say("confidence {n}", n=f"{finding.confidence:.2f}")]
    if finding.general:
        words.append(say("an answer for its whole class"))
    if finding.count > 1:
        words.append(count(finding.count, "line"))
    if len(finding.ranks) > 1:
        words.append(say("{n} ranks, first {rank}", n=len(finding.ranks), rank=finding.ranks[0]))
    return ", ".join(words)


def _proof(finding: Finding, called: Names) -> Parts:
    yield Text()
    for evidence in finding.evidence:
        yield _line(evidence, called)
    if finding.count > len(finding.evidence):
        yield Text(f"  … {say('{n} more such lines', n=finding.count - len(finding.evidence))}", style="dim")
    if own := frame(finding):
        yield from wrapped(f"{say('at')} {own}", 2)
    if found := amount(finding):
        yield from wrapped(str(found), 2)


def _line(evidence: Evidence, called: Names) -> Text:
    """A line of the log as it stands, on one line, so that it can be searched for."""
    rank = f" [rank {evidence.rank}]" if evidence.rank is not None else ""
    text = Text.assemble("  ", (f"{called.place(evidence)}:", "cyan"), (rank, "dim"), " ", printable(evidence.text))
    text.no_wrap = True
    return text


def _suspects(diagnosis: Diagnosis, called: Names) -> Parts:
    if diagnosis.suspects:
        yield heading("Lines under suspicion")
    for suspect in diagnosis.suspects:
        place = Evidence(suspect.path, suspect.line, suspect.line, suspect.text)
        yield _line(place, called)
        yield from wrapped(Text(printable(suspect.why), style="dim"), 6)


def _chain(diagnosis: Diagnosis, called: Names) -> Parts:
    """The consequences under what caused them, in the order of the log."""
    trees = chains(sorted(diagnosis.findings, key=lambda f: f.evidence[0].line if f.evidence else 0))
    shown = [node for node in trees if node.caused or node.finding.role == "consequence"]
    if shown:
        yield heading("What followed from what")
    for node in shown:
        yield from _tree(node, 0, called)


def _tree(node: Node, depth: int, called: Names) -> Iterator[Text]:
    yield from _short(node.finding, called, depth)
    for child in sorted(node.caused, key=lambda node: node.finding.evidence[0].line if node.finding.evidence else 0):
        yield from _tree(child, depth + 1, called)


def _short(finding: Finding, called: Names, depth: int = 0) -> list[Text]:
    """Where, id, how often, what; and below a consequence what shows that it is one."""
    place = called.place(finding.evidence[0]) if finding.evidence else "?"
    times = f" ×{finding.count}" if finding.count > 1 else ""
    sign = f"  {'  ' * min(depth, _DEEPEST)}{'└ ' if depth else ''}"
    text = Text.assemble(
        (f"{place:>5}  ", "cyan"), (printable(finding.id), "bold"), (times, "dim"), f"  {printable(finding.title)}"
    )
    why = [Text(f"{' ' * (len(sign) + 7)}{printable(finding.why.text)}", style="dim")] if finding.why else []
    return [*_hung(text, sign), *why]


def _hung(text: Text, sign: str) -> list[Text]:
    """The first line after its sign, the others under the id."""
    first, *others = wrapped(text, len(sign) + 7)
    return [Text(sign) + first[len(sign) + 7 :], *others]


def _context(diagnosis: Diagnosis, called: Names, main: Finding | None) -> Parts:
    """Errors of no part in it, warnings with what they mean and what to do (each once), and harmless messages."""
    told = {_advice(finding) for finding in (*diagnosis.roots, main) if finding}
    for name, severity in (("Also in the log", "error"), ("Warnings", "warning"), ("Harmless", "benign")):
        found = [f for f in diagnosis.findings if f.severity == severity and f.role == "context" and f is not main]
        if found:
            yield heading(name)
        for finding in found:
            yield from _short(finding, called)
            if severity != "benign" and _advice(finding) not in told:
                told.add(_advice(finding))
                yield from _meant(finding)


def _advice(finding: Finding) -> tuple[str, tuple[Workaround, ...]]:
    return finding.cause, finding.workarounds


def _meant(finding: Finding) -> Iterator[Text]:
    if finding.cause:
        yield from wrapped(finding.cause, 9)
    for number, fix in enumerate(finding.workarounds, 1):
        yield from wrapped(f"{fix.title}: {fix.detail}" if fix.detail else fix.title, 12, f"         {number}.")


def _facts(diagnosis: Diagnosis) -> Parts:
    rows = [("Environment", ", ".join(f"{name} {value}" for name, value in diagnosis.environment.items()))]
    rows += [("Support", note) for note in diagnosis.notes]
    rows += [("Good run", one) for one in diagnosis.against]
    rows += [("Compilations", text) for _, text in compiled(diagnosis)]
    rows += [("HBM", str(memory(diagnosis) or "")), ("Ranks", ranks(diagnosis))]
    rows += [("Run", f"{run.path}:{run.line}-{run.end_line} {say(run.verdict)}") for run in diagnosis.runs]
    rows += [("Collect", one) for one in diagnosis.collect]
    rows += [("Silenced", one) for one in diagnosis.silenced]
    if diagnosis.unparsed.lines:
        path, line, _ = diagnosis.unparsed.examples[0]
        lines = count(diagnosis.unparsed.lines, "line")
        rows.append(
            ("Not parsed", say("{lines} of a known family, first at {place}", lines=lines, place=f"{path}:{line}"))
        )
    yield Text()
    for name, text in rows:
        if text:
            yield from wrapped(Text.assemble((f"{say(name)}  ", "bold"), printable(text)), 2, later="  ")
