"""Coverage-guided fuzzing of every target with atheris: `python fuzz/run.py [SECONDS] [TARGET...]` (make fuzz).

Seeds are the samples of the repository. What fails is written to fuzz/found/; when it is mended, it goes to fuzz/kept/,
from where `make test` tries it again for ever. Exit 1 when something failed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
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
_LARGEST_SEED = 8 << 10


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
    return [path for path in files if path.is_file() and path.stat().st_size <= _LARGEST_SEED][:300]


def fuzz(target: str, seconds: int) -> int:
    """Fuzz one target in a process of its own; gives its exit code."""
    found = HERE / "found"
    found.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        for number, path in enumerate(seeds(target)):
            (Path(corpus) / f"{number:03}").write_bytes(path.read_bytes())
        limits = [f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048", "-max_len=16384"]
        words = [sys.executable, __file__, "--one", target, *limits, f"-artifact_prefix={found}/{target}-", corpus]
        done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True, errors="replace")
    lines = done.stderr.splitlines()
    shown = lines[-30:] if done.returncode else [line for line in lines if line.startswith("Done")]
    print(f"{target}: {'failed' if done.returncode else 'ok'}", *shown, sep="\n  ", flush=True)
    return done.returncode


def one(target: str) -> None:
    """In the process of one target: fuzz until the time is over. Does not return."""
    import atheris

    with atheris.instrument_imports(include=["neurontriage"]):
        from targets import TARGETS
    atheris.Setup([sys.argv[0], *sys.argv[3:]], TARGETS[target])
    atheris.Fuzz()


def main() -> int:
    words = sys.argv[1:]
    if words[:1] == ["--one"]:
        one(words[1])
    from targets import TARGETS

    seconds = int(words.pop(0)) if words and words[0].isdigit() else 60
    return max(fuzz(target, seconds) for target in words or TARGETS) and 1


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    sys.exit(main())
