"""The default answer in a real terminal emulator of 80 columns and 24 lines: whole, with the prompt below it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pyte
import pytest

ROOT = Path(__file__).parents[2]
LOGS = [
    "compiler-internal/ten404-loop.log",
    "reports/two-ranks.log",
    "runtime/device-memory-full.log",
    "runtime/cores-busy.log",
    "runtime/execution-timeout.log",
    "runtime/driver-too-old.log",
    "runtime/fork-after-load.log",
    "runtime/hbm-hardware-error.log",
    "runtime/dma-abort.log",
    "benign/training-two-graphs.log",
]


def shown(log: str, **environment: str) -> pyte.Screen:
    """The emulator's screen after the command has run in a pseudo-terminal of its size."""
    screen = pyte.Screen(80, 24)
    stream = pyte.ByteStream(screen)
    main, side = pty.openpty()
    env = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLUMNS": "80",
        "LINES": "24",
        "PYTHONPATH": str(ROOT),
        **environment,
    }
    command = [sys.executable, "-m", "neurontriage", "explain", str(ROOT / "samples" / log)]
    process = subprocess.Popen(command, stdout=side, stderr=side, stdin=subprocess.DEVNULL, env=env, close_fds=True)
    os.close(side)
    stream.feed(b"$ neurontriage explain\r\n")
    while True:
        try:
            data = os.read(main, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not data:
            break
        stream.feed(data)
    process.wait()
    os.close(main)
    stream.feed(b"$ ")
    return screen


@pytest.mark.parametrize("log", LOGS)
def test_the_answer_stands_whole_in_80_by_24(log: str) -> None:
    screen = shown(log)
    lines = [line.rstrip() for line in screen.display]
    assert lines[0] == "$ neurontriage explain", "the first line has scrolled away"
    assert lines[screen.cursor.y] == "$"
    assert lines[1].split()[0] in ("FAILED", "WARNINGS", "CLEAN")
    assert any("--full" in line for line in lines)


def test_the_verdict_is_coloured_and_colours_can_be_forbidden() -> None:
    log = LOGS[0]
    assert shown(log).buffer[1][2].bg == "red"
    assert shown(log, NO_COLOR="1").buffer[1][2].bg == "default"
