"""Speed and memory, side by side in one run: only ratios can be compared between machines.

make bench            all of it; the tables go to docs/benchmarks.md and, for the site, to docs/measured
make bench SMALL=1    smaller logs, printed only
python benchmarks/run.py Cores Shapes    these parts, printed only

CPU times are without the start of each program (measured on an empty log); medians of three runs in turn.
"""

from __future__ import annotations

import compileall
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from cores import cores
from live import day, soon
from logs import of_ranks, written
from measuring import TOOL, Program, Table, explained, in_turn, run
from patterns import patterns
from rivals import MOST_OF_RE
from shapes import shapes

ROOT = Path(__file__).parent.parent
RIVALS = [sys.executable, str(ROOT / "benchmarks" / "rivals.py")]
LOG = ROOT / "samples" / "compiler-internal" / "ten404-loop.log"
SMALL = bool(os.environ.get("SMALL"))
MEGABYTES = 10 if SMALL else 20
COMPUTES = (
    "import hashlib\nfor n in range(2000):\n    hashlib.sha256(b'x' * 1_000_000).digest()\n    n % 20 or print(n)"
)
WAITS = 6 if SMALL else 60
MIXES = ("healthy", "dense", "again", "ranks", "tracebacks", "bars", "line")
TOLD = {
    "healthy": "healthy job, one failure",
    "dense": "failing jobs, one after the other",
    "again": "the same, started again and again",
    "ranks": "64 interleaved ranks",
    "tracebacks": "nothing but tracebacks",
    "bars": "progress bars",
    "line": "one line",
}


def throughput(folder: Path) -> Table:
    """Each mix against the bare scan of the same patterns, ripgrep, Python's `re`, and a look at the last MiB."""
    empty = folder / "empty.log"
    empty.write_text("hello\n")
    words = folder / "words.txt"
    run(Program([*RIVALS, "words", str(words)]))
    start = {name: cost.cpu for name, cost in in_turn(_readers(empty, words), 3).items()}
    rows = []
    for mix in MIXES:
        path = written(mix, MEGABYTES, folder / f"{mix}.log")
        costs = in_turn(_readers(path, words))
        net = {name: max(cost.cpu - start[name], 0.001) for name, cost in costs.items()}
        rows.append(_row(TOLD[mix], path, net, costs["explain"].memory))
        path.unlink()
    head = (
        "log",
        "MB",
        "MB per CPU second",
        "to bare Hyperscan",
        "to ripgrep",
        "to Python `re`",
        "to last MiB",
        "peak MB",
    )
    return Table(head, rows)


def _readers(path: Path, words: Path) -> dict[str, Program]:
    readers = {name: Program([*RIVALS, name, str(path)], prints="lines") for name in ("re", "tail")}
    if shutil.which("rg"):
        readers["rg"] = Program(["rg", "-c", "-F", "-f", str(words), str(path)], (0, 1))
    return {"explain": explained(path), **readers}


def bare(path: Path) -> float:
    """CPU seconds of the bare scan, the median of three."""
    command = [*RIVALS, "hyperscan", str(path)]
    return statistics.median(float(subprocess.check_output(command)) for _ in range(3))


def _row(name: str, path: Path, net: dict[str, float], memory: float) -> list[object]:
    size, mine = path.stat().st_size, net["explain"]
    megabytes = size / (1 << 20)
    if "re" in net:
        net["re"] *= size / min(size, MOST_OF_RE)
    others = [f"{mine / net[one]:.2f}" if one in net else "-" for one in ("rg", "re", "tail")]
    return [name, f"{megabytes:.0f}", f"{megabytes / mine:.1f}", f"{mine / bare(path):.1f}", *others, f"{memory:.0f}"]


def sizes(folder: Path) -> Table:
    """Time and memory over the size of a log, and its time against the bare scan: what is new in it is read once."""
    rows, empty = [], folder / "empty.log"
    empty.write_text("hello\n")
    start = in_turn({"explain": explained(empty)})["explain"].cpu
    for mix, most in (("healthy", (40, 400)), ("dense", (20, 80, 320))):
        for megabytes in (10, 40) if SMALL else most:
            path = written(mix, megabytes, folder / "size.log")
            cost = run(explained(path))
            net = cost.cpu - start
            rows.append([TOLD[mix], megabytes, f"{net:.2f}", f"{net / bare(path):.1f}", f"{cost.memory:.0f}"])
            path.unlink()
    return Table(("log", "MB", "CPU seconds", "to bare Hyperscan", "peak MB"), rows)


def many(folder: Path) -> Table:
    """Small logs of the ranks of one job, alike but for clocks, processes and values: what each costs one core."""
    count = 1000 if SMALL else 10_000
    for number, text in enumerate(of_ranks(count, 10 << 10)):
        place = folder / "many" / f"{number // 1000:02}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"rank_{number:05}.log").write_text(text)
    cost = run(explained(folder / "many", "--workers", "1"))
    return Table(
        ("logs of 10 kB", "CPU ms per log", "peak MB"),
        [[count, f"{cost.cpu * 1000 / count:.2f}", f"{cost.memory:.0f}"]],
    )


def start_up(_folder: Path) -> Table:
    """A short log against `python -c "import typer, lark, pydantic"`, with warm caches."""
    commands = {
        "imports": Program([sys.executable, "-c", "import typer, lark, pydantic"]),
        "terminal": Program([*TOOL, "explain", str(LOG)], (1,), "TEN404"),
        "json": explained(LOG),
        "kb show": Program([*TOOL, "kb", "show", "TEN404-InferIntrinsicOnCC"], (0,), "TEN404"),
        "--help": Program([*TOOL, "--help"], (0,), "explain"),
    }
    costs = in_turn(commands, 20)
    least = costs["imports"]
    rows = [
        [
            name,
            *(f"{ms * 1000:.0f}" for ms in (one.cpu, one.wall)),
            f"{one.cpu / least.cpu:.2f}",
            f"{one.wall / least.wall:.2f}",
        ]
        for name, one in costs.items()
    ]
    return Table(("a log of 17 lines", "CPU ms", "wall ms", "CPU to the imports", "wall to the imports"), rows)


LAUNCHER = f"""#!{sys.executable}
import sys
from neurontriage.__main__ import entry
if __name__ == '__main__':
    sys.argv[0] = sys.argv[0].removesuffix('.exe')
    sys.exit(entry())
"""
"""The program `neurontriage` as pip writes it since 25.1, and uv; those of older ones import `re` before all else."""


def beside(folder: Path) -> Table:
    """What `run` costs a command that ends well: how much later it ends, and CPU time of all processes together.

    Started as the installed program; in the last row as `python -m neurontriage`, which imports more before we begin.
    """
    launcher = folder / "neurontriage"
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    waiting = "import time\ntime.sleep(1)\nprint(1)"
    commands = {
        "ends at once": "print(1)",
        "waits for a second": waiting,
        "computes for a second or two": COMPUTES,
        f"prints ten lines a second for {WAITS} s": f"import time\nfor n in range({WAITS * 10}):\n"
        "    print(n, flush=True)\n    time.sleep(0.1)",
        "waits for a second, `python -m`": waiting,
    }
    rows = []
    for name, code in commands.items():
        plain = [sys.executable, "-c", code]
        tool = TOOL if "-m" in name else [str(launcher)]
        programs = {"alone": Program(plain), "run": Program([*tool, "run", "--", *plain])}
        costs = in_turn(programs, 1 if "flush" in code else 15)
        alone, under = costs["alone"], costs["run"]
        later, more = under.wall - alone.wall, under.cpu - alone.cpu
        row = (f"{alone.wall:.2f}", f"{alone.cpu:.2f}", f"{later:.3f}", f"{later / alone.wall:.1%}")
        rows.append([name, *row, f"{more:.3f}", f"{more / alone.wall:.1%}"])
    head = ("a command that", "its wall seconds", "its CPU seconds", "ends later by s", "of its wall time")
    return Table((*head, "CPU seconds more", "of its wall time"), rows)


PARTS: dict[str, Callable[[Path], Table]] = {
    "Throughput": throughput, "Patterns": patterns, "Size": sizes, "Shapes": shapes, "Many small logs": many,
    "Start": start_up, "`run`": beside, "Cores": cores, "Soon": soon, "A day": day,
}  # fmt: skip


def main() -> None:
    compileall.compile_dir(ROOT / "neurontriage", quiet=2)  # as an installation does
    run(Program([*TOOL, "warm-up"]))
    asked = sys.argv[1:]
    printed = SMALL or bool(asked)
    text = [f"# Benchmarks\n\n{__doc__}\nPython {platform.python_version()}, {os.cpu_count()} cores.\n"]
    with tempfile.TemporaryDirectory() as folder:
        for title, part in ((title, PARTS[title]) for title in asked or PARTS):
            about, found = (part.__doc__ or "").strip(), part(Path(folder))
            text.append(f"## {title}\n\n{about}\n\n{found}")
            print(text[-1], flush=True)
            if not printed:
                kept = ROOT / "docs" / "measured" / f"benchmark-{title.strip('`').lower().replace(' ', '-')}.json"
                found.keep(kept, f"Benchmark: {title.strip('`')}", about)
    if not printed:
        (ROOT / "docs" / "benchmarks.md").write_text("\n".join(text))


if __name__ == "__main__":
    main()
