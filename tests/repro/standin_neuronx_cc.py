"""A stand-in for neuronx-cc: takes its command line, replays recorded output, ends as it is told.

It is not a compiler and says so first in everything that it prints. Variables:
STANDIN_PLAYS: the recording in samples/repro/neuronx-cc to replay, or hang, or kill.
STANDIN_WHEN: text that must occur in the HLO module for that to happen; without it the stand-in plays success.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from pathlib import Path

RECORDINGS = Path(__file__).parents[2] / "samples" / "repro" / "neuronx-cc"
STATUS = {"success": 0, "no-neff": 0, "ten404": 70, "user-error": 1, "host-memory": 70, "garbage": 3}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["compile"])
    parser.add_argument("module", type=Path)
    parser.add_argument("--framework", choices=["XLA"], required=True)
    parser.add_argument("--target", choices=["trn1", "trn1n", "trn2", "inf2"], required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--verbose", required=True)
    parser.add_argument("--implicit-integer-downcast", default="all")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    sys.stdout.write("stand-in neuronx-cc (replays recorded output, compiles nothing)\n")
    sys.stdout.flush()
    wanted = os.environ.get("STANDIN_WHEN", "").encode() in options.module.read_bytes()
    play = os.environ.get("STANDIN_PLAYS", "success") if wanted else "success"
    if play == "hang":
        time.sleep(600)
    if play == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    sys.stdout.buffer.write((RECORDINGS / f"{play}.txt").read_bytes())
    if play == "success":
        options.output.write_bytes(b"stand-in NEFF")
    sys.exit(STATUS[play])


if __name__ == "__main__":
    main()
