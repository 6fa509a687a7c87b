"""Analysis → one self-contained HTML page."""

from __future__ import annotations

from dataclasses import dataclass

from neurontriage.analysis import wording
from neurontriage.analysis.model import Analysis, Operator, Reason
from neurontriage.analysis.runlog import log_findings, log_sentence
from neurontriage.analysis.shortlist import LISTED, ROWS, shortlisted
from neurontriage.model import Link
from neurontriage.render.pages import page, plural

_BARS = 20
_FEW = 12
"""So many supported operators stand open, more are folded."""
_LONG = 1000
_CHUNK = 200
"""A table of more than `_LONG` rows is laid out in blocks of so many, so that a browser need not measure all."""
DOCS = {
    "training": Link(
        "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/frameworks/torch/torch-neuronx/"
        "api-reference-guide/training/pytorch-neuron-parallel-compile.html",
        "neuron_parallel_compile",
    ),
    "inference": Link(
        "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/frameworks/torch/torch-neuronx/"
        "api-reference-guide/inference/api-torch-neuronx-analyze.html",
        "torch_neuronx.analyze()",
    ),
}


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of operators, in blocks. `folded`: whether it is closed at first, under its title."""

    id: str
    title: str
    chunks: list[tuple[Operator, ...]]
    reasons: bool
    folded: bool = False


def render(analysis: Analysis) -> str:
    """The page; it needs neither network nor scripts to be read."""
    analysis = shortlisted(analysis)
    return page(
        "analysis.html",
        analysis=analysis,
        headline=wording.headline(analysis),
        share=wording.share(analysis),
        compared=wording.compared(analysis.comparison) if analysis.comparison else [],
        most_listed=LISTED,
        ended=wording.ended(analysis),
        docs=DOCS[analysis.result.schema],
        percent=wording.percent,
        plural=plural,
        change=wording.change,
        not_shown=wording.not_shown(analysis),
        lowered=wording.instructions(analysis),
        basis=wording.basis,
        since=wording.since,
        **_operators(analysis),
        **_log(analysis),
    )


def _operators(analysis: Analysis) -> dict[str, object]:
    """What the chart and the table show."""
    by_use = sorted(analysis.operators, key=lambda o: (o.refused == 0, -o.count, o.kind))
    shown, rest = by_use[:_BARS], by_use[_BARS:]
    numbers = {s: sum(o.support == s for o in analysis.operators) for s in ("unsupported", "partly", "supported")}
    words = {"unsupported": "unsupported", "partly": "partly supported", "supported": "supported"}
    return {
        "tables": _tables(analysis.operators[:ROWS]),
        "left_out": max(len(analysis.operators) - ROWS, 0),
        "chart": shown,
        "most": max((operator.count for operator in shown), default=0) or 1,
        "rest": {"operators": len(rest), "uses": sum(operator.count for operator in rest)},
        "filters": [(support, words[support], number) for support, number in numbers.items() if number],
        "why": _why(analysis.reasons),
        "both": {reason.id: wording.both(analysis, reason) for reason in analysis.reasons},
    }


def _tables(operators: tuple[Operator, ...]) -> list[Rows]:
    """What does not compile stands open; a long list of what does is folded."""
    refused = tuple(operator for operator in operators if operator.refused)
    supported = tuple(operator for operator in operators if not operator.refused)
    if len(supported) <= _FEW:
        return [Rows("operator-table", "Operators", _chunks(operators), bool(refused))] if operators else []
    both = [
        Rows("operator-table", plural(len(refused), "operator") + " refused", _chunks(refused), True),
        Rows("supported-table", plural(len(supported), "operator") + " supported", _chunks(supported), False, True),
    ]
    return [rows for rows in both if rows.chunks]


def _chunks(operators: tuple[Operator, ...]) -> list[tuple[Operator, ...]]:
    size = _CHUNK if len(operators) > _LONG else max(len(operators), 1)
    return [operators[start : start + size] for start in range(0, len(operators), size)]


def _why(reasons: tuple[Reason, ...]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for reason in reasons:
        for kind in reason.operators:
            found.setdefault(kind, []).append(reason.title)
    return {kind: "; ".join(titles) for kind, titles in found.items()}


def _log(analysis: Analysis) -> dict[str, object]:
    return {"log_findings": log_findings(analysis), "log_text": log_sentence(analysis)}
