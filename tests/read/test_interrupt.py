"""Ctrl-C while a log is read: what was read until then is explained, with exit code 130."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import IO

from neurontriage.read.interrupt import Interrupt

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "samples" / "compiler-internal" / "ten404-loop.log"


def taken(pipe: IO[bytes]) -> None:
    """Wait until the program has read all that was written into the pipe."""
    for _ in range(1200):
        if not struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]:
            return
        time.sleep(0.05)
    raise AssertionError("never came to read its input")


def test_an_interrupted_pipe_is_explained_as_far_as_it_came(catalog) -> None:
    command = [sys.executable, "-m", "neurontriage", "explain", "-", "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=environment
    ) as process:
        assert process.stdin
        process.stdin.write(SAMPLE.read_bytes())
        process.stdin.flush()
        taken(process.stdin)
        process.send_signal(signal.SIGINT)
        assert process.stdout and process.stderr
        out, err = process.stdout.read(), process.stderr.read()
    assert process.returncode == 130
    assert json.loads(out)["verdict"] == "failed", err
    assert b"Traceback" not in err


def test_of_all_that_is_read_the_first_block_is_kept() -> None:
    reading = Interrupt()
    reading.asked = True
    assert list(reading.watch("a.log", [b"1\n", b"2\n"])) == [b"1\n"]
    assert not list(reading.watch("b.log", [b"3\n"]))
