"""Modules and evidence → bars and dots from 0 to 1000, as the pages draw them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone

from neurontriage.model import Diagnosis, Finding, Module, ModuleStatus

LONGEST = 40
"""So many compilations are drawn; the page lists all."""
_ORDER: tuple[ModuleStatus, ...] = ("failed", "running", "passed", "cached")
WIDTH = 1000


@dataclass(frozen=True, slots=True)
class Bar:
    """One compilation; `x` and `width` in thousandths of the drawing."""

    module: Module
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Part:
    """One status among all compilations, in thousandths of a bar."""

    status: ModuleStatus
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Compiles:
    """`bars` are placed in time (`placed`) or only as long as the compilation took."""

    counts: tuple[tuple[ModuleStatus, int], ...]
    shares: tuple[Part, ...]
    bars: tuple[Bar, ...]
    modules: tuple[Module, ...]
    seconds: float
    placed: bool


@dataclass(frozen=True, slots=True)
class Dot:
    """The first line of a finding on a rank, `x` in thousandths; None without a readable time."""

    finding: Finding
    line: int
    time: str
    x: float | None


@dataclass(frozen=True, slots=True)
class Lane:
    """One rank and what is seen on it, in the order of time."""

    rank: int
    dots: tuple[Dot, ...]


def moment(text: str | None) -> float | None:
    """ISO 8601 → seconds since the epoch; None where the text is no such time."""
    try:
        found = datetime.fromisoformat((text or "").strip().replace("Z", "+00:00").replace(",", "."))
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp()


def compiles(modules: tuple[Module, ...]) -> Compiles | None:
    """None where the log shows no compilation."""
    if not modules:
        return None
    counts = Counter(module.status for module in modules)
    timed = [module for module in modules if module.seconds is not None]
    notable = sorted(timed, key=lambda m: (m.status != "failed", -(m.seconds or 0), m.module))[:LONGEST]
    starts = [moment(module.started) for module in notable]
    placed = bool(notable) and all(start is not None for start in starts)
    bars = _in_time(notable, [s or 0.0 for s in starts]) if placed else _by_length(notable)
    return Compiles(
        tuple((status, counts[status]) for status in _ORDER if counts[status]),
        _shares(counts),
        bars,
        modules,
        sum(module.seconds or 0 for module in timed),
        placed,
    )


def _shares(counts: Counter[ModuleStatus]) -> tuple[Part, ...]:
    scale = WIDTH / (sum(counts.values()) or 1)
    before = 0
    parts = []
    for status in _ORDER:
        parts.append(Part(status, before * scale, counts[status] * scale))
        before += counts[status]
    return tuple(part for part in parts if part.width)


def _in_time(modules: list[Module], starts: list[float]) -> tuple[Bar, ...]:
    first = min(starts)
    last = max(start + (module.seconds or 0) for start, module in zip(starts, modules, strict=True))
    scale = WIDTH / ((last - first) or 1)
    bars = [
        Bar(module, (start - first) * scale, max((module.seconds or 0) * scale, 3))
        for start, module in zip(starts, modules, strict=True)
    ]
    return tuple(sorted(bars, key=lambda bar: (bar.x, bar.module.module)))


def _by_length(modules: list[Module]) -> tuple[Bar, ...]:
    most = max((module.seconds or 0 for module in modules), default=0) or 1
    return tuple(Bar(module, 0, max((module.seconds or 0) * WIDTH / most, 3)) for module in modules)


def lanes(diagnosis: Diagnosis) -> tuple[Lane, ...]:
    """Per rank the first line of every finding that is not benign; () where lines name fewer than two ranks."""
    found: dict[int, dict[str, Dot]] = {}
    for finding in diagnosis.findings:
        for rank, dot in _seen(finding):
            lane = found.setdefault(rank, {})
            if finding.severity != "benign":
                lane.setdefault(finding.id, dot)
    if len(found) < 2:
        return ()
    return tuple(_lane(rank, dots.values(), _span(found)) for rank, dots in sorted(found.items()))


def _seen(finding: Finding) -> Iterator[tuple[int, Dot]]:
    """The ranks whose lines are evidence, in order, then those that are only counted."""
    for evidence in finding.evidence:
        if evidence.rank is not None:
            yield evidence.rank, Dot(finding, evidence.line, evidence.time or "", moment(evidence.time))
    for rank in finding.ranks:
        yield rank, Dot(finding, 0, "", None)


def _span(found: dict[int, dict[str, Dot]]) -> tuple[float, float]:
    times = [dot.x for dots in found.values() for dot in dots.values() if dot.x is not None]
    return (min(times), max(times)) if times else (0.0, 0.0)


def _lane(rank: int, dots: Iterable[Dot], span: tuple[float, float]) -> Lane:
    first, last = span
    scale = (WIDTH - 20) / (last - first) if last > first else 0
    placed = [Dot(d.finding, d.line, d.time, None if d.x is None else 10 + (d.x - first) * scale) for d in dots]
    return Lane(rank, tuple(sorted(placed, key=lambda dot: (dot.x is None, dot.x or 0, dot.line))))
