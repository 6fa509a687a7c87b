"""A stand-in for neuronx-cc: takes its command line, replays recorded output, ends as it is told.

It is not a compiler and says so first in everything that it prints. Variables, also from a JSON object in the file
that STANDIN_CONTROL names:
STANDIN_PLAYS: the recording in samples/repro/neuronx-cc to replay, or hang, hang-after-text, kill, late-neff, children.
STANDIN_WHEN: text that must occur in the HLO module for that to happen; without it the stand-in plays success.
STANDIN_ORIGINAL_ONLY: only for the failing graph of a case.
STANDIN_ONCE: a file; once it exists the stand-in plays success (a failure that does not come again).
STANDIN_SECONDS: how long a compilation takes. STANDIN_VERSION: what --version prints.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

RECORDINGS = Path(__file__).parents[2] / "samples" / "repro" / "neuronx-cc"
STATUS = {"success": 0, "no-neff": 0, "warning-then-success": 0, "ten404": 70, "user-error": 1, "host-memory": 70}
STATUS |= {"garbage": 3, "dilation": 70, "other-operator": 70}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["compile"])
    parser.add_argument("module", type=Path)
    parser.add_argument("--framework", choices=["XLA"], required=True)
    parser.add_argument("--target", choices=["trn1", "trn1n", "trn2", "trn3", "inf2"], required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--verbose", required=True)
    parser.add_argument("--implicit-integer-downcast", default="all")
    return parser.parse_known_args()[0]


def play_as(options: argparse.Namespace) -> str:
    wanted = os.environ.get("STANDIN_WHEN", "").encode() in options.module.read_bytes()
    if os.environ.get("STANDIN_ORIGINAL_ONLY"):
        wanted = wanted and Path.cwd().name == "original"
    play = os.environ.get("STANDIN_PLAYS", "success") if wanted else "success"
    once = os.environ.get("STANDIN_ONCE")
    if once and wanted:
        if Path(once).exists():
            return "success"
        Path(once).touch()
    return play


def main() -> None:
    control = Path(os.environ.get("STANDIN_CONTROL", "/nonexistent"))
    os.environ.update(json.loads(control.read_text()) if control.is_file() else {})
    sys.stdout.write("stand-in neuronx-cc (replays recorded output, compiles nothing)\n")
    sys.stdout.flush()
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(os.environ.get("STANDIN_VERSION", "stand-in") + "\n")
        return
    options = arguments()
    play = play_as(options)
    time.sleep(float(os.environ.get("STANDIN_SECONDS", "0")))
    perform(play, options)


def perform(play: str, options: argparse.Namespace) -> None:
    if play == "hang-after-text":
        sys.stdout.write((RECORDINGS / "ten404.txt").read_text())
        sys.stdout.flush()
    if play.startswith("hang"):
        time.sleep(600)
    if play == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if play in ("late-neff", "children"):
        late = f"import time; time.sleep(1); open({str(options.output.resolve())!r}, 'w').write('late')"
        subprocess.Popen([sys.executable, "-c", late])
        sys.exit(0)
    sys.stdout.buffer.write((RECORDINGS / f"{play}.txt").read_bytes())
    if play in ("success", "warning-then-success"):
        options.output.write_bytes(b"stand-in NEFF")
    sys.exit(STATUS[play])


if __name__ == "__main__":
    main()
