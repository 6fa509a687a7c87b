"""What a result.json means once joined with the knowledge base: frozen values, drawn by `formats/`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from neurontriage.analysis.result import Result
from neurontriage.analysis.sites import Site
from neurontriage.hlo.instruction import Instruction
from neurontriage.knowledge.schema import Entry
from neurontriage.model import Diagnosis
from neurontriage.operators.limits import Match

Support = Literal["unsupported", "partly", "supported"]
Verdict = Literal["supported", "partly", "unsupported", "unknown"]


@dataclass(frozen=True, slots=True)
class Hlo:
    """One refused HLO instruction; `parsed` is None where the grammar does not know its form."""

    text: str
    kind: str
    parsed: Instruction | None
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One refused use of an operator: where, at which stage, and what its graph or name tells."""

    kind: str
    site: Site
    stage: str
    graph: str
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Operator:
    """An aten operator as the report counts it; `refused` counts its instructions, else its places.

    `called` and `lowered` count its places and instructions; `places` and `hlo` may be a shortlist of them.
    """

    kind: str
    supported: int
    called: int
    lowered: int
    places: tuple[Place, ...]
    hlo: tuple[Hlo, ...]

    @property
    def refused(self) -> int:
        return self.lowered or self.called

    @property
    def refused_uses(self) -> int:
        """Uses in the script; where the report names instructions alone, those."""
        return self.called or self.lowered

    @property
    def count(self) -> int:
        """Uses of the operator, compiled and refused ones."""
        return self.supported + self.refused_uses

    @property
    def support(self) -> Support:
        if not self.refused:
            return "supported"
        return "partly" if self.supported else "unsupported"


@dataclass(frozen=True, slots=True)
class Since:
    """From which versions on a release note promises support, for how many of the refused instructions."""

    versions: tuple[tuple[str, str], ...]
    opcodes: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """One cause with all it stops; `entry` is None where the knowledge base does not explain it.

    `place_count` and `hlo_count` count all; `places` and `hlo` may be a shortlist of them. `stages`: where analyze says
    it failed, `neuronx-cc` or `Lowering to HLO`.
    """

    id: str
    title: str
    cause: str
    entry: Entry | None
    operators: tuple[str, ...]
    places: tuple[Place, ...]
    hlo: tuple[Hlo, ...]
    seen: tuple[str, ...] = ()
    basis: tuple[str, ...] = ()
    since: Since | None = None
    place_count: int = 0
    hlo_count: int = 0
    stages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """The percentage as printed, and as recomputed (`passed` of `total`) where the lists allow it."""

    printed: str | None
    value: float | None
    unit: str
    passed: int = 0
    total: int = 0

    @property
    def recomputed(self) -> float | None:
        return 100 * self.passed / self.total if self.total else None

    @property
    def agrees(self) -> bool:
        """Whether printed and recomputed are the same at the two decimals that analyze prints."""
        both = self.value is not None and self.recomputed is not None
        return both and abs(float(self.value or 0) - float(self.recomputed or 0)) < 0.0051

    @property
    def best(self) -> float | None:
        """The printed number, or the recomputed one where none is printed."""
        return self.value if self.value is not None else self.recomputed


@dataclass(frozen=True, slots=True)
class SourceLine:
    """Refused operators of one source line (1-based)."""

    line: int
    function: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A source file with the lines that call something refused, in order."""

    file: str
    lines: tuple[SourceLine, ...]


@dataclass(frozen=True, slots=True)
class Version:
    """A package as the report prints it, and the SDK release that ships it."""

    package: str
    version: str
    sdk: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """One operator in two reports; None where a report does not have it."""

    kind: str
    before: Operator | None
    after: Operator | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became better or worse since an older report of the same model."""

    path: str
    before: Share
    better: tuple[Change, ...]
    worse: tuple[Change, ...]
    versions: tuple[tuple[str, str, str], ...]
    """Package, version before, version now; only those that differ."""
    gone: tuple[str, ...] = ()
    """Operators that the older report counts and the newer does not."""
    new: tuple[str, ...] = ()
    same_model: bool = True
    """Whether the two share most of their operators; two models cannot be compared operator by operator."""
    coarse: bool = False
    """Whether one report lists instructions (verbosity 1) and the other only call sites, which alone are compared."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The whole answer for one result.json."""

    result: Result
    target: str
    share: Share
    operators: tuple[Operator, ...]
    reasons: tuple[Reason, ...]
    sources: tuple[SourceFile, ...]
    versions: tuple[Version, ...]
    notes: tuple[str, ...]
    unparsed: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    """Notes on versions that are out of support."""
    log: Diagnosis | None = None
    comparison: Comparison | None = None

    @property
    def refused(self) -> tuple[Operator, ...]:
        return tuple(operator for operator in self.operators if operator.refused)

    @property
    def verdict(self) -> Verdict:
        """`unknown` where the report lists no operator at all and no percentage."""
        if self.refused:
            return "partly" if any(operator.supported for operator in self.operators) else "unsupported"
        sure = bool(self.operators) or self.share.value == 100
        said = self.share.value if self.share.printed is not None else 100
        return "supported" if sure and said == 100 else "unknown"

    @property
    def log_failed(self) -> bool:
        """Whether the compile log of the same run holds an error: then no percentage is good news."""
        return self.log is not None and self.log.verdict == "failed"
