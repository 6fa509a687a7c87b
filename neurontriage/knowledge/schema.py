"""What a knowledge entry may say: the strict schema of `knowledge/<layer>/<id>.yaml`."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from neurontriage.lines.linear import fault_of
from neurontriage.render.shorten import heading

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
EntryId = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9]*(?:-[A-Za-z0-9_]+)+$", max_length=60)]
Layer = Literal[
    "compiler",
    "runtime",
    "framework",
    "collectives",
    "driver",
    "install",
    "cache",
    "host",
    "model-code",
    "kubernetes",
]
Stack = Literal[
    "torch-neuronx",  # PyTorch on Trainium and Inf2 by way of XLA (to SDK 2.31)
    "torchneuron",  # PyTorch on Neuron without XLA (TorchNeuron)
    "torch-xla",
    "torch-neuron",  # PyTorch on Inf1
    "jax",
    "tensorflow-neuronx",
    "tensorflow-neuron",  # Inf1
    "mxnet-neuron",  # Inf1
    "neuron-cc",  # the compiler of Inf1
    "nki",
    "nxd",
    "nxdi",
    "vllm",
    "optimum-neuron",
    "transformers-neuronx",
    "transformers",
    "nemo",
    "lightning",
    "djl",
    "torchserve",
    "sagemaker",
    "ray",
    "slurm",
]
# Commands that nobody writes by hand: see neurontriage/knowledge/snippets.py.
Snippet = Literal["upgrade-compiler", "upgrade-inf1", "upgrade-nki", "install"]
# An era: a package with a version bound ("nki<0.1", "sdk<=2.31"), or a name for what has no version of its own.
Era = Annotated[str, StringConstraints(pattern=r"^(?:inf1|xrt|[a-z][a-z0-9-]*(?:<=|<|>=|>)\d+(?:\.\d+)*)$")]
Url = Annotated[str, StringConstraints(pattern=r"^https://[^\s<>\"']+$")]
# What a record of several lines says of itself: the words of the line that names the reason.
_OF_RECORDS = {"reason"}


def _sound(text: str | None) -> str | None:
    """A pattern as it is, if it suits a linear-time engine."""
    fault = fault_of(text) if text is not None else None
    if fault:
        raise ValueError(fault)
    return text


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Match(_Strict):
    """One alternative: every condition given must hold for one record.

    `text` is searched in the record's lines (`^`/`$` mean the payload behind launcher prefixes) and its
    named groups become fields; `fields` are compared as whole values with those the grammar found, "" with none.
    """

    family: str | None = None
    kind: str | None = None
    fields: dict[str, str] = {}
    text: str | None = None

    _text = field_validator("text")(_sound)

    @model_validator(mode="after")
    def _has_condition(self) -> Match:
        if self.text is None and not self.family:
            raise ValueError("give `text`, or a `family` with `fields` or `kind`")
        return self


class When(_Strict):
    """Conditions on the whole log: entries of which one must be seen, entries that must not be seen.

    `repaired`: entries that say that it was repaired, where they come after it.
    """

    seen: tuple[EntryId, ...] = ()
    unseen: tuple[EntryId, ...] = ()
    repaired: tuple[EntryId, ...] = ()


class WorkaroundText(_Strict):
    """One thing to do, as written in an entry. `snippet`: a command that is computed for the log's own versions.

    `fills`: kinds of use of the device memory (as its table prints them) of which one must prevail for this to help.
    `always`: it is needed, too, where the failure is only a consequence of another one (what that left behind stays).
    `suits`: a pattern of the line's words for the one case that it is meant for: elsewhere it comes after the others.
    """

    title: Text
    kind: Literal["code", "flag", "env", "upgrade", "config", "resource", "report"]
    detail: str = ""
    before: str | None = None
    after: str | None = None
    snippet: Snippet | None = None
    since: str | None = None
    short: str = Field(default="", max_length=140)
    fills: tuple[str, ...] = ()
    always: bool = False
    suits: str | None = None

    @field_validator("suits")
    @classmethod
    def _simple(cls, text: str | None) -> str | None:
        """It is searched in a few lines only: it needs no literal of its own."""
        flags = "(?i)" if (text or "").startswith("(?i)") else ""
        _sound(text and f"{flags}case (?:{text.removeprefix(flags)})")
        return text


class OutcomeText(_Strict):
    """What a check may show, what that means, and the title of the workaround that it leads to."""

    seen: Text
    means: Text
    workaround: str | None = None


class CheckText(_Strict):
    """One read-only look before anything is changed."""

    look: Text
    command: str | None = None
    outcomes: tuple[OutcomeText, ...] = ()


class LinkText(_Strict):
    """Where it is documented or discussed. `says`: in our words, what its text states about versions."""

    url: Url
    title: Text
    state: Literal["open", "closed"] | None = None
    says: str | None = None


class SourceText(_Strict):
    """Where the message stands: lines of a file of an open repository at a commit, or a public thread.

    `digest` is that of the passage: `sha256:` and 16 hexadecimal digits over its words joined by single blanks.
    """

    repo: Annotated[str, StringConstraints(pattern=r"^[\w.-]+/[\w.-]+$")] | None = None
    file: str | None = None
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{10,40}$")] | None = None
    lines: Annotated[str, StringConstraints(pattern=r"^\d+(?:-\d+)?$")] | None = None
    thread: Url | None = None
    digest: Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{16}$")]

    @model_validator(mode="after")
    def _whole(self) -> SourceText:
        place = (self.repo, self.file, self.commit, self.lines)
        if (self.thread is None) == (None in place) or (self.thread is not None and any(place)):
            raise ValueError("give `thread`, or all of repo, file, commit and lines")
        return self


class Bound(_Strict):
    """One OSV event: exactly one of the three, with a version as the package prints it ("0" = from the start)."""

    introduced: str | None = None
    fixed: str | None = None
    last_affected: str | None = None

    @model_validator(mode="after")
    def _one(self) -> Bound:
        if sum(v is not None for v in (self.introduced, self.fixed, self.last_affected)) != 1:
            raise ValueError("give exactly one of introduced, fixed, last_affected")
        return self


class Range(_Strict):
    """Ordered events of one package: neuronx-cc, neuron-cc, torch-neuronx, torch-xla, runtime, driver, sdk, …

    `open`: why it has no end, for a range that is not fixed: who said so, and when.
    """

    package: Text
    events: tuple[Bound, ...] = Field(min_length=1)
    open: str = ""


class Entry(_Strict):
    """One failure (or harmless message): how it is recognised, what it means, what helps, what proves it.

    `stack` narrows a plain pattern to logs of these programs, `applies` to eras; `behaviour` says, for what works as
    designed, since when and why there is no fix to wait for.  `fallback`: a class so wide (any ValueError, say) that
    every other entry wins against it, a wrapper too. `reason`: it explains what a line states as its reason, whatever
    program prints it, or else the program that says it: it claims no line, and is asked only about a root cause that no
    other entry explains, or only one that `gives_way`, as it passes on what the line says. `halts`: it ends a run only
    where nothing goes on below it. `passes_on`: it knows which step failed, and its line says why: that is told, too.
    `nrt`: statuses of the runtime, name and number, in all the ways in which they are printed (statuses.py). `order`:
    why the workarounds do not stand in the order of their cost.
    """

    id: EntryId
    title: Text
    aliases: tuple[str, ...] = ()
    layer: Layer
    severity: Literal["error", "warning", "benign"]
    role: Literal["root", "wrapper", "symptom", "benign"]
    status: Literal["draft", "tested", "stable"]
    stack: tuple[Stack, ...] = ()
    applies: tuple[Era, ...] = ()
    general: bool = False
    fallback: bool = False
    reason: bool = False
    gives_way: bool = False
    passes_on: bool = False
    halts: bool = False
    match: tuple[Match, ...] = ()
    nrt: dict[Annotated[str, StringConstraints(pattern=r"^NRT_[A-Z_]+$")], int] = {}
    when: When = When()
    explains: tuple[str, ...] = ()
    cause: Text
    not_proof: str = ""
    check: CheckText | None = None
    order: str = ""
    workarounds: tuple[WorkaroundText, ...] = ()
    done_when: str = ""
    escalate: str = ""
    blast_radius: str = ""
    behaviour: str = ""
    affected: tuple[Range, ...] = ()
    fixed_in: dict[str, str] = {}
    links: tuple[LinkText, ...] = Field(min_length=1)
    sources: tuple[SourceText, ...] = ()
    repro: EntryId | None = None
    examples: tuple[Text, ...] = Field(min_length=1)
    near_misses: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Entry:
        if not self.match and not self.nrt:
            raise ValueError("give `match`, or `nrt` for statuses of the runtime")
        if (self.role == "benign") != (self.severity == "benign"):
            raise ValueError("role benign and severity benign go together")
        if self.fallback and not self.general:
            raise ValueError("a fallback is an answer for a class: general")
        if self.gives_way and not self.fallback:
            raise ValueError("what gives way to a stated reason is a fallback")
        if not self.reason and any(one.text is None and not one.fields and one.kind is None for one in self.match):
            raise ValueError("give `text`, or a `family` with `fields` or `kind`")
        if self.passes_on and not self.general:
            raise ValueError("what passes on the words of what failed in it is general")
        if self.reason and not self._explains_reasons():
            raise ValueError("a reason is a general root of severity error, found by `text` or by `family` alone")
        if self.severity == "error" and self.role == "root" and not self.workarounds:
            raise ValueError("a root cause needs at least one workaround")
        names = set(re.findall(r"\{(\w+)\}", self.title))
        groups = _OF_RECORDS | {g for m in self.match for g in re.findall(r"\(\?P<(\w+)>", m.text or "")}
        groups |= ({"name", "status"} if self.nrt else set()) | ({"said"} if self.reason else set())
        if names - groups and not any(m.family for m in self.match):
            raise ValueError(f"title names {sorted(names - groups)}, which no named group captures")
        return self

    def _explains_reasons(self) -> bool:
        asks = self.nrt or self.stack or self.applies or self.explains or any(self.when.model_dump().values())
        simple = all(not match.kind and not match.fields for match in self.match)
        return self.general and (self.severity, self.role) == ("error", "root") and simple and not asks

    @property
    def heading(self) -> str:
        """The title as it reads without a log: what a log fills in becomes an ellipsis, or goes with its brackets."""
        return heading(self.title)

    def plain(self) -> dict[str, Any]:
        """The entry as JSON-ready data without defaults."""
        return self.model_dump(mode="json", exclude_defaults=True)
