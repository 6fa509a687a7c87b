"""Analysis → Markdown for an issue or a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from neurontriage import __version__
from neurontriage.analysis import wording
from neurontriage.analysis.model import Analysis, Change, Comparison, Operator, Reason
from neurontriage.analysis.runlog import Said, log_findings, log_sentence
from neurontriage.render.markdown import block, link, plain, prose, span
from neurontriage.render.pages import plural

_PLACES = 10
_OPERATORS = 30


def render(analysis: Analysis) -> str:
    """The verdict, what changed, each reason with what helps, the operators."""
    parts = [
        f"## {wording.percent(analysis.share.best)}: {plain(wording.headline(analysis))}",
        prose(wording.share(analysis)),
        *(_log(analysis) if analysis.log_failed else ()),
        "\n".join(f"- ⚠️ {plain(note)}" for note in analysis.notes),
        *(_compared(analysis.comparison, analysis) if analysis.comparison else ()),
        *(part for reason in analysis.reasons for part in _reason(reason, analysis)),
        *_operators(analysis.operators),
        *(() if analysis.log_failed else _log(analysis)),
        _versions(analysis),
        f"<sub>neurontriage {__version__}, from {span(analysis.result.path)}</sub>",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _compared(found: Comparison, analysis: Analysis) -> Iterator[str]:
    yield f"### Compared with {span(found.path)}"
    yield f"{wording.percent(found.before.best)} → {wording.percent(analysis.share.best)}"
    yield "\n".join(f"- {plain(said)}" for said in wording.compared(found))
    signs: list[tuple[str, tuple[Change, ...]]] = [("❌ worse", found.worse), ("✅ better", found.better)]
    yield "\n".join(
        f"- {sign}: {span(item.kind)} {plain(wording.change(item))}" for sign, items in signs for item in items
    )
    yield "\n".join(f"- {plain(package)}: {plain(was)} → {plain(now)}" for package, was, now in found.versions)


def _reason(reason: Reason, analysis: Analysis) -> Iterator[str]:
    yield f"### {plain(reason.title)}" + (f" ({span(reason.id)})" if reason.entry else "")
    yield prose(reason.cause)
    if reason.seen:
        yield plain(f"Seen here: {'; '.join(reason.seen[:6])}, read from {wording.basis(reason)}.")
    yield "\n".join(_places(reason))
    if reason.hlo:
        more = len(reason.hlo) - _PLACES
        yield block("\n".join(hlo.text for hlo in reason.hlo[:_PLACES]), "text")
        yield f"… and {plural(more, 'more instruction')}" if more > 0 else ""
    yield from (prose(sentence) for sentence in wording.both(analysis, reason)[:1])
    if reason.since:
        yield plain(wording.since(reason.since))
    if reason.entry:
        yield from _helps(reason)


def _places(reason: Reason) -> Iterator[str]:
    for place in reason.places[:_PLACES]:
        frame = place.site.frame
        where = f"{frame.file}:{frame.line}" if frame else " ".join(place.site.text.split())
        yield f"- {span(place.kind)}" + (f" at {span(where)}" if where else "")
    if len(reason.places) > _PLACES:
        yield f"- … and {plural(len(reason.places) - _PLACES, 'more call site')}"


def _helps(reason: Reason) -> Iterator[str]:
    if reason.entry is None:
        return
    for number, item in enumerate(reason.entry.workarounds, 1):
        detail = f": {prose(item.detail)}" if item.detail else ""
        yield f"{number}. **{plain(item.title)}**{detail}"
        for name, code in (("Before", item.before), ("After", item.after)):
            yield f"{name}:\n\n{block(code, 'python')}" if code else ""
    yield "\n".join(f"- {link(one.url, one.title)}" for one in reason.entry.links)


def _operators(operators: tuple[Operator, ...]) -> Iterator[str]:
    if not operators:
        return
    rows = [
        f"| {span(o.kind).replace('|', chr(92) + '|')} | {o.support} | {o.supported:,} | {o.refused:,} |"
        for o in operators[:_OPERATORS]
    ]
    yield "### Operators"
    yield "\n".join(["| Operator | Support | Supported | Refused |", "|---|---|--:|--:|", *rows])
    if len(operators) > _OPERATORS:
        yield f"… and {plural(len(operators) - _OPERATORS, 'more operator')}"


def _log(analysis: Analysis) -> Iterator[str]:
    if analysis.log:
        yield "### The compile log of this run"
        yield plain(log_sentence(analysis))
        yield "\n".join(_said(said) for said in log_findings(analysis))


def _said(said: Said) -> str:
    """A finding of the log, with its first fix where it is a root."""
    fixes = said.finding.workarounds[:1] if said.finding.role == "root" else ()
    fix = f": {plain(fixes[0].title)}. {prose(fixes[0].detail)}" if fixes else ""
    return f"- {span(said.finding.id)} {plain(said.finding.title)}{fix}"


def _versions(analysis: Analysis) -> str:
    rows = [f"- {plain(v.package)} {span(v.version)}" + (f" (SDK {v.sdk})" if v.sdk else "") for v in analysis.versions]
    return "\n".join([*rows, *(f"- {plain(note)}" for note in wording.ended(analysis))])
