"""Watches growing files and gives each finding once, soon after its line is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
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
        """Diagnoses that hold only findings not told before. Ends, after a last look, when `stop` says so."""
        telling = self._telling()
        looked = -_LOOK_AGAIN
        while not self.stop():
            started = self.clock()
            if started - looked >= _LOOK_AGAIN:
                self.flock.look()
                looked = started
            due = yield from self._told(self.flock.news(), telling)
            self._note()
            if due:
                self.sleep(max(POLL, _REST * (self.clock() - started)))
            elif not self.flock.behind:
                self.sleep(POLL)
        yield from self._told(self.flock.news(), telling)
        yield from self._told(self.flock.rests(), telling)

    def _told(self, news: Mapping[str, bytes], telling: frozenset[int]) -> Generator[Diagnosis, None, bool]:
        """What is new in files in which something may tell of a failure; returns whether there are such files."""
        due = [name for name, text in news.items() if self._tells(text, telling)]
        if due and (fresh := self._fresh(due)).findings:
            yield fresh
        return bool(due)

    def _note(self) -> None:
        for path, fault in self.flock.faults().items():
            if (path, fault) not in self.noted and len(self.noted) < _MOST_KNOWN:
                self.noted.add((path, fault))
                self.note(f"{path}: {fault}")

    def _telling(self) -> frozenset[int]:
        """The patterns that may belong to a failure: not those of the environment, of harmless entries, of progress."""
        aside = {*self.catalog.sorts.marks, *self.catalog.sorts.facts}
        return frozenset(
            number
            for number, owners in enumerate(self.catalog.owners)
            if number not in aside and not all(self._harmless(kind, owner) for kind, owner, _ in owners)
        )

    def _harmless(self, kind: str, owner: int) -> bool:
        known = self.catalog
        return kind == "environment" or (
            kind == "rule" and known.briefs[known.rules[owner].entry]["severity"] == "benign"
        )

    def _tells(self, text: bytes, telling: frozenset[int]) -> bool:
        return any(number in telling for _, number in self.catalog.engine.scan(text))

    def _fresh(self, due: list[str]) -> Diagnosis:
        files = {name: self.flock.files[name] for name in due}
        diagnosis = diagnose([(name, [file.text]) for name, file in files.items()], self.catalog)
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
