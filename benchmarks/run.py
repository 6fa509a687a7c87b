"""Speed and memory, side by side in one run: only ratios can be compared between machines.

make bench            all of it (about two minutes)
make bench SMALL=1    with a log of 40 MB in place of 400 MB
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOOL = [str(Path(sys.executable).with_name("neurontriage"))]
LOG = ROOT / "samples" / "compiler-internal" / "ten404-loop.log"
SMALL = bool(os.environ.get("SMALL"))


def run(command: list[str], stdin: Path | None = None) -> tuple[float, float]:
    """One run of a command → (seconds of wall time, peak memory in MB)."""
    started = time.perf_counter()
    with open(stdin or os.devnull, "rb") as source:
        process = subprocess.Popen(command, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def paired(one: list[str], other: list[str], times: int = 9) -> tuple[float, float, float]:
    """Two commands in turn → medians of both, and the median of the ratios pair by pair."""
    pairs = [(run(one)[0], run(other)[0]) for _ in range(times + 1)][1:]
    ratio = statistics.median(a / b for a, b in pairs)
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs), ratio


def start_up() -> None:
    base = [sys.executable, "-c", "import typer, lark, pydantic"]
    for name, extra in (("terminal", []), ("json", ["--format", "json"])):
        mine, imports, ratio = paired([*TOOL, "explain", str(LOG), *extra], base)
        print(f"a short log, {name:9} {mine * 1000:5.0f} ms   imports {imports * 1000:5.0f} ms   ratio {ratio:.2f}")


def loading() -> None:
    code = "import time; from neurontriage import {0}; t = time.perf_counter(); {1}; print(time.perf_counter() - t)"
    cached = code.format("catalog", "catalog.load()")
    text = code.format("knowledge, resources", "knowledge.load([resources.knowledge()])")
    for name, source in (("compiled", cached), ("from YAML", text)):
        seconds = [float(subprocess.check_output([sys.executable, "-c", source])) for _ in range(5)]
        print(f"knowledge, {name:9}   {statistics.median(seconds) * 1000:7.1f} ms")


def written(path: Path, megabytes: int) -> None:
    """A large log as jobs print them: progress, INFO lines, now and then a warning, the failure at the end."""
    healthy = "\n".join(
        [
            "2025-11-02 10:00:06.000464:  8388  INFO ||NEURON_CACHE||: Compile cache path: /var/tmp/cache",
            *(f"2025-Nov-02 10:00:{i:02}.002205 56901:56901  INFO  TDRV:hwdecode   CAM {i}" for i in range(40)),
            *(f"{{'loss': 2.{i:04}, 'learning_rate': 0.0001, 'epoch': 0.{i}}}" for i in range(200)),
            *(f"  {i}%|###   | {i}/870 [00:01<02:00,  7.23it/s]" for i in range(100)),
        ]
    )
    block = (healthy + "\n").encode() * 40
    with path.open("wb") as target:
        while target.tell() < megabytes << 20:
            target.write(block)
        target.write(LOG.read_bytes())


def large() -> None:
    megabytes = 40 if SMALL else 400
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.log")
        written(path, megabytes)
        seconds, memory = run([*TOOL, "explain", str(path), "--format", "json"])
        print(f"a log of {megabytes} MB     {seconds:7.2f} s    {megabytes / seconds:5.0f} MB/s   peak {memory:.0f} MB")
        for rival in ("rg", "grep"):
            if shutil.which(rival):
                other, _ = run([rival, "-cE" if rival == "grep" else "-c", "error|exception|fail", str(path)])
                print(f"  {rival:5} error|exception|fail {other:7.2f} s    ratio {seconds / other:.1f}")


def patterns() -> None:
    """The patterns that take longest on one hostile line of 4 KiB: runs of what they are made of."""
    from neurontriage.knowledge.catalog import load
    from neurontriage.lines.linear import compiled
    from neurontriage.lines.patterns import anchor

    costs = []
    for rule in load().rules:
        if rule.text is None:
            continue
        lines = [(unit * 4096)[:4096] for unit in ("a", "1", " ", "'", "/a", "a.", "a ", anchor(rule.text))]
        costs.append((max(_search_time(compiled(rule.text), line) for line in lines), rule.entry))
    slowest = ", ".join(f"{entry} {cost * 1000:.0f} ms" for cost, entry in sorted(costs, reverse=True)[:5])
    print(f"{len(costs)} patterns, the slowest on a hostile line: {slowest}")


def _search_time(pattern: re.Pattern[str], line: str) -> float:
    started = time.perf_counter()
    pattern.search(line)
    return time.perf_counter() - started


def examples() -> None:
    seconds, memory = run([*TOOL, "kb", "test"])
    print(f"kb test               {seconds:7.1f} s    peak {memory:.0f} MB")


def main() -> None:
    for part in (start_up, loading, large, patterns, examples):
        part()


if __name__ == "__main__":
    main()
