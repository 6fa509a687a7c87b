"""Analysis → text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from neurontriage.analysis import wording
from neurontriage.analysis.model import Analysis, Comparison, Operator, Place, Reason
from neurontriage.analysis.runlog import log_findings, log_sentence
from neurontriage.schema import WorkaroundText
from neurontriage.text import printable

WIDTH = 100
_BAR = 40
_OPERATORS = 15
_PLACES = 5


def render(analysis: Analysis) -> str:
    """The verdict, the reasons with what helps, the operators; plain text without colours."""
    parts = [
        _head(analysis),
        _bullets("Note", analysis.notes),
        _compared(analysis.comparison, analysis),
        *(_reason(number, reason, analysis) for number, reason in enumerate(analysis.reasons, 1)),
        _operators(analysis.operators),
        _log(analysis),
        _versions(analysis),
    ]
    return printable("\n\n".join(part for part in parts if part)) + "\n"


def _wrap(text: str, indent: str = "") -> str:
    lines = text.splitlines() or [""]
    return "\n".join(
        textwrap.fill(line, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
        for line in lines
    )


def _bar(part: float) -> str:
    filled = min(int(part * _BAR), _BAR)
    return "█" * filled + "░" * (_BAR - filled)


def _head(analysis: Analysis) -> str:
    value = analysis.share.best
    bar = f"  {_bar(value / 100)}" if value is not None else ""
    return f"{wording.percent(value)}{bar}\n{wording.headline(analysis)}\n" + _wrap(wording.share(analysis))


def _bullets(title: str, lines: tuple[str, ...]) -> str:
    return "\n".join(_wrap(f"{title}: {line}") for line in lines)


def _compared(found: Comparison | None, analysis: Analysis) -> str:
    if found is None:
        return ""
    change = f"{wording.percent(found.before.best)} → {wording.percent(analysis.share.best)}"
    lines = [f"Compared with {found.path}: {change}"]
    lines += [f"  worse   {item.kind}: {wording.change(item)}" for item in found.worse]
    lines += [f"  better  {item.kind}: {wording.change(item)}" for item in found.better]
    lines += [f"  {package}: {was} → {now}" for package, was, now in found.versions]
    return "\n".join(lines)


def _reason(number: int, reason: Reason, analysis: Analysis) -> str:
    code = f" [{reason.id}]" if reason.entry else ""
    lines = [f"{number}. {reason.title}{code}", _wrap(reason.cause, "   ")]
    if reason.seen:
        lines.append(_wrap(f"Seen here: {'; '.join(reason.seen[:6])}, read from {wording.basis(reason)}.", "   "))
    lines += [f"   {line}" for line in _places(reason)]
    lines += [f"   refused: {hlo.text}" for hlo in reason.hlo[:_PLACES]]
    lines += _more(len(reason.hlo) - _PLACES, "instruction")
    lines += [_wrap(sentence, "   ") for sentence in wording.both(analysis, reason)[:1]]
    if reason.since:
        lines.append(_wrap(wording.since(reason.since), "   "))
    if reason.entry:
        lines += [line for item in reason.entry.workarounds for line in _workaround(item)]
        lines += [f"   {link.url}" for link in reason.entry.links]
    return "\n".join(lines)


def _places(reason: Reason) -> Iterator[str]:
    for place in reason.places[:_PLACES]:
        yield f"at {_where(place)}: {place.kind}" + (f", fails at {place.stage}" if place.stage else "")
    yield from (line.strip() for line in _more(len(reason.places) - _PLACES, "call site"))


def _where(place: Place) -> str:
    frame = place.site.frame
    if frame:
        return f"{frame.file}:{frame.line}"
    return " ".join(place.site.text.split()) or "an unknown place"


def _more(number: int, noun: str) -> list[str]:
    return [f"   … and {wording.plural(number, 'more ' + noun)}"] if number > 0 else []


def _workaround(item: WorkaroundText) -> Iterator[str]:
    yield _wrap(f"- {item.title}" + (f" (from {item.since})" if item.since else ""), "   ")
    if item.detail:
        yield _wrap(item.detail, "     ")
    for name, code in (("before", item.before), ("after", item.after)):
        if code:
            yield f"     {name}:"
            yield textwrap.indent(code.rstrip(), "       ")


def _operators(operators: tuple[Operator, ...]) -> str:
    if not operators:
        return ""
    width = max(len(operator.kind) for operator in operators[:_OPERATORS])
    lines = [f"{'operator':<{min(width, 48)}}  {'support':<11}  {'supported':>9}  {'refused':>9}"]
    lines += [
        f"{o.kind:<{min(width, 48)}}  {o.support:<11}  {o.supported:>9,}  {o.refused:>9,}"
        for o in operators[:_OPERATORS]
    ]
    more = len(operators) - _OPERATORS
    return "\n".join(lines + ([f"… and {more:,} more (--format json or --html lists all)"] if more > 0 else []))


def _log(analysis: Analysis) -> str:
    lines = [log_sentence(analysis)]
    for said in log_findings(analysis):
        about = f": names {', '.join(said.operators)}" if said.operators else ""
        lines.append(f"  [{said.finding.id}] {said.finding.title}{about}")
    return "\n".join(line for line in lines if line)


def _versions(analysis: Analysis) -> str:
    lines = [f"{v.package} {v.version}" + (f" (SDK {v.sdk})" if v.sdk else "") for v in analysis.versions]
    return "\n".join([*lines, *map(_wrap, wording.ended(analysis))])
