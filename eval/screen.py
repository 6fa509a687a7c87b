"""Measures the one-screen answer: lines at 80 columns, and whether the words of the deciding line are on it.

    python eval/screen.py [CORPUS]

Without a corpus: over `samples/`, where the deciding line is the first one of the `.expect` beside a log. CORPUS holds
`records/*.yaml` with `log` or `log_file`, `key_line` and `key_alternatives`. Prints shares; the exit status is 1 where
fewer than 95 % of the answers fit 20 lines, one is longer than 24, or the words of fewer than 97 % are on the screen.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from neurontriage.errors import TriageError
from neurontriage.knowledge import database
from neurontriage.knowledge.catalog import load
from neurontriage.render.audience import Audience, addressed
from neurontriage.render.message import essence
from neurontriage.reports import terminal
from neurontriage.triage import explain_text

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


def main(arguments: list[str]) -> int:
    """Measure, print, and say by the exit status whether the promises hold."""
    catalog = load()
    database.warm(catalog.patterns)
    lengths: Counter[int] = Counter()
    words: Counter[bool] = Counter()
    with addressed(Audience(80)):
        for case in records(Path(arguments[0])) if arguments else samples():
            try:
                text = terminal.render(explain_text(case.log, f"{case.name}.log", catalog))
            except TriageError as error:
                print(f"{case.name}: {error.message}")
                continue
            lengths[text.count("\n")] += 1
            if case.keys:
                words[any(told(key, text) for key in case.keys)] += 1
    total = sum(lengths.values())
    fits = sum(number for lines, number in lengths.items() if lines <= terminal.LINES) / total
    seen = words[True] / (sum(words.values()) or 1)
    longest = max(lengths)
    print(f"{total} answers: {fits:.1%} in {terminal.LINES} lines, the longest {longest}; words on screen {seen:.1%}")
    return int(fits < 0.95 or max(lengths) > 24 or seen < 0.97)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
