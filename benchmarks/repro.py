"""What `neurontriage repro --all` costs on this host: seconds and the memory of all its processes together.

Prints wall time, the largest sum of proportional set sizes (PSS: shared pages count once), of resident sizes (RSS), and
how many processes there were then. Pin it to two cores with `taskset -c 0,1`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PAUSE = 0.1


def tree(root: int) -> Iterator[int]:
    """A process and everything below it, also what has a session of its own."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended just now
            continue
        parents.setdefault(int(fields[1]), []).append(int(path.parent.name))
    waiting = [root]
    while waiting:
        yield (process := waiting.pop())
        waiting += parents.get(process, [])


def memory(process: int) -> tuple[float, float]:
    """PSS and RSS in MB; zeros for a process that ended just now."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    except OSError:
        return 0.0, 0.0
    found = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines}
    return found.get("Pss", 0.0), found.get("Rss", 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "neurontriage", "repro", "--all", "--backend", "xla-cpu", "-o", folder]
        command += ["--jobs", str(options.jobs), "--format", "json"]
        started, peak = time.monotonic(), (0.0, 0.0, 0)
        with open(os.devnull, "wb") as nothing:
            running = subprocess.Popen(command, stdout=nothing, stderr=nothing)
            while running.poll() is None:
                each = [memory(process) for process in tree(running.pid)]
                peak = max(peak, (sum(pss for pss, _ in each), sum(rss for _, rss in each), len(each)))
                time.sleep(PAUSE)
        seconds = time.monotonic() - started
        document = json.loads((Path(folder) / "all.json").read_text())
    largest = max((case["peak_memory_mb"] or 0, case["case"]) for case in document["cases"])
    print(f"{len(document['cases'])} cases, {options.jobs} workers: {seconds:.1f} s, counts {document['counts']}")
    print(f"peak of all processes: {peak[0]:,.0f} MB PSS, {peak[1]:,.0f} MB RSS in {peak[2]} processes")
    print(f"largest single attempt: {largest[0]:,.0f} MB RSS ({largest[1]})")


if __name__ == "__main__":
    main()
