"""Measures the one-screen answer: lines at 80 columns, and whether the words of the deciding line are on it.

    python eval/screen.py [CORPUS] [--misses]

Without a corpus: over `samples/`, where the deciding line is the first one of the `.expect` beside a log. CORPUS holds
`records/*.yaml` with `log` or `log_file`, `key_line` and `key_alternatives`. Logs are read as the command reads them.
Prints shares, the last one of those answers only whose root is the deciding line: what the screen itself loses. The
exit status is 1 where fewer than 95 % of the answers fit 20 lines, one is longer than 24, the words of fewer than 97 %
are on the screen, or of fewer than 99 % where the root is right. `--misses` lists the others.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from neurontriage.errors import TriageError
from neurontriage.incident import Way, read
from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.model import Diagnosis
from neurontriage.render.audience import Audience, addressed
from neurontriage.render.message import essence
from neurontriage.reports import terminal

SAMPLES = Path(__file__).parents[1] / "samples"
_WORD = re.compile(r"\w\w+")
_ENOUGH = 0.8


@dataclass(frozen=True)
class Case:
    """One log with the lines that a fair reader accepts as the one that states the cause; () where none does."""

    name: str
    log: str
    keys: tuple[str, ...] = ()


def samples() -> Iterator[Case]:
    """The shipped samples."""
    for path in sorted(SAMPLES.rglob("*.expect")):
        log = path.with_suffix(".log").read_text(encoding="utf-8", errors="replace")
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()]
        root = next((line for line in lines if line[-1] == "root"), None)
        yield Case(path.stem, log, (log.split("\n")[int(root[0]) - 1],) if root else ())


def records(corpus: Path) -> Iterator[Case]:
    """The failures of a corpus."""
    for path in sorted((corpus / "records").glob("*.yaml")):
        record = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        log = record.get("log")
        if record.get("log_file"):
            places = [corpus / folder / record["log_file"] for folder in ("records", "whole", "")]
            log = next(place for place in places if place.is_file()).read_text(encoding="utf-8", errors="replace")
        keys = (record["key_line"], *(record.get("key_alternatives") or ())) if record["severity"] == "error" else ()
        yield Case(path.stem, log, tuple(map(str, keys)))


def told(key: str, screen: str) -> bool:
    """Whether so many of the line's words are on the screen that one knows what it says."""
    words, pressed = _WORD.findall(essence(key)), re.sub(r"[\s│]", "", screen)
    return not words or sum(word in pressed for word in words) >= _ENOUGH * len(words)


def right(key: str, diagnosis: Diagnosis, log: str) -> bool:
    """Whether the line is among those that a root is seen in."""
    lines, wanted = log.split("\n"), _pressed(key)
    places = [one for root in diagnosis.roots for one in root.evidence]
    seen = [_pressed("\n".join(lines[one.line - 1 : one.end_line])) for one in places]
    return bool(wanted) and any(wanted in text or (text and text in wanted) for text in seen)


def _pressed(text: str) -> str:
    return re.sub(r"\s", "", text)


def answer(case: Case, catalog: Catalog, folder: Path) -> Diagnosis:
    """What the command finds in the log of a case."""
    path = folder / "answer.log"
    path.write_text(case.log, encoding="utf-8")
    return read([str(path)], catalog, Way(follow=None)).diagnoses[0]


@dataclass
class Tally:
    """Lengths of answers, and of how many the deciding words are on the screen: all, and where the root is right."""

    lengths: Counter[int] = field(default_factory=Counter)
    words: Counter[bool] = field(default_factory=Counter)
    kept: Counter[bool] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)

    def take(self, case: Case, diagnosis: Diagnosis) -> None:
        """Count one answer."""
        text = terminal.render(diagnosis)
        self.lengths[text.count("\n")] += 1
        if not case.keys:
            return
        shown = any(told(key, text) for key in case.keys)
        rooted = any(right(key, diagnosis, case.log) for key in case.keys)
        self.words[shown] += 1
        if rooted:
            self.kept[shown] += 1
        if not shown:
            self.misses.append(f"{case.name}: {'root is right' if rooted else 'another root'}")

    def report(self) -> int:
        """Print the shares; 1 where a promise does not hold."""
        fits = sum(n for lines, n in self.lengths.items() if lines <= terminal.LINES) / self.lengths.total()
        longest = max(self.lengths)
        seen, kept = (one[True] / (one.total() or 1) for one in (self.words, self.kept))
        print(
            f"{self.lengths.total()} answers: {fits:.1%} in {terminal.LINES} lines, the longest {longest}; words on "
            f"screen {seen:.1%} of {self.words.total()}, {kept:.1%} of the {self.kept.total()} with the right root"
        )
        return int(fits < 0.95 or longest > 24 or seen < 0.97 or kept < 0.99)


def main(arguments: list[str]) -> int:
    """Measure, print, and say by the exit status whether the promises hold."""
    catalog = load()
    catalog.warm()
    folders = [Path(one) for one in arguments if not one.startswith("-")]
    tally = Tally()
    with addressed(Audience(80)), tempfile.TemporaryDirectory() as folder:
        for case in records(folders[0]) if folders else samples():
            try:
                tally.take(case, answer(case, catalog, Path(folder)))
            except TriageError as error:
                print(f"{case.name}: {error.message}")
    if "--misses" in arguments:
        print("\n".join(tally.misses))
    return tally.report()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
