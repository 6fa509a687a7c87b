"""How often the program calls anything for logs that stay the same: what a rule costs shows here, and on no clock.

python tests/work/counting.py           what is counted against the ceilings, and the functions that are called most
python tests/work/counting.py ROOT      where this checkout calls more than the one at ROOT

Calls are counted in the rooms of the package that make them, into whatever library. They are those of a process of its
own with a cache of its own, which has read logs like these before, so that little is compiled or loaded in it. They
depend on the version of Python, but on no machine: ceilings.yaml says of which; the others make no more.
"""

from __future__ import annotations

import cProfile
import io
import json
import os
import pstats
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from random import Random

import yaml

from neurontriage import resources

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CEILINGS = HERE / "ceilings.yaml"
PROMPT = "(venv) ubuntu@ip-172-31-4-7:~/job$ python train.py --seed {}\n"
QUEUE = "queue of 2026-04-23: failing jobs are started one after the other\nqueue: their output follows as it comes\n"
RANKS = 40
LEAST = 5000
"""Calls of a room that are worth a ceiling."""
MORE = 3
"""Healthy lines for each line of a sample."""
DATABASES = (".catalog", ".patterns", ".apart")
"""What takes long to build, and is only loaded."""
SHOWN = 30
WARMED = (1, 2, 3, 4)
"""Seeds of the logs that are read before what is counted."""
SEARCHES = ("'re.Pattern'", "→ re2 ", "hyperscan.")
Function = tuple[str, str]
"""File below the package, and the name of a function in it, or (→) of one of others that is called there."""


def allowed() -> dict[str, dict[str, int]]:
    """The ceilings: log → room → calls."""
    found: dict[str, dict[str, int]] = yaml.safe_load(CEILINGS.read_text())["calls"]
    return found


def of_this_python() -> bool:
    """Whether the ceilings are those of this version of Python."""
    return "{}.{}".format(*sys.version_info) == str(yaml.safe_load(CEILINGS.read_text())["python"])


def rooms(counted: dict[str, list[tuple[str, str, int]]]) -> dict[str, dict[str, int]]:
    """Log → room → calls; `searches`: how many of all are of regular expressions and pattern databases."""
    found = {}
    for log, functions in counted.items():
        calls: Counter[str] = Counter()
        for path, name, number in functions:
            calls[path.partition("/")[0]] += number
            calls["searches"] += number * any(sign in name for sign in SEARCHES)
        found[log] = {room: number for room, number in calls.items() if number >= LEAST}
    return found


def counted(root: Path = ROOT) -> dict[str, list[tuple[str, str, int]]]:
    """Log → (file, function, calls) of the package at `root`."""
    command = [sys.executable, __file__, "--count", str(root)]
    with tempfile.TemporaryDirectory() as cache:  # what is kept of other runs would not be compiled in this one
        for path in resources.cache().glob("*"):
            if path.suffix in DATABASES:
                shutil.copy(path, cache)
        environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0", "NEURONTRIAGE_CACHE": cache}
        said = subprocess.run(command, env=environment, cwd=root, check=True, capture_output=True, text=True).stdout
    return {log: [(path, name, number) for path, name, number in rows] for log, rows in json.loads(said).items()}


def texts(seed: int) -> dict[str, list[str]]:
    """The logs, the same lines for every seed, with other numbers: each as one text, or as those of many ranks."""
    given, chance = yaml.safe_load(CEILINGS.read_text()), Random(seed)
    lines = cycle(given["healthy"])

    def healthy(number: int) -> str:
        return "".join(_filled(next(lines), chance) + "\n" for _ in range(number))

    samples = [(ROOT / "samples" / name).read_text() for name in given["samples"]]
    jobs = "".join(f"{text}{healthy(MORE * text.count(chr(10)))}" for text in samples)
    runs = "".join(f"{PROMPT.format(number)}{jobs}{healthy(1500)}" for number in range(3))
    small = healthy(100)
    return {"failing": [QUEUE + jobs], "again": [runs], "ranks": [small] * RANKS}


def _filled(text: str, chance: Random) -> str:
    """A line with a digit for each `#`."""
    return "".join(str(chance.randrange(10)) if sign == "#" else sign for sign in text)


def _count(root: Path) -> None:
    """Print the calls as JSON."""
    readers = _readers()
    for seed in WARMED:
        for log, given in texts(seed).items():
            readers[log](given)
    found = {}
    for log, given in texts(0).items():
        profile = cProfile.Profile()
        profile.runcall(readers[log], given)
        calls = Counter[Function]()
        for path, name, number in _calls(pstats.Stats(profile), root / "neurontriage"):
            calls[path, name] += number
        found[log] = [(path, name, number) for (path, name), number in calls.items()]
    print(json.dumps(found))


def _readers() -> dict[str, Callable[[list[str]], object]]:
    from neurontriage import triage
    from neurontriage.incident.logs import Way, read
    from neurontriage.read.inputs import blocks
    from neurontriage.runs import by_run

    catalog = triage.load()
    catalog.warm()

    def alone(given: list[str]) -> object:
        data = given[0].encode()
        return by_run("log", lambda: blocks(io.BytesIO(data), "log"), catalog, triage.concluded)

    def ranks(given: list[str]) -> object:
        with tempfile.TemporaryDirectory() as folder:
            for number, text in enumerate(given):
                (Path(folder) / f"rank_{number:05}.log").write_text(text)
            return read([folder], catalog, Way(follow=None))

    return {"failing": alone, "again": alone, "ranks": ranks}


def _calls(stats: pstats.Stats, package: Path) -> Iterator[tuple[str, str, int]]:
    """Calls of the package's functions in their rooms, and those of others in the rooms that call them."""
    own = f"{package}{os.sep}"
    for (path, _, name), (_, number, *_, callers) in stats.stats.items():  # type: ignore[attr-defined]
        if path.startswith(own):
            yield path[len(own) :], name, number
            continue
        for (caller, *_), found in callers.items():
            if caller.startswith(own):
                yield caller[len(own) :], f"→ {Path(path).parent.name} {name}", found[1]


def _shown(rows: list[tuple[int, str]]) -> None:
    for number, what in sorted(rows, key=lambda row: -abs(row[0]))[:SHOWN]:
        print(f"{number:>+12,}  {what}")


def main(words: list[str]) -> None:
    here = counted()
    above = {log: dict[Function, int]() for log in here}
    if words:
        for log, rows in counted(Path(words[0]).absolute()).items():
            above[log] = {(path, name): number for path, name, number in rows}
    for log, found in rooms(here).items():
        print(f"{log}: " + ", ".join(f"{room} {number:,}" for room, number in sorted(found.items())))
        _shown([(n - above[log].get((path, name), 0), f"{path} {name}") for path, name, n in here[log]])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--count"]:
        _count(Path(sys.argv[2]))
    else:
        main(sys.argv[1:])
