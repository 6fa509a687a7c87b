"""What the answer is made of: findings, what shows them, what helps; modules, ranks, runs; the Diagnosis."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from neurontriage.model.reading import Evidence, Source

Severity = Literal["error", "warning", "benign"]
Role = Literal["root", "consequence", "context"]
ModuleStatus = Literal["passed", "failed", "cached", "running"]
Verdict = Literal["failed", "warned", "clean", "unknown", "empty"]
NOTHING_NEW = "no line is new"
"""What `Diagnosis.against` says where good runs print every line of the log too."""
CUT_OFF = "the log ends within the traceback of which it is a line"
"""Why a line is suspected of which nobody knows what it led to."""
STATED = "Do what the line itself says"
"""The title of a fix that consists of words of the log: they know no other language."""
LISTED = "Give one of the values that the line names"
"""The title of a fix that consists of what a line lists as allowed, in its words."""
HELD = "End the process that holds it, or wait until it ends"
"""The title of a fix that names the process which the log shows to hold what is in use."""
EdgeKind = Literal["entry", "chain", "nesting", "exit_of", "peer_of", "same_code"]


@dataclass(frozen=True, slots=True)
class Workaround:
    """One thing to do. `before`/`after` are code or command lines, `since` the version it works from.

    `short`: at most 140 characters that keep its warning, for where there is room for one line only.
    `snippet`: the name of the computed command that `after` holds (neurontriage/knowledge/snippets.py).
    `fills`: what fills the device memory where this helps; where something else does, it comes later.
    `always`: it is needed, too, where the failure is only a consequence of another one.
    `suits`: the words of the only case that it is meant for.
    """

    title: str
    kind: str
    detail: str = ""
    before: str | None = None
    after: str | None = None
    since: str | None = None
    short: str = ""
    snippet: str | None = None
    fills: tuple[str, ...] = ()
    always: bool = False
    suits: str | None = None


class Link(NamedTuple):
    """Where a failure is documented or discussed; `state` is open, closed or None for a page.

    `says`: what its text states about versions, in our words.
    """

    url: str
    title: str
    state: str | None = None
    says: str | None = None


class Outcome(NamedTuple):
    """What a check may show, what that means, and the title of the workaround that it leads to, if to one."""

    seen: str
    means: str
    workaround: str | None = None


class Check(NamedTuple):
    """One read-only look before anything is changed; `command` is None where there is nothing to run."""

    look: str
    command: str | None = None
    outcomes: tuple[Outcome, ...] = ()


class Why(NamedTuple):
    """What shows that a finding is a consequence: the kind of the edge, and a sentence for the reader."""

    kind: EdgeKind
    text: str


class Suspect(NamedTuple):
    """A line that may state the cause, when no root is known or the margin is small."""

    path: str
    line: int
    text: str
    why: str


class Ranks(NamedTuple):
    """Who failed in a distributed run: rank numbers in ascending order, None where no rank failed."""

    first_failed: int | None
    failed: tuple[int, ...] = ()
    waited: tuple[int, ...] = ()
    silent: tuple[int, ...] = ()


class Run(NamedTuple):
    """One of several runs that were appended to one file; the last one is diagnosed."""

    path: str
    line: int
    end_line: int
    verdict: Verdict


class Sighting(NamedTuple):
    """Where a rank, or a log without ranks, printed a finding first; `time` in seconds since 1970, None if unknown."""

    path: str
    rank: int | None
    line: int
    time: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What an event means. `known` is False when no entry explains it; then `id` names the family.

    `by_reason`: no entry knows the message; what is explained is the reason that it states, or the program it is of.
    `because`: the entry for the reason that its line passes on; the texts of that stand first.
    """

    id: str
    known: bool
    title: str
    layer: str
    severity: Severity
    role: Role
    confidence: float
    count: int
    fields: Mapping[str, str]
    evidence: tuple[Evidence, ...]
    cause: str = ""
    not_proof: str = ""
    workarounds: tuple[Workaround, ...] = ()
    links: tuple[Link, ...] = ()
    caused_by: str | None = None
    why: Why | None = None
    check: Check | None = None
    done_when: str = ""
    escalate: str = ""
    blast_radius: str = ""
    stack: tuple[str, ...] = ()
    fixed_in: Mapping[str, str] | None = None
    affects: str | None = None
    repro: str | None = None
    ranks: tuple[int, ...] = ()
    sightings: Sequence[Sighting] = ()
    general: bool = False
    by_reason: bool = False
    because: str = ""

    @property
    def recognised(self) -> bool:
        """Whether an entry knows the message itself."""
        return self.known and not self.by_reason


class Module(NamedTuple):
    """One HLO module seen in the log and what became of it; `seconds` None where no time is printed."""

    module: str
    status: ModuleStatus
    seconds: float | None = None
    started: str | None = None


class Recompilation(NamedTuple):
    """A place of the program (function or frame) that compiled `graphs` graphs; the tensor whose size changed, if any.

    `sizes` of dimension `dimension` (counted from 0), in ascending order.
    """

    place: str
    graphs: int
    tensor: str | None = None
    dimension: int | None = None
    sizes: tuple[int, ...] = ()


class CompileStatistics(NamedTuple):
    """What the log says about compiling. Times in seconds; `share`: of the time from its first to its last time stamp.

    A value is None where the log prints no times.
    """

    compiled: int = 0
    failed: int = 0
    cached: int = 0
    seconds: float | None = None
    longest: str | None = None
    longest_seconds: float | None = None
    share: float | None = None
    recompilations: tuple[Recompilation, ...] = ()


class Unparsed(NamedTuple):
    """Lines that looked like a known family but did not parse: counted, a few shown, none dropped."""

    lines: int = 0
    examples: tuple[tuple[str, int, str], ...] = ()


_ALL_PARSED = Unparsed()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The whole answer for one incident; reports are pure functions of it."""

    inputs: tuple[Source, ...]
    findings: tuple[Finding, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    modules: tuple[Module, ...] = ()
    compiles: CompileStatistics | None = None
    unparsed: Unparsed = _ALL_PARSED
    knowledge: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    silenced: tuple[str, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    ranks: Ranks | None = None
    runs: tuple[Run, ...] = ()
    against: tuple[str, ...] = ()
    collect: tuple[str, ...] = ()
    ended_well: bool = False

    @property
    def verdict(self) -> Verdict:
        """`failed` with an error finding, `warned` with warnings only, `clean` when something known ran and ended well.

        `empty`: no content; `unknown`: nothing in the log was recognised.
        """
        found = {finding.severity for finding in self.findings}
        if "error" in found or "warning" in found:
            return "failed" if "error" in found else "warned"
        if not any(source.bytes for source in self.inputs):
            return "empty"
        return "clean" if self.ended_well else "unknown"

    def _repr_html_(self) -> str:
        return self._shown("_repr_html_")

    def _repr_markdown_(self) -> str:
        return self._shown("_repr_markdown_")

    def _shown(self, how: str) -> str:
        """What a notebook shows; it asks the value, and the room that draws it stands far behind this one."""
        return str(getattr(importlib.import_module("neurontriage.agents.cells"), how)(self))

    @property
    def roots(self) -> tuple[Finding, ...]:
        """The error findings that nothing else in the log explains, the most likely first."""
        return tuple(f for f in self.findings if f.role == "root" and f.severity == "error")
