"""Watches growing files and gives each finding once, soon after its line is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from neurontriage.knowledge.catalog import Catalog
from neurontriage.live.following import Flock
from neurontriage.model import Diagnosis, Finding
from neurontriage.triage import diagnose

POLL = 0.25
_LOOK_AGAIN = 1.0
_REST = 4.0
_MOST_KNOWN = 10_000


@dataclass
class Watch:
    """What is watched and what was told already. `stop` ends it; `sleep` and `clock` are in seconds.

    `note` is told once of each path where there is nothing to follow, and of why.
    """

    flock: Flock
    catalog: Catalog
    stop: Callable[[], bool]
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    told: dict[tuple[str, str], None] = field(default_factory=dict)
    note: Callable[[str], None] = lambda _: None
    noted: set[tuple[str, str]] = field(default_factory=set)

    def findings(self) -> Iterator[Diagnosis]:
        """Diagnoses that hold only findings not told before. Ends when `stop` says so."""
        telling = self._telling()
        looked = -_LOOK_AGAIN
        while not self.stop():
            started = self.clock()
            if started - looked >= _LOOK_AGAIN:
                self.flock.look()
                looked = started
            due = [name for name, text in self.flock.news().items() if self._tells(text, telling)]
            self._note()
            if due and (fresh := self._fresh(due)).findings:
                yield fresh
            self.sleep(max(POLL, _REST * (self.clock() - started)) if due else POLL)

    def _note(self) -> None:
        for path, fault in self.flock.faults().items():
            if (path, fault) not in self.noted and len(self.noted) < _MOST_KNOWN:
                self.noted.add((path, fault))
                self.note(f"{path}: {fault}")

    def _telling(self) -> frozenset[int]:
        """The patterns that may belong to a failure: all but those of the environment and of harmless entries."""
        found = set()
        for number, owners in enumerate(self.catalog.owners):
            for kind, owner, _ in owners:
                harmless = (
                    kind == "rule" and self.catalog.briefs[self.catalog.rules[owner].entry]["severity"] == "benign"
                )
                if kind != "environment" and not harmless:
                    found.add(number)
        return frozenset(found)

    def _tells(self, text: bytes, telling: frozenset[int]) -> bool:
        return any(number in telling for _, number in self.catalog.engine.scan(text))

    def _fresh(self, due: list[str]) -> Diagnosis:
        files = {name: self.flock.files[name] for name in due}
        diagnosis = diagnose([(name, [file.window]) for name, file in files.items()], self.catalog)
        new = [one for one in diagnosis.findings if one.severity != "benign" and self._new(one)]
        firsts = {name: file.first - 1 for name, file in files.items()}
        return replace(diagnosis, findings=tuple(_numbered(one, firsts) for one in new))

    def _new(self, finding: Finding) -> bool:
        key = (finding.id, finding.title)
        if key in self.told:
            return False
        self.told[key] = None
        if len(self.told) > _MOST_KNOWN:
            del self.told[next(iter(self.told))]
        return True


def _numbered(finding: Finding, firsts: dict[str, int]) -> Finding:
    """The finding with the line numbers of the whole files."""
    moved = [
        one._replace(line=one.line + firsts[one.path], end_line=one.end_line + firsts[one.path])
        for one in finding.evidence
    ]
    return replace(finding, evidence=tuple(moved))
