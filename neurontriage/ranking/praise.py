"""Good words: which logger said last that something went well, and of what it was said by its name."""

from __future__ import annotations

from dataclasses import dataclass, field

from neurontriage.claims.claim import Claim
from neurontriage.claims.endings import process_of
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip

_HEAD, _LONGEST = 4, 400
_NAME = expression(r"(?<![\w/.])[A-Za-z][A-Za-z_]{5,}(?![\w/.])")
# Words that stand in lines of any program, whatever they speak of.
# fmt: off
_ANY_WORD = frozenset({
    "failed", "failure", "success", "successful", "successfully", "succeeded", "completed", "finished", "passed",
    "process", "processes", "training", "command", "python", "working", "worker", "workers", "status", "system",
    "artifacts", "artifact", "upload", "uploaded", "directory", "before", "because", "should", "cannot", "running",
    "started", "checkpoint", "saving", "exited", "return", "returned", "result", "server", "application",
})
# fmt: on
Subject = tuple[object, ...]


@dataclass(eq=False, repr=False)
class Praise:
    """The last good word of each logger of a process, and of each name in each log."""

    last: dict[Subject, int] = field(default_factory=dict)

    def note(self, claim: Claim) -> None:
        """Take in a claim that calls something good."""
        for subject in _subjects(claim):
            self.last[subject] = max(claim.last, self.last.get(subject, 0))

    def below(self, claim: Claim, line: int) -> bool:
        """Whether something good is said below a line by the logger of a claim, or of what the claim names."""
        return any(line < self.last.get(subject, 0) for subject in _subjects(claim))


def _subjects(claim: Claim) -> list[Subject]:
    """Who says a claim, where it has a level: the process, and what a line of its logger begins with; what it names."""
    text, path = claim.event.evidence.text, claim.event.evidence.path
    words = {word.lower() for word in _NAME.findall(strip(text).payload[:_LONGEST])} - _ANY_WORD
    names: list[Subject] = [(path, word) for word in words]
    return [(*process_of(claim.event), _shape(text[:_HEAD])), *names] if claim.event.said.level else names


def _shape(head: str) -> str:
    """What a line begins with: letters, digits or signs."""
    return "".join("a" if one.isalpha() else "0" if one.isdigit() else one for one in head)
