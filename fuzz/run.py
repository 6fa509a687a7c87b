"""Coverage-guided fuzzing of every target with atheris (make fuzz).

Seeds are the samples of the repository. What fails is written to fuzz/found/; when it is mended, it goes to fuzz/kept/,
from where `make test` tries it again for ever. Exit 1 when something failed, or when a target was not executed at all.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "samples"
SEEDS = {
    "readers": (".log", ".gz", ".zip", ".tar"),
    "entries": (".yaml",),
    "patterns": (".yaml",),
    "results": (".json",),
    "hlo_files": (".pb", ".hlo", ".txt"),
    "hlo_text": (".hlo", ".txt"),
}
_LARGEST_SEED, _MOST_SEEDS = 8 << 10, 300
_DONE = re.compile(r"^Done (\d+) runs", re.MULTILINE)


def seeds(target: str) -> list[Path]:
    """The samples that a target starts from: small files of the kinds that it reads, logs by default."""
    kinds = SEEDS.get(target, (".log", ".txt"))
    folders = [SAMPLES, HERE.parent / "knowledge", HERE / "kept" / target]
    files = [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in kinds or folder.name == target
    ]
    small = [path for path in files if path.is_file() and path.stat().st_size <= _LARGEST_SEED]
    return small[:: len(small) // _MOST_SEEDS + 1]


def fuzz(target: str, seconds: int) -> bool:
    """Fuzz one target in a process of its own, and say how often it was executed; whether it went well."""
    found = HERE / "found"
    found.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        for number, path in enumerate(seeds(target)):
            (Path(corpus) / f"{number:03}").write_bytes(path.read_bytes())
        limits = [f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048", "-max_len=16384"]
        words = [sys.executable, __file__, "--one", target, *limits, f"-artifact_prefix={found}/{target}-", corpus]
        done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True, errors="replace")
    ended = _DONE.search(done.stderr)
    runs = int(ended[1]) if ended else 0
    well = done.returncode == 0 and runs > len(seeds(target))
    print(f"{target}: {'ok' if well else 'FAILED'}, {runs:,} executions", flush=True)
    if not well:
        print("", *done.stderr.splitlines()[-30:], sep="\n  ", flush=True)
    return well


def one(target: str, options: Sequence[str]) -> None:
    """In the process of one target: fuzz until the time is over. Does not return."""
    import atheris

    with atheris.instrument_imports(include=["neurontriage"]):
        from targets import TARGETS
    for path in seeds(target)[:3]:  # what is built once (catalogue, engines, templates) is no part of the time
        TARGETS[target](path.read_bytes())
    atheris.Setup([sys.argv[0], *options], TARGETS[target])
    atheris.Fuzz()


def main() -> int:
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], sys.argv[3:])
    from targets import TARGETS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=int, nargs="?", default=60, help="for each target")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--jobs", type=int, default=1, help="how many targets at a time")
    given = parser.parse_args()
    subprocess.run([sys.executable, "-m", "neurontriage", "warm-up"], check=True, stdout=subprocess.DEVNULL)
    with ThreadPoolExecutor(given.jobs) as crew:
        return 0 if all(list(crew.map(partial(fuzz, seconds=given.seconds), given.targets or TARGETS))) else 1


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    sys.exit(main())
