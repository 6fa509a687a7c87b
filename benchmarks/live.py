"""Following logs as they grow: how soon a finding is told, and whether a day of log makes the program grow."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from measuring import TOOL, DidNotRun, Table

SMALL = bool(os.environ.get("SMALL"))
FINDINGS = 5 if SMALL else 20
SECONDS = 10 if SMALL else 86
"""A day at a thousand times its speed."""
LINES_PER_SECOND = 10
"""Lines that a job writes in a second of its own time, all ranks together."""
SPOKEN = "{}Z WARNING the loader answered after {} ms, retry {} of 9\n"


def soon(folder: Path) -> Table:
    """Seconds from the moment in which the line of a failure is written until `watch` has printed the finding."""
    path = folder / "rank_0.log"
    path.write_text("step 0\n")
    command = [*TOOL, "watch", str(path), "--format", "json"]
    waited = []
    with subprocess.Popen(command, stdout=subprocess.PIPE) as watching:
        assert watching.stdout
        time.sleep(3)
        for number in range(FINDINGS):
            with path.open("a") as log:
                log.writelines(f"step {number} {n} loss 2.0\n" for n in range(100))
                word = "".join(chr(97 + (number * 7 + n * 3) % 26) for n in range(8))
                log.write(f"2026-Nov-01 23:48:34.002205 5:5 ERROR  TDRV:{word}   {word} failed\n")
            written = time.perf_counter()
            while word.encode() not in (told := watching.stdout.readline()):
                if not told:
                    raise DidNotRun("`watch` ended before it was told to")
            waited.append(time.perf_counter() - written)
            time.sleep(0.7)
        watching.send_signal(signal.SIGTERM)
    middle, most = statistics.median(waited), max(waited)
    return Table(("findings", "median seconds", "slowest"), [[len(waited), f"{middle:.2f}", f"{most:.2f}"]])


def day(folder: Path) -> Table:
    """A day of log at a thousand times its speed: memory of the program (children included) early and at the end."""
    sizes: dict[str, list[tuple[float, float]]] = {"`watch`": [], "`run`": []}
    for both in zip(_watched(folder), _run(folder), strict=True):
        for found, (process, share) in zip(sizes.values(), both, strict=True):
            found.append((share, _memory(process)))
    rows = []
    for name, found in sizes.items():
        early = [size for share, size in found if 0.15 < share < 0.35]
        late = [size for share, size in found if share > 0.85]
        if not min(*early, *late):
            raise DidNotRun(f"{name} ended before its log did")
        rows.append([name, f"{statistics.median(early):.0f}", f"{statistics.median(late):.0f}"])
    return Table(("", "MB after a quarter", "MB at the end"), rows)


def _watched(folder: Path) -> Iterator[tuple[int, float]]:
    path = folder / "day.log"
    path.touch()
    with subprocess.Popen([*TOOL, "watch", str(path)], stdout=subprocess.DEVNULL) as watching, path.open("a") as log:
        for share, text in _text():
            log.write(text)
            log.flush()
            yield watching.pid, share
        watching.send_signal(signal.SIGTERM)


def _run(_folder: Path) -> Iterator[tuple[int, float]]:
    with tempfile.TemporaryDirectory() as place:
        pipe = Path(place) / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen([*TOOL, "run", "--", "cat", str(pipe)], stdout=subprocess.DEVNULL) as running:
            with pipe.open("w") as job:
                for share, text in _text():
                    job.write(text)
                    job.flush()
                    yield running.pid, share
            running.wait()


def _text() -> Iterator[tuple[float, str]]:
    """What the job writes in each tenth of a second of ours; every hour has failures of its own."""
    started = time.perf_counter()
    numbers = itertools.count()
    for tenth in range(SECONDS * 10):
        lines = []
        for number in itertools.islice(numbers, 100 * LINES_PER_SECOND):
            if number % 50 == 7:
                lines.append(SPOKEN.format(time.strftime("%Y-%m-%dT%H:%M:%S"), number % 997, number % 9))
            elif number % 5000 == 99:
                lines.append(f"ValueError: shard {number} of {chr(97 + number % 26) * 5} has no index\n")
            else:
                now = time.strftime("%H:%M:%S")
                lines.append(f"{now} INFO rank {number % 64} step {number // 64} loss 2.{number % 9973:04}\n")
        yield tenth / (SECONDS * 10), "".join(lines)
        time.sleep(max(0.0, started + (tenth + 1) / 10 - time.perf_counter()))


def _memory(pid: int) -> float:
    """MB of a process and its children that are resident and not shared."""
    pids, found = [pid], 0.0
    for one in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            pids += [int(child) for child in Path(f"/proc/{one}/task/{one}/children").read_text().split()]
            rows = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
            found += sum(int(row.split()[1]) for row in rows if row.startswith("Private_")) / 1024
    return found
