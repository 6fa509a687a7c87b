"""Child processes with a time limit: how they ended, how long they took, how much memory they used."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


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
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
    ended = _wait(process.pid, limit)
    process.returncode = ended.status  # reaped by wait4 for its memory figure, not by Popen
    return ended


def fork(task: Callable[[], None], log: Path, limit: float) -> Ended:
    """Runs `task` in a forked child that writes to `log`; an exception becomes a traceback and status 1."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _child(task, log)
    return _wait(pid, limit)


def _child(task: Callable[[], None], log: Path) -> None:
    status = 1
    try:
        os.setsid()
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
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


def _wait(pid: int, limit: float) -> Ended:
    try:
        return _poll(pid, limit)
    except KeyboardInterrupt:
        _stop(pid, 0.0)
        raise


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
    """Kills the child's whole session: a compiler starts processes of its own."""
    os.killpg(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    return Ended(os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss / 1024, timed_out=True)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
