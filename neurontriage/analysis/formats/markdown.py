"""Analysis → Markdown for an issue or a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from neurontriage import __version__
from neurontriage.analysis import wording
from neurontriage.analysis.model import Analysis, Change, Comparison, Operator, Reason
from neurontriage.analysis.runlog import Said, log_findings, log_sentence
from neurontriage.render.markdown import block, change, link, plain, prose, span
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
        *_operators(analysis),
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
        f"- {sign}: {span(item.kind)} {plain(wording.change(item, found.coarse))}"
        for sign, items in signs
        for item in items
    )
    yield "\n".join(f"- {plain(package)}: {plain(was)} → {plain(now)}" for package, was, now in found.versions)


def _reason(reason: Reason, analysis: Analysis) -> Iterator[str]:
    yield f"### {plain(reason.title)}" + (f" ({span(reason.id)})" if reason.entry else "")
    yield prose(reason.cause)
    if reason.seen:
        yield plain(f"Seen here: {'; '.join(reason.seen[:6])}, read from {wording.basis(reason)}.")
    yield "\n".join(_places(reason))
    if reason.hlo:
        more = reason.hlo_count - _PLACES
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
    if reason.place_count > _PLACES:
        yield f"- … and {plural(reason.place_count - _PLACES, 'more call site')}"


def _helps(reason: Reason) -> Iterator[str]:
    if reason.entry is None:
        return
    for number, item in enumerate(reason.entry.workarounds, 1):
        detail = f": {prose(item.detail)}" if item.detail else ""
        yield f"{number}. **{plain(item.title)}**{detail}"
        yield from change(item.before, item.after, "python")
    yield "\n".join(f"- {link(one.url, one.title)}" for one in reason.entry.links)
    yield f"Try it: {span(f'neurontriage repro {reason.entry.repro}')}" if reason.entry.repro else ""


def _operators(analysis: Analysis) -> Iterator[str]:
    operators, lowered = analysis.operators, wording.instructions(analysis)
    if not operators:
        return
    head = ["Operator", "Support", "Uses compiled", "Refused", *(["HLO refused"] * lowered)]
    yield "### Operators"
    rows = [_counts(operator, lowered) for operator in operators[:_OPERATORS]]
    yield "\n".join([_row(head), "|---|---|--:|--:|" + "--:|" * lowered, *rows])
    if len(operators) > _OPERATORS:
        yield f"… and {plural(len(operators) - _OPERATORS, 'more operator')}"


def _counts(o: Operator, lowered: bool) -> str:
    numbers = [o.supported, o.refused_uses, *([o.lowered] * lowered)]
    return _row([span(o.kind).replace("|", chr(92) + "|"), o.support, *(f"{number:,}" for number in numbers)])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


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
    notes = filter(None, (wording.not_shown(analysis), *wording.ended(analysis)))
    return "\n".join([*rows, *(f"- {plain(note)}" for note in notes)])
