"""What each scan pattern costs for itself, against the middle one: where to look when scanning gets slow.

python benchmarks/patterns.py
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from logs import write
from measuring import Table

from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.lines.scan import Hyperscan, Pattern

_SHOWN, _TIMES, _LONGEST = 10, 3, 90


def patterns(folder: Path) -> Table:
    """The scan patterns that cost most, each searched alone in failing jobs, against the middle one of all."""
    block, catalog = write("dense", 1, folder / "patterns.log").read_bytes(), load()
    costs = [min(_seconds(engine, block) for _ in range(_TIMES)) for engine in map(_alone, catalog.patterns)]
    middle = statistics.median(costs)
    worst = sorted(range(len(costs)), key=lambda number: -costs[number])[:_SHOWN]
    rows = [[_owner(catalog, n), _cell(catalog.patterns[n].text), f"{costs[n] / middle:.1f}"] for n in worst]
    return Table(("of", "pattern", "to the middle one"), rows)


def _alone(pattern: Pattern) -> Hyperscan:
    return Hyperscan([pattern])


def _seconds(engine: Hyperscan, block: bytes) -> float:
    """CPU seconds of the bare scan."""
    started = time.process_time()
    engine._database.scan(block, match_event_handler=lambda *_: None)
    return time.process_time() - started


def _owner(catalog: Catalog, number: int) -> str:
    kind, one, _ = catalog.owners[number][0]
    if kind == "rule":
        return catalog.rules[one].entry
    return catalog.families[one].name if kind == "family" else kind


def _cell(text: str) -> str:
    """A pattern in a Markdown table."""
    shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return "`" + shown.replace("|", "\\|").replace("`", "'") + "`"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(patterns(Path(place)))
