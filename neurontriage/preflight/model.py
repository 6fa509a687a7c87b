"""The answer of a preflight: frozen values, drawn by `formats/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from neurontriage.operators.judge import Outcome
from neurontriage.preflight.capture import Break, Graph, Recompilation


@dataclass(frozen=True, slots=True)
class Row:
    """All uses of one operator with one element type and one outcome."""

    name: str
    opcode: str
    dtype: str
    outcome: Outcome
    lowering: str
    count: int
    entry: str | None = None
    seen: str = ""
    from_sdk: str | None = None
    sites: tuple[str, ...] = ()
    workarounds: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes on one core, by part; None where nothing is known. `needed` is the sum of what is known."""

    target: str
    available: int | None
    parts: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @property
    def needed(self) -> int:
        return sum(self.parts.values())

    @property
    def fits(self) -> bool | None:
        """None where the target's memory, or everything that needs it, is unknown."""
        return None if self.available is None or not self.parts else self.needed <= self.available


@dataclass(frozen=True, slots=True)
class Advice:
    """Something that costs or may fail although every operator compiles; `entry` says more where there is one."""

    title: str
    detail: str
    entry: str | None = None
    sites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """The answer beside the compiler's own: opcodes in its list, graphs that it compiled, where they disagree.

    `not_run` says why there is nothing of it, `notes` what is missing.
    """

    checked: int = 0
    disagree: tuple[str, ...] = ()
    not_run: str = ""
    graphs: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preflight:
    """Everything that a preflight says."""

    target_file: str
    target: str
    sdk: str
    sdk_given: bool
    flags: tuple[str, ...]
    frontend: str
    rows: tuple[Row, ...]
    graphs: tuple[Graph, ...]
    breaks: tuple[Break, ...]
    recompilations: tuple[Recompilation, ...]
    memory: Memory
    percent: float | None
    notes: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()
    ended: str = ""
    accuracy: Agreement | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    unsorted: frozenset[str] = frozenset()

    @property
    def slim(self) -> Preflight:
        """The same without modules and single uses: what a page shows."""
        return replace(self, graphs=tuple(replace(graph, module=None, uses=()) for graph in self.graphs))

    @property
    def unsupported(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.outcome == "unsupported")

    @property
    def verdict(self) -> str:
        """Whether it will compile for the target, in one sentence."""
        if self.unsupported:
            uses = sum(row.count for row in self.unsupported)
            many = "use" if uses == 1 else "uses"
            return f"Will not compile for {self.target}: {uses:,} {many} of {_operators(self.unsupported)}."
        if not self.graphs and not self.rows:
            return "Nothing was captured."
        if self.percent is None:
            return f"No document decides about any of it on {self.target}."
        what = "Nothing in what was seen before it ended" if self.ended else "Nothing in it"
        unknown = tuple(row for row in self.rows if row.outcome == "unknown")
        open_ = f"; no document decides about {_operators(unknown)}" if unknown else ""
        return f"{what} is documented as unsupported on {self.target}{open_}."


def _operators(rows: tuple[Row, ...]) -> str:
    names = list(dict.fromkeys(row.name for row in rows))
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
