"""Logs whose lines are hardly ever alike, so that little of them can only be counted: what they take of memory.

python benchmarks/shapes.py SHAPE MEGABYTES FILE
"""

from __future__ import annotations

import itertools
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from logs import dense
from measuring import Program, Table, explained, run

SMALL = bool(os.environ.get("SMALL"))
SIZES = (5,) if SMALL else (20, 80)
"""Megabytes: what a log of many of them takes should be what one of a few takes."""
FILES = 1000 if SMALL else 10_000
Chance = random.Random


def _words(chance: Chance, count: int) -> str:
    return " ".join("".join(chance.choices("aeioubcdfghklmnprst", k=chance.randrange(3, 10))) for _ in range(count))


def ranks(chance: Chance) -> Iterator[str]:
    """64 interleaved ranks, each a failing job after the other"""
    jobs = [dense(random.Random(seed)) for seed in range(64)]
    held: list[list[str]] = [[] for _ in jobs]
    while True:
        rank = chance.randrange(64)
        held[rank] = held[rank] or next(jobs[rank]).splitlines(keepends=True)
        yield f"[rank{rank}]: {held[rank].pop(0)}"


def jobs(chance: Chance) -> Iterator[str]:
    """failing jobs, one after the other"""
    return dense(chance)


def runs(chance: Chance) -> Iterator[str]:
    """1,000 runs of 20 kB"""
    return _runs(chance, 20_000)


def long_runs(chance: Chance) -> Iterator[str]:
    """45 runs of 450 kB"""
    return _runs(chance, 450_000)


def _runs(chance: Chance, size: int) -> Iterator[str]:
    lines = dense(chance)
    for number in itertools.count():
        yield f"(venv) ubuntu@ip-172-31-4-7:~/job$ python train.py --seed {number}\n"
        left = size
        while left > 0:
            text = next(lines)
            left -= len(text)
            yield text


def carried(chance: Chance) -> Iterator[str]:
    """failing jobs as JSON lines"""
    for text in dense(chance):
        for line in text.splitlines():
            source = {"pod": f"train-{chance.randrange(8)}", "level": chance.choice(["info", "error"])}
            yield json.dumps({"time": "2026-04-23T19:15:00Z", **source, "log": line + "\n"}) + "\n"


def errors(chance: Chance) -> Iterator[str]:
    """errors, none like another"""
    for number in itertools.count():
        yield f"2026-04-23 19:15:{number % 60:02} ERROR [{_words(chance, 1)}] failed to {_words(chance, 6)}\n"


def exceptions(chance: Chance) -> Iterator[str]:
    """exceptions, none like another"""
    while True:
        yield f"{_words(chance, 1).title()}Error: {_words(chance, 8)}\n"


def wordings(chance: Chance) -> Iterator[str]:
    """plain words"""
    while True:
        yield f"{_words(chance, 12)}\n"


def tracebacks(chance: Chance) -> Iterator[str]:
    """tracebacks, none like another"""
    while True:
        frames = (_frame(chance) for _ in range(chance.randrange(3, 20)))
        yield "".join(["Traceback (most recent call last):\n", *frames, next(exceptions(chance))])


def traceback(chance: Chance) -> Iterator[str]:
    """one traceback"""
    yield "Traceback (most recent call last):\n"
    while True:
        yield _frame(chance)


def _frame(chance: Chance) -> str:
    name = _words(chance, 1)
    return f'  File "/opt/{name}.py", line {chance.randrange(999)}, in {name}\n    return {_words(chance, 2)}\n'


def modules(chance: Chance) -> Iterator[str]:
    """calls of the compiler, each for a module of its own"""
    for number in itertools.count():
        module = f"MODULE_{chance.randrange(1 << 63):019}+e30acd3a"
        folder = f"/tmp/ubuntu/neuroncc_compile_workdir/{number:08x}/model.{module}"
        time = f"2026-10-22 {number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}.000{number % 1000:03}"
        command = f"neuronx-cc compile --framework=XLA {folder}.hlo_module.pb --output {folder}.neff --target=trn1"
        yield f"{time}:  {1000 + number % 64}  INFO ||NEURON_CC_WRAPPER||: Call compiler with cmd: {command}\n"


def line(chance: Chance) -> Iterator[str]:
    """one line of words, ten times as long"""
    while True:
        yield _words(chance, 12) + " "


SHAPES: dict[str, Callable[[Chance], Iterator[str]]] = {
    one.__name__: one
    for one in (
        ranks,
        jobs,
        runs,
        long_runs,
        carried,
        errors,
        exceptions,
        wordings,
        tracebacks,
        traceback,
        modules,
        line,
    )
}


def write(shape: str, megabytes: float, path: Path) -> None:
    """Write a log of a shape, of which one line is ten times as long.

    In a process of its own: what it takes of memory would count as that of every program that is started after it.
    """
    left, again = int(megabytes * (1 << 20)), 10 if shape == "line" else 1
    parts = list[str]()
    for text in SHAPES[shape](random.Random(7)):
        parts.append(text)
        left -= len(text)
        if left <= 0:
            break
    with path.open("w") as target:
        for _ in range(again):
            target.writelines(parts)
        target.write("\nRuntimeError: Failed to alloc DEVICE memory: 34359738368\n")


def failed(folder: Path) -> Path:
    """A folder with a file of each rank of a failed job: what failed in one, and that the others waited for it."""
    chance, written = random.Random(7), folder / "failed"
    lines = list(itertools.islice(dense(chance), 2000))
    for number in range(FILES):
        place = written / f"{number // 1000:02}"
        place.mkdir(parents=True, exist_ok=True)
        text = "".join(chance.choices(lines, k=3))
        why = "Failed to alloc DEVICE memory: 34359738368" if number == FILES // 2 else f"[rank {number}] timed out"
        (place / f"rank_{number:05}.log").write_text(
            f"{text}{next(traceback(chance))}{_frame(chance)}RuntimeError: {why}\n"
        )
    return written


def shapes(folder: Path) -> Table:
    """Logs whose lines are hardly ever alike, read by one process: its memory, with interpreter and patterns."""
    rows = []
    for shape, made in SHAPES.items():
        for megabytes in SIZES:
            path = folder / f"{shape}.log"
            run(Program([sys.executable, __file__, shape, str(megabytes), str(path)]))
            size = path.stat().st_size / (1 << 20)
            rows.append([(made.__doc__ or "").strip(), f"{size:.0f}", *_cost(path)])
            path.unlink()
    rows.append([f"{FILES} files of the ranks of a failed job", "-", *_cost(failed(folder))])
    return Table(("log", "MB", "CPU seconds", "peak MB"), rows)


def _cost(path: Path) -> tuple[str, str]:
    cost = run(explained(path, "--workers", "1"))
    return f"{cost.cpu:.1f}", f"{cost.memory:.0f}"


if __name__ == "__main__":
    write(sys.argv[1], float(sys.argv[2]), Path(sys.argv[3]))
