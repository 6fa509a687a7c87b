"""Starts `neurontriage run` for the tests, plainly and in a terminal, and finds its processes."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
RUN = [sys.executable, "-m", "neurontriage", "run"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
NUMBERS = "import sys\nfor n in range({0}): print(n)\n"
COUNTING = """
import signal, sys, time
got = []
for one in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
    signal.signal(one, lambda number, _: got.append(number))
print("ready", flush=True)
end = time.monotonic() + {0}
while time.monotonic() < end:
    time.sleep(0.05)
print("got", got, flush=True)
sys.exit(7)
"""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def run(*words: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    options = {"stdin": subprocess.DEVNULL, "capture_output": True, "env": ENVIRONMENT, "timeout": 120, **options}
    return subprocess.run([*RUN, *words], check=False, **options)


def start(*words: str, **options: Any) -> subprocess.Popen[bytes]:
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([*RUN, *words], env=ENVIRONMENT, start_new_session=True, **options)


def children(pid: int) -> dict[int, str]:
    """The children of a process: process id → command line."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(one): Path(f"/proc/{one}/cmdline").read_text().replace("\0", " ") for one in listed}


def watcher(pid: int) -> int:
    """The process id of the watcher beside the command, which goes by the same words until it is executed."""
    for _ in range(400):
        own = {child: "-m neurontriage run" in words for child, words in children(pid).items()}
        if set(own.values()) == {True, False}:
            return next(child for child, is_own in own.items() if is_own)
        time.sleep(0.02)
    raise AssertionError("no watcher")


class Terminal:
    """A program in a terminal of its own, as in a shell window."""

    def __init__(self, words: list[str], directory: Path) -> None:
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            os.execve(words[0], words, {**ENVIRONMENT, "TERM": "xterm", "COLUMNS": "100"})
        self.seen = b""

    def until(self, text: bytes, seconds: float = 60) -> bytes:
        """Read until the text has been shown; None waits for the end."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < end, self.seen
            if select.select([self.master], [], [], 0.2)[0] and not self._read():
                raise AssertionError(self.seen)
        return self.seen

    def _read(self) -> bytes:
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return b""
        self.seen += data
        return data

    def type(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def end(self) -> int:
        """Everything that is still shown, then the exit code."""
        while self._read():
            pass
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status)


def kill(pid: int, number: int = signal.SIGKILL) -> None:
    os.kill(pid, number)
