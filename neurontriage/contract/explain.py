"""`neurontriage.explain/1`: the JSON of `neurontriage explain --format json`. Fields may be added, never change."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Count = int
Line = int


class Closed(BaseModel):
    """A JSON object of which every key is named here; what is unknown is null, not left out."""

    model_config = ConfigDict(extra="forbid")


class Tool(Closed):
    """Which program and which knowledge base answered."""

    version: str
    knowledge: dict[str, Any]


class Read(Closed):
    """One log as it was read; sizes after decompression."""

    path: str
    bytes: Count
    lines: Count


class Module(Closed):
    """One HLO module; `running`: the log ends without its result."""

    module: str
    status: Literal["passed", "failed", "cached", "running"]
    seconds: float | None


class Recompilation(Closed):
    """A place of the program that compiled several graphs; the tensor whose size changed, if one did."""

    place: str
    graphs: Count
    tensor: str | None
    dimension: Count | None
    sizes: list[Count]


class CompileStatistics(Closed):
    """Seconds of all compilations and of the longest; `share` of the time from the first to the last time stamp."""

    seconds: float | None
    longest: str | None
    longest_seconds: float | None
    share: float | None
    recompilations: list[Recompilation]


class Compile(Closed):
    """The compilations that the log shows."""

    modules: list[Module]
    passed: Count
    failed: Count
    cached: Count
    statistics: CompileStatistics | None


class Why(Closed):
    """What shows that a finding is a consequence."""

    kind: Literal["entry", "chain", "nesting", "exit_of", "peer_of", "same_code"]
    text: str


class Evidence(Closed):
    """Lines that prove a finding, 1-based, counted as `grep -n` does."""

    path: str
    line: Line
    end_line: Line
    text: str
    time: str | None
    rank: int | None


class Workaround(Closed):
    """One thing to do; `short` keeps its warning in at most 140 characters."""

    title: str
    kind: str
    detail: str
    before: str | None
    after: str | None
    since: str | None
    short: str | None


class Link(Closed):
    """Where a failure is documented or discussed."""

    url: str
    title: str
    state: str | None


class Outcome(Closed):
    """What a check may show and what that means."""

    seen: str
    means: str
    workaround: str | None


class Check(Closed):
    """One read-only look before anything is changed."""

    look: str
    command: str | None
    outcomes: list[Outcome]


class Finding(Closed):
    """What was found: root causes first, then consequences, warnings, benign messages."""

    id: str
    known: bool
    recognised: bool
    general: bool
    title: str
    layer: str
    severity: Literal["error", "warning", "benign"]
    role: Literal["root", "consequence", "context"]
    caused_by: str | None
    why: Why | None
    confidence: float = Field(ge=0, le=1)
    count: Count = Field(ge=1)
    fields: dict[str, str]
    evidence: list[Evidence] = Field(max_length=10)
    cause: str
    not_proof: str
    check: Check | None
    workarounds: list[Workaround]
    done_when: str | None
    escalate: str | None
    blast_radius: str | None
    stack: list[str]
    links: list[Link]
    fixed_in: dict[str, str] | None
    affects: str | None
    repro: str | None
    ranks: list[int]


class Suspect(Closed):
    """A line that may state the cause, when no root is known."""

    path: str
    line: Line
    text: str
    why: str


class Ranks(Closed):
    """Who failed in a distributed run."""

    first_failed: int | None
    failed: list[int]
    waited: list[int]
    silent: list[int]


class Run(Closed):
    """One of several runs in one file."""

    path: str
    line: Line
    end_line: Line
    verdict: Literal["failed", "warned", "clean", "unknown", "empty"]


class Example(Closed):
    """A line of a known family that was not understood."""

    path: str
    line: Line
    text: str


class Unparsed(Closed):
    """How many such lines there are, and a few of them."""

    lines: Count
    examples: list[Example]


class Answer(BaseModel):
    """The whole document. `compile`, `ranks` and `runs` are left out where the log shows none."""

    model_config = ConfigDict(extra="forbid", title="neurontriage.explain/1")

    schema_: Literal["neurontriage.explain/1"] = Field(alias="schema")
    tool: Tool
    inputs: list[Read]
    verdict: Literal["failed", "warned", "clean", "unknown", "empty"]
    environment: dict[str, str | list[str]]
    compile: Compile | None = None
    findings: list[Finding]
    suspects: list[Suspect]
    ranks: Ranks | None = None
    runs: list[Run] | None = None
    collect: list[str]
    unparsed: Unparsed
    notes: list[str]
    silenced: list[str]
