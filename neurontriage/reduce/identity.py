"""When is a failure the same failure? Entry, fields and message, without what differs between candidates."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from neurontriage.model import Diagnosis, Finding

_PATH = re.compile(r"(?:/[\w.+@-]+){2,}/?")
_STAMP = re.compile(r"\b\d{4}-\d\d-\d\d[T ][\d:.,]+Z?")
_SHAPE = re.compile(r"\[[\d,<=]*\](?:\{[\d,]*\})?")
_NAME = re.compile(r"%[\w.$-]+")
_HEX = re.compile(r"\b[0-9a-f]{8,}\b")
_NUMBER = re.compile(r"\d+")
_VOLATILE = frozenset({"time", "timestamp", "pid", "process", "path", "module", "seconds", "count", "limit", "needed"})
SIZE_ENTRIES = re.compile(
    r"NCC-EVRF0(?:07|09|24)|CC-InstructionLimit|XTP002|NCC-(?:EXSP001|EOOM001|EXTP|IXTP|EBVF030)|F137|GCA030|XCG815"
)
"""Entries about size or memory: shrinking a shape would remove what fails."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What must be the same."""

    entry: str
    fields: tuple[tuple[str, str], ...]
    message: str
    text: str = field(default="", compare=False)
    """The message as it was printed."""

    def __str__(self) -> str:
        return f"{self.entry}: {self.message}"

    @property
    def about_size(self) -> bool:
        """Whether the failure is one of size or memory."""
        return SIZE_ENTRIES.match(self.entry) is not None


def identities(diagnosis: Diagnosis) -> tuple[Identity, ...]:
    """One per root of severity error, in the order of confidence."""
    return tuple(_identity(finding) for finding in diagnosis.roots if finding.severity == "error")


def _identity(finding: Finding) -> Identity:
    fields = sorted((k, normal(v)) for k, v in finding.fields.items() if k not in _VOLATILE)
    text = finding.evidence[0].text if finding.evidence else finding.title
    return Identity(finding.id, tuple(fields), normal(text), text)


def normal(text: str) -> str:
    """A message without times, paths, names of instructions, shapes and numbers that are no part of a word or code."""
    for pattern, mark in ((_STAMP, "<time>"), (_PATH, "<path>"), (_NAME, "%<name>"), (_SHAPE, "[]"), (_HEX, "<hex>")):
        text = pattern.sub(mark, text)
    words = [word if _is_code(word) else _NUMBER.sub("#", word) for word in text.split()]
    return " ".join(words)


def _is_code(word: str) -> bool:
    """`[NCC_EVRF029]`, `TEN404`, `trn2`, `s64`: the number is part of the name."""
    return re.fullmatch(r"\W*(?:NCC_[A-Z]+\d+|[A-Z]{2,}\d+|[A-Za-z]{1,5}\d{1,2})\W*", word) is not None
