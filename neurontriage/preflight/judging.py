"""A capture, and what is compiled for → one row per operator, element type and outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from neurontriage.hlo.dtypes import TORCH
from neurontriage.hlo.instruction import Instruction
from neurontriage.operators.judge import WORST, Judgement, Setting, judge
from neurontriage.operators.limits import of_kind
from neurontriage.operators.table import lowering_of, table
from neurontriage.preflight.capture import Capture, Fallback, Graph, Use
from neurontriage.preflight.model import Row

Article = Callable[[str], Mapping[str, Any] | None]
_SITES = 20
_PRINCIPAL = frozenset({"sort"})
"""Of the instructions that the CPU lowering makes of one operator, those that take what the operator takes."""


@dataclass
class _Gathered:
    count: int = 0
    sites: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True)
class Judged:
    """The rows, and the share of distinct instructions that compile; None where nothing could be decided."""

    rows: tuple[Row, ...]
    percent: float | None


def judged(capture: Capture, setting: Setting, article: Article) -> Judged:
    """Every use under one row; what nothing is known about is `unknown`."""
    gathered: dict[Row, _Gathered] = {}
    for graph in capture.graphs:
        for use in graph.uses:
            _add(gathered, _row(use, capture, setting), use.count, use.site)
    for fallback in capture.fallbacks:
        _add(gathered, _fallback(fallback), 1, fallback.site)
    rows = [_filled(row, found, article) for row, found in gathered.items()]
    ordered = sorted(rows, key=lambda r: (WORST.index(r.outcome), -r.count, r.name, r.opcode, r.dtype, r.lowering))
    return Judged(tuple(ordered), _percent(capture, setting))


def _add(gathered: dict[Row, _Gathered], row: Row, count: int, site: str) -> None:
    found = gathered.setdefault(row, _Gathered())
    found.count += count
    if site:
        found.sites[site] = None


def _row(use: Use, capture: Capture, setting: Setting) -> Row:
    found, lowering = decide(use, capture, setting)
    dtype = use.instruction.result[0].dtype if use.instruction.result else ""
    return Row(
        use.name, use.instruction.opcode, dtype, found.outcome, lowering, 0, found.entry, found.seen, found.from_sdk
    )


def decide(use: Use, capture: Capture, setting: Setting) -> tuple[Judgement, str]:
    """What becomes of a use, and in which lowering that was found: Neuron's own custom call, or what was captured."""
    name = use.name.rpartition(".")[2]
    if name == "sort" and capture.frontend == "xla" and use.site and use.site not in capture.unsorted:
        name = "topk"  # of all elements: the lowering is that of a sort
    call = lowering_of().get(name) if use.name.startswith("aten.") else None
    sorts = use.instruction.opcode == "sort" and use.instruction.attributes.get("sorted") == "false"
    own = use.instruction.opcode == "custom-call" or (use.text and use.instruction.opcode == "topk")
    if call is None or use.site in capture.unsorted or sorts or own:
        lowering = "Neuron" if use.instruction.call in table().custom_calls else capture.lowering
        return judge(use.instruction, setting), lowering
    if use.text and use.instruction.opcode not in _PRINCIPAL:
        return Judgement("supported"), call
    attributes = {"custom_call_target": f'"{call}"'}
    overlaid = Instruction("custom-call", use.instruction.result, use.instruction.operands, attributes=attributes)
    return judge(overlaid, setting), call


def _fallback(found: Fallback) -> Row:
    """The name alone may say why; whether Neuron's own plug-in would fall back too is not known from here."""
    named = of_kind(found.operator)
    dtype = TORCH.get(found.dtypes[0], found.dtypes[0]) if found.dtypes else ""
    seen = "runs on the CPU in the backward pass" if found.backward else "runs on the CPU"
    name = found.operator.replace("::", ".")
    return Row(name, "", dtype, "falls-back", "torch-xla on CPU", 0, named[0].entry if named else None, seen)


def _filled(row: Row, found: _Gathered, article: Article) -> Row:
    entry = article(row.entry) if row.entry and row.outcome != "supported" else None
    sites = sorted(found.sites, key=_by_line)[:_SITES]
    fixes = sorted((entry or {}).get("workarounds", ()), key=lambda fix: not _about(row, fix))
    return replace(row, count=found.count, sites=tuple(sites), workarounds=tuple(fixes))


def _about(row: Row, fix: Mapping[str, Any]) -> bool:
    """Whether a workaround of an entry for several operators names this one; those come first."""
    words = " ".join(str(value) for value in fix.values()).lower()
    return row.opcode in words or row.name.rpartition(".")[2] in words


def _by_line(site: str) -> tuple[str, int]:
    file, _, line = site.rpartition(":")
    return file, int(line) if line.isdigit() else 0


def distinct(graph: Graph) -> Iterator[Use]:
    """Uses that differ in what is lowered: analyze compiles each distinct instruction of a graph once."""
    seen: set[object] = set()
    for use in graph.uses:
        i = use.instruction
        key: object = use.text or (use.name, i.result, i.operands)
        if key not in seen:
            seen.add(key)
            yield use


def _percent(capture: Capture, setting: Setting) -> float | None:
    """Compiles today, of all that is decided; an unknown use counts neither way."""
    outcomes = [decide(use, capture, setting)[0].outcome for graph in capture.graphs for use in distinct(graph)]
    refused = outcomes.count("unsupported")
    total = sum(outcome != "unknown" for outcome in outcomes)
    return 100 * (total - refused) / total if total else None
