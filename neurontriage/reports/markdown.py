"""Diagnosis → Markdown for an issue or a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from neurontriage import __version__
from neurontriage.model import Diagnosis, Finding, Link, Workaround
from neurontriage.render import verdict
from neurontriage.render.chain import Places, chains, excerpts, places
from neurontriage.render.folding import causes
from neurontriage.render.markdown import block, change, link, plain, prose, span, tree
from neurontriage.render.message import anchors, around, message
from neurontriage.render.places import names
from neurontriage.render.shorten import brief
from neurontriage.render.summary import explained, versions

_SIGNS = {"failed": "❌", "warned": "⚠️", "clean": "✅"}
_OTHERS = 20
_LONGEST = 700


def render(diagnosis: Diagnosis) -> str:
    """Two lines that answer, the line that proves it; everything else folded away."""
    shown = [cause.finding for cause in causes(diagnosis) if cause.finding.role == "root"]
    among = places(diagnosis.findings)
    parts = [
        *_answer(diagnosis),
        "<details><summary>Why, every fix, what followed, versions</summary>",
        _read(diagnosis),
        *(part for finding in shown for part in _finding(finding, among)),
        *_chain(diagnosis),
        *_facts(diagnosis),
        "</details>",
        f"<sub>neurontriage {__version__}</sub>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _answer(diagnosis: Diagnosis) -> Iterator[str]:
    """What it is, and what to do first; then where the log says so."""
    main = explained(diagnosis)
    title = f": {plain(main.title)}" if main else ""
    yield f"## {_SIGNS.get(diagnosis.verdict, '❔')} {verdict.name(diagnosis)}{title}"
    if main is None:
        yield plain(verdict.sentence(diagnosis))
        return
    fix = f"**Fix:** {plain(brief(main.workarounds[0]))}" if main.workarounds else ""
    told = ", ".join(part for part in (span(main.id), plain(next(iter(versions(diagnosis)), ""))) if part)
    yield f"{fix} ({told})" if fix else told
    for evidence in main.evidence[:1]:
        yield block(f"{names(diagnosis).full(evidence)}: {around(message(main), anchors(main), _LONGEST)}", "text")


def _read(diagnosis: Diagnosis) -> str:
    files = ", ".join(span(source.path) for source in diagnosis.inputs[:5])
    more = len(diagnosis.inputs) - 5
    return f"Read: {files}" + (f" and {more} more" if more > 0 else "")


def _finding(finding: Finding, among: Places) -> Iterator[str]:
    yield f"### {plain(finding.title)}"
    known = f"confidence {finding.confidence:.0%}" if finding.known else "no entry explains it"
    yield f"{span(finding.id)} · {plain(finding.layer)} · {finding.severity} · {known}"
    yield prose(finding.cause)
    for path, lines in excerpts(finding, among).items():
        rows = [("⋮\n" if line.gap else "") + f"{line.line:>6}  {line.text}" for line in lines]
        yield span(path) + "\n\n" + block("\n".join(rows), "text")
    if finding.affects:
        yield prose(finding.affects)
    if finding.fixed_in:
        versions = (f"{plain(package)} {plain(version)}" for package, version in finding.fixed_in.items())
        yield f"**Fixed in** {', '.join(versions)}"
    if finding.workarounds:
        yield "**What helps**"
        yield from (part for number, item in enumerate(finding.workarounds, 1) for part in _fix(number, item))
    if finding.repro:
        yield "**Prove it**\n\n" + block(f"neurontriage repro {finding.repro}", "sh")
    if finding.not_proof:
        yield f"_{prose(finding.not_proof)}_"
    yield "\n".join(f"- {_link(one)}" for one in finding.links)


def _fix(number: int, item: Workaround) -> Iterator[str]:
    since = f", from {plain(item.since)}" if item.since else ""
    detail = f": {prose(item.detail)}" if item.detail else ""
    yield f"{number}. **{plain(item.title)}** ({plain(item.kind)}{since}){detail}"
    yield from change(item.before, item.after)


def _link(one: Link) -> str:
    return link(one.url, one.title) + (f" ({plain(one.state)})" if one.state else "")


def _chain(diagnosis: Diagnosis) -> Iterator[str]:
    trees = [node for node in chains(diagnosis.findings) if node.finding.severity != "benign"]
    if any(node.caused for node in trees) or len(trees) > 1:
        lines = [line for node in trees for line in tree(node)]
        yield "### What caused what"
        yield "\n".join(lines[:_OTHERS])
        if len(lines) > _OTHERS:
            yield f"… and {len(lines) - _OTHERS} more"


def _facts(diagnosis: Diagnosis) -> Iterator[str]:
    rows = [f"| {plain(name)} | {plain(value)} |" for name, value in diagnosis.environment.items()]
    counts: Counter[str] = Counter(module.status for module in diagnosis.modules)
    if counts:
        words = {"failed": "failed", "running": "without a result", "passed": "passed", "cached": "cached"}
        told = ", ".join(f"{counts[s]:,} {word}" for s, word in words.items() if counts[s])
        rows.append(f"| compilations | {told} |")
    rows += [f"| good run | {plain(one)} |" for one in diagnosis.against]
    if diagnosis.unparsed.lines:
        rows.append(f"| lines not understood | {diagnosis.unparsed.lines:,} |")
    if rows:
        yield "### Environment"
        yield "\n".join(["| | |", "|---|---|", *rows])
