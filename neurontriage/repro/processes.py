"""Child processes with a time limit: how they ended, how long they took, how much memory they used.

Their output is bounded while it is written, and nothing that they started outlives them.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HEAD, TAIL, CHUNK = 4 << 20, 4 << 20, 1 << 16
"""Bytes kept from the start and from the end of what a child prints, and read at once."""
LINGER = 2.0
"""Seconds that output may still come after the child has ended."""


@dataclass(frozen=True, slots=True)
class Ended:
    """`status` is the exit status, or minus the signal; `peak_mb` is the largest single process."""

    status: int
    seconds: float
    peak_mb: float
    timed_out: bool = False

    @property
    def fault(self) -> str:
        """Why the process did not end well, in words; empty when it did."""
        if self.timed_out:
            return f"stopped after the time limit of {self.seconds:.0f} s"
        if self.status < 0:
            return f"killed by {_signal_name(-self.status)}"
        return f"exit status {self.status}" if self.status else ""


def run(
    command: Sequence[str],
    folder: Path,
    log: Path,
    limit: float,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Runs `command` in `folder`; stdout and stderr are appended to `log`."""
    folder.mkdir(parents=True, exist_ok=True)
    with _Output(log) as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output.writer,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )
        output.started()
        ended = _wait(process.pid, limit)
    process.returncode = ended.status  # reaped by wait4 for its memory figure, not by Popen
    return ended


def fork(task: Callable[[], None], log: Path, limit: float) -> Ended:
    """Runs `task` in a forked child that writes to `log`; an exception becomes a traceback and status 1."""
    sys.stdout.flush()
    sys.stderr.flush()
    with _Output(log) as output:
        pid = os.fork()
        if pid == 0:
            _child(task, output.writer)
        output.started()
        return _wait(pid, limit)


class _Output:
    """A pipe whose reader keeps the head and the tail of what comes, and counts the rest."""

    def __init__(self, log: Path) -> None:
        self._log, self._left_out = log, 0
        self._tail: deque[bytes] = deque(maxlen=TAIL // CHUNK)
        self._reader, self.writer = os.pipe()
        self._thread = threading.Thread(target=self._drain, daemon=True)

    def __enter__(self) -> _Output:
        return self

    def started(self) -> None:
        """The child has its end of the pipe: from here on only it keeps the pipe open."""
        os.close(self.writer)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._thread.join(LINGER)
        with self._log.open("ab") as log:
            if self._left_out:
                log.write(b"\n[%d bytes left out]\n" % self._left_out)
            log.writelines(list(self._tail))

    def _drain(self) -> None:
        written = 0
        with self._log.open("ab", buffering=0) as log, os.fdopen(self._reader, "rb", buffering=0) as source:
            while data := source.read(CHUNK):
                if written < HEAD:
                    log.write(data)
                    written += len(data)
                else:
                    if len(self._tail) == self._tail.maxlen:
                        self._left_out += len(self._tail[0])
                    self._tail.append(data)


def _child(task: Callable[[], None], output: int) -> None:
    status = 1
    try:
        os.setsid()
        _die_with_parent()
        os.dup2(output, 1)
        os.dup2(output, 2)
        sys.stdout = open(1, "w", buffering=1, errors="replace", closefd=False)
        sys.stderr = open(2, "w", buffering=1, errors="replace", closefd=False)
        task()
        status = 0
    except BaseException:  # noqa: BLE001 (the child's last word goes into its log)
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _die_with_parent() -> None:
    """The kernel ends this process when the one that started it is gone, however that went (PR_SET_PDEATHSIG)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _wait(pid: int, limit: float) -> Ended:
    """Waits, and then ends the child's whole session: a compiler starts processes of its own."""
    try:
        return _poll(pid, limit)
    except KeyboardInterrupt:
        _stop(pid, 0.0)
        raise
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _poll(pid: int, limit: float) -> Ended:
    started = time.monotonic()
    pause = 0.005
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        seconds = time.monotonic() - started
        if done:
            return Ended(os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss / 1024)
        if seconds > limit:
            return _stop(pid, seconds)
        time.sleep(pause)
        pause = min(0.1, pause * 1.5)


def _stop(pid: int, seconds: float) -> Ended:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)  # before it has a session of its own
    _, status, usage = os.wait4(pid, 0)
    return Ended(os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss / 1024, timed_out=True)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
