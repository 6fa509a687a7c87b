"""What fills the device memory, as logs print it: the runtime's table, its list, the compiler's sentence → stacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.model import Diagnosis, Evidence, Finding, Workaround
from neurontriage.render.language import say
from neurontriage.render.message import essence

STATED = expression(r"log_dev_mem|Failed to allocate .*usage|Maximum peak HBM usage")
"""Lines of which the one that is meant has the use of the memory after it, or in it."""
_SIZE = r"(\d+(?:\.\d+)?)\s*(B|KB|MB|GB|TB)"
_UNITS = {"B": 0, "KB": 10, "MB": 20, "GB": 30, "TB": 40}
_ROW = r"\\_NC (\d+)\s*\|"
_HEADER = r"^[^|\\]*\|.*\|\s*$"
_ITEM = r"^\s*\* ([a-z ]+): (.+)$"
_CORE = r"on ND (\d+):NC (\d+)"
_PART = (r"(\d+(?:\.\d+)?\s?(?:B|KB|MB|GB)) ((?:model constants|I/O tensors|intermediate tensors|internal"
                   r"(?: \(scratchpad\))?(?: allocations| tensors)?|DMA ring I/O|DMA ring spills))")  # fmt: skip
_LIMIT = r"HBM limit of (\d+(?:\.\d+)?\s?[KMGT]?B)"
_SMALL = 0.005


class Part(NamedTuple):
    """One kind of use: bytes, and where its bar starts and how long it is in thousandths of the drawing."""

    kind: str
    bytes: float
    x: float = 0.0
    width: float = 0.0


class Core(NamedTuple):
    """What one NeuronCore holds, the largest kinds first."""

    name: str
    total: float
    parts: tuple[Part, ...]


class Memory(NamedTuple):
    """All cores that the log tells of; `limit` in bytes, None where the log does not say it."""

    cores: tuple[Core, ...]
    limit: float | None = None

    def __str__(self) -> str:
        """`NC 4: 20.1 GB, of it Tensors 20.0 GB; NC 5: 96.3 MB`."""
        return "; ".join(_said(core) for core in self.cores)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that are drawn, in the order of their colours."""
        sizes: dict[str, float] = {}
        for part in (part for core in self.cores for part in core.parts):
            sizes[part.kind] = sizes.get(part.kind, 0) + part.bytes
        return tuple(sorted(sizes, key=lambda kind: (-sizes[kind], kind)))


def memory(diagnosis: Diagnosis) -> Memory | None:
    """What the lines around the evidence tell; None where they tell nothing of it."""
    for evidence in (one for finding in diagnosis.findings for one in finding.evidence):
        if STATED.search(evidence.text):
            found = _read(evidence)
            if found is not None:
                return found
    return None


def advised(diagnosis: Diagnosis) -> Diagnosis:
    """What helps against the use that prevails comes first, where the log tells which does."""
    found = memory(diagnosis)
    if found is None:
        return diagnosis
    parts = max(found.cores, key=lambda core: core.total).parts
    if not parts:  # the table was cut off below a core's total
        return diagnosis
    return replace(diagnosis, findings=tuple(_advised(one, parts[0].kind.lower()) for one in diagnosis.findings))


def _advised(finding: Finding, largest: str) -> Finding:
    def fits(fix: Workaround) -> bool:
        return any(kind in largest for kind in fix.fills)

    if not any(map(fits, finding.workarounds)):
        return finding
    order = sorted(finding.workarounds, key=lambda fix: 0 if fits(fix) else 2 if fix.fills else 1)
    return replace(finding, workarounds=tuple(order))


def _read(evidence: Evidence) -> Memory | None:
    lines = [text for number, text in evidence.context if number > evidence.end_line]
    cores = _table(lines) or _listed(evidence.text, lines) or _sentence(evidence.text)
    if not cores:
        return None
    limit = re.search(_LIMIT, evidence.text)
    return _drawn(cores, size(limit[1]) if limit else None)


def size(text: str) -> float:
    """`20.094GB` → bytes; 0 for `n/a` and what is no size."""
    found = re.search(_SIZE, text)
    return float(found[1]) * (1 << _UNITS[found[2]]) if found else 0.0


def _table(lines: Sequence[str]) -> list[Core]:
    heads: list[list[str]] = []
    cores = []
    for line in lines:
        row = re.match(_ROW, line.strip())
        cells = [cell.strip() for cell in line.split("|")]
        if row and heads:
            named = dict(zip(_names(heads), cells[1:], strict=False))
            cores.append(_core(f"NC {row[1]}", ((name, size(text)) for name, text in named.items() if name != "TOTAL")))
        elif not cores and re.match(_HEADER, line) and not re.search(_SIZE, line):
            heads.append(cells[1:-1])
    return cores


def _names(heads: Sequence[Sequence[str]]) -> list[str]:
    """Column names, which stand over several lines."""
    return [" ".join(word for word in column if word) for column in zip(*heads, strict=False)]


def _listed(text: str, lines: Iterable[str]) -> list[Core]:
    items = [found for line in lines if (found := re.match(_ITEM, line))]
    where = re.search(_CORE, text)
    parts = ((item[1], size(item[2])) for item in items if item[1] != "total")
    return [_core(f"NC {where[2]}" if where else "NC", parts)] if items else []


def _sentence(text: str) -> list[Core]:
    parts = [(kind, size(amount)) for amount, kind in re.findall(_PART, essence(text))]
    return [_core(say("one core"), parts)] if len(parts) > 1 else []


def _core(name: str, parts: Iterable[tuple[str, float]]) -> Core:
    sized = sorted((Part(kind, amount) for kind, amount in parts if amount), key=lambda part: -part.bytes)
    return Core(name, sum(part.bytes for part in sized), tuple(sized))


def _drawn(cores: Sequence[Core], limit: float | None) -> Memory:
    most = max([core.total for core in cores] + [limit or 0]) or 1
    return Memory(tuple(Core(core.name, core.total, tuple(_placed(core, most))) for core in cores), limit)


def _placed(core: Core, most: float) -> Iterator[Part]:
    at = 0.0
    for part in core.parts:
        width = part.bytes / most * 1000
        yield Part(part.kind, part.bytes, at, width)
        at += width


def shown(amount: float) -> str:
    """Bytes in the unit that suits them: `20.0 GB`."""
    unit = next((unit for unit in ("TB", "GB", "MB", "KB") if amount >= 1 << _UNITS[unit]), "B")
    return f"{amount / (1 << _UNITS[unit]):,.1f} {unit}"


def _said(core: Core) -> str:
    large = [part for part in core.parts if part.bytes > core.total * 0.1][:2]
    parts = ", ".join(f"{part.kind} {shown(part.bytes)}" for part in large)
    return f"{core.name}: {shown(core.total)}" + (f" ({parts})" if parts and len(core.parts) > 1 else "")
