"""`neurontriage.report/1`: the JSON of `neurontriage report --format json`. Fields may be added, never change."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from neurontriage.contract.explain import Closed, Count, Line, Link, Workaround

Support = Literal["unsupported", "partly", "supported"]


class Program(Closed):
    """The program that answered, by its version."""

    version: str


class Input(Closed):
    """The report that was read: which of both public forms, and whether it lists HLO instructions (verbosity 1)."""

    path: str
    form: Literal["training", "inference"] = Field(alias="schema")
    hlo: bool


class Percentage(Closed):
    """As printed, and as recomputed from the lists (0 to 100); null where the report does not allow it."""

    printed: str | None
    value: float | None
    recomputed: float | None
    unit: str
    supported: Count | None
    total: Count | None
    agrees: bool | None


class Version(Closed):
    """A package version as printed, and the SDK release that ships it."""

    version: str
    sdk: str | None


class Operator(Closed):
    """An aten operator; `refused` counts its instructions where the report lists them, else its uses."""

    kind: str
    support: Support
    supported: Count
    refused: Count
    refused_uses: Count
    refused_instructions: Count


class Place(Closed):
    """One refused use: the user's innermost frame (line 1-based) and the call as printed."""

    operator: str
    stage: str
    file: str | None
    line: Line | None
    call: str


class Array(Closed):
    """Element type, dimensions as printed (`4`, `<=4`, `?`), layout."""

    dtype: str
    dims: list[str]
    layout: str | None


class Instruction(Closed):
    """An HLO instruction whose form is known; tuples are flattened into their arrays."""

    opcode: str
    dtypes: list[str]
    result: list[Array]
    operands: list[Array]
    attributes: dict[str, str]


class Hlo(Closed):
    """One refused HLO instruction as printed, and the operator it was lowered from."""

    instruction: str
    operator: str
    parsed: Instruction | None


class Advice(Workaround):
    """One thing to do; `snippet` names a computed command."""

    snippet: str | None


class Source(Link):
    """Where it is documented or discussed; `says`: what its text states about versions."""

    says: str | None


class Reason(Closed):
    """What stops operators, and all that it stops; `supported_from`: versions that announce support."""

    id: str
    known: bool
    title: str
    cause: str
    seen: list[str]
    basis: list[Literal["instruction", "graph", "name"]]
    operators: list[str]
    places: list[Place]
    hlo: list[Hlo]
    workarounds: list[Advice]
    links: list[Source]
    repro: str | None
    supported_from: dict[str, str] | None


class SourceLine(Closed):
    """Refused operators of one source line."""

    line: Line
    operators: list[str]


class SourceFile(Closed):
    """A source file with the lines that call something refused."""

    file: str
    lines: list[SourceLine]


class Unparsed(Closed):
    """Instructions whose form is not known: how many, and the first of them."""

    instructions: Count
    examples: list[str]


class Change(Closed):
    """A package version in both reports."""

    before: str
    now: str


class Comparison(Closed):
    """What changed since an older report (`--compare`): operators by name."""

    path: str
    percentage_before: float | None
    better: list[str]
    worse: list[str]
    gone: list[str]
    new: list[str]
    same_model: bool
    versions: dict[str, Change]


class Fix(Closed):
    """What helps against a finding of the log."""

    title: str
    detail: str


class Said(Closed):
    """A finding of the compile log (`--log`), and the refused operators that it names."""

    id: str
    title: str
    severity: Literal["error", "warning", "benign"]
    role: Literal["root", "consequence", "context"]
    operators: list[str]
    workarounds: list[Fix]


class Report(BaseModel):
    """The whole document. `comparison` and `log` are left out where they were not asked for."""

    model_config = ConfigDict(extra="forbid", title="neurontriage.report/1")

    schema_: Literal["neurontriage.report/1"] = Field(alias="schema")
    tool: Program
    input: Input
    verdict: Literal["supported", "partly", "unsupported", "unknown"]
    headline: str
    percentage: Percentage
    versions: dict[str, Version]
    operators: list[Operator]
    reasons: list[Reason]
    sources: list[SourceFile]
    notes: list[str]
    ended: list[str]
    unparsed: Unparsed
    unknown_fields: list[str]
    not_shown: str | None
    comparison: Comparison | None = None
    log: list[Said] | None = None
