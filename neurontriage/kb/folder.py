"""A folder of logs, one incident for each file: how the knowledge base does on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis
from neurontriage.read.inputs import find
from neurontriage.triage import explain


@dataclass
class Coverage:
    """How many logs got which kind of answer; `won` counts findings by entry, `lines` the roots without an entry."""

    answers: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)

    def add(self, path: str, diagnosis: Diagnosis) -> None:
        """Count one log by the answer that it got."""
        root = diagnosis.roots[0] if diagnosis.roots else None
        self.won.update(one.id for one in diagnosis.findings if one.known)
        if root is None:
            self.answers[f"no failure ({diagnosis.verdict})"] += 1
        elif not root.recognised:
            self.answers["an answer for its reason" if root.known else "no answer"] += 1
            self.lines.append(f"{path}:{root.evidence[0].line}: {root.evidence[0].text[:160]}")
        elif root.general:
            self.answers["an answer for the class"] += 1
            self.classes[root.id] += 1
        else:
            self.answers["a particular answer"] += 1


def coverage(folder: Path, catalog: Catalog) -> Coverage:
    """Explain every log below a folder by itself. Raises TriageError when there is none."""
    covered = Coverage()
    for path, diagnosis in _diagnoses(folder, catalog):
        covered.add(path, diagnosis)
    if not covered.answers:
        raise TriageError("no-logs", f"{folder}: no log in it", "a folder with logs", "name another folder")
    return covered


def _diagnoses(folder: Path, catalog: Catalog) -> Iterator[tuple[str, Diagnosis]]:
    for one in find([str(folder)]):
        yield one.name, explain([one], catalog)


def table(covered: Coverage) -> Iterator[str]:
    """The report of `kb coverage`, line by line."""
    total = sum(covered.answers.values())
    yield f"{total} logs"
    for answer, count in covered.answers.most_common():
        yield f"{count:6} {100 * count / total:5.1f} %  {answer}"
    yield from _listed("Answers for a class, by entry", [f"{n:6}  {name}" for name, n in covered.classes.most_common()])
    yield from _listed("Roots that no entry explains", covered.lines)


def _listed(heading: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield heading
        yield from (f"  {line}" for line in lines)
