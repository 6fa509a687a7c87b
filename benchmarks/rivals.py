"""What else could read a log, as small programs that do the same input and output: for the ratios in `run.py`.

python benchmarks/rivals.py hyperscan|re|tail FILE
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.lines.patterns import anchor
from neurontriage.lines.scan import Hyperscan

BLOCK = 4 << 20
LAST = 1 << 20
MOST_OF_RE = 2 << 20
"""`re` tries thousands of alternatives at each place: on dense logs it would not end."""


def blocks(path: str) -> Iterator[bytes]:
    with open(path, "rb") as source:
        while block := source.read(BLOCK):
            yield block


def literals(catalog: Catalog) -> list[str]:
    """The longest literal of each pattern, each once."""
    return sorted({anchor(pattern.text) for pattern in catalog.patterns} - {""})


def hyperscan(path: str) -> int:
    """The same patterns in the same engine, nothing is done with a hit; prints the CPU seconds without the start."""
    catalog = load()
    engine = catalog.engine if isinstance(catalog.engine, Hyperscan) else Hyperscan(catalog.patterns)
    database = engine._database
    started = time.process_time()
    for block in blocks(path):
        database.scan(block, match_event_handler=lambda *_: None)
    print(time.process_time() - started)
    return 0


def python_re(path: str) -> int:
    """Python's `re` with the literals as alternatives, line by line, in the first MOST_OF_RE bytes."""
    pattern = re.compile("|".join(map(re.escape, literals(load()))).encode())
    with open(path, "rb") as source:
        print(sum(pattern.search(line) is not None for line in source.read(MOST_OF_RE).split(b"\n")), "lines")
    return 0


def tail(path: str) -> int:
    """What tools do that look at the end of a log only: the last MiB, pattern by pattern with `re`."""
    with open(path, "rb") as source:
        source.seek(max(0, Path(path).stat().st_size - LAST))
        text = source.read()
    print(sum(text.find(one.encode()) >= 0 for one in literals(load())), "literals in the last lines")
    return 0


def words(path: str) -> None:
    """Write the literals, one a line, for ripgrep and grep."""
    Path(path).write_text("\n".join(literals(load())) + "\n")


if __name__ == "__main__":
    {"hyperscan": hyperscan, "re": python_re, "tail": tail, "words": words}[sys.argv[1]](sys.argv[2])
