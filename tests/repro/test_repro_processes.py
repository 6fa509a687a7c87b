"""Child processes: how they end is told exactly."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from neurontriage.repro import processes


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(
    ("code", "status", "fault"),
    [
        ("print('fine')", 0, ""),
        ("raise SystemExit(70)", 70, "exit status 70"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -9, "killed by SIGKILL"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGABRT)", -6, "killed by SIGABRT"),
    ],
)
def test_run_tells_status_and_signal(tmp_path: Path, code: str, status: int, fault: str) -> None:
    ended = processes.run(python(code), tmp_path / "work", tmp_path / "log", 30)
    assert (ended.status, ended.fault, ended.timed_out) == (status, fault, False)
    assert ended.peak_mb > 1


def test_run_keeps_both_streams(tmp_path: Path) -> None:
    code = "import sys; print('out'); sys.stdout.flush(); print('err', file=sys.stderr)"
    processes.run(python(code), tmp_path, tmp_path / "log", 30)
    assert (tmp_path / "log").read_text().split() == ["out", "err"]


def test_the_time_limit_ends_the_whole_session(tmp_path: Path) -> None:
    """A compiler starts processes of its own: they must not stay behind."""
    code = "import subprocess, sys; p = subprocess.Popen(['sleep', '60']); print(p.pid, flush=True); p.wait()"
    ended = processes.run(python(code), tmp_path, tmp_path / "log", 1.5)
    assert ended.timed_out
    assert "time limit" in ended.fault
    assert gone(int((tmp_path / "log").read_text()))


def test_children_of_a_process_that_ended_well_are_ended_too(tmp_path: Path) -> None:
    code = "import subprocess; print(subprocess.Popen(['sleep', '60']).pid)"
    assert not processes.run(python(code), tmp_path, tmp_path / "log", 30).fault
    assert gone(int((tmp_path / "log").read_text()))


def test_output_is_bounded_while_it_is_written(tmp_path: Path) -> None:
    code = "import sys; [sys.stdout.write('x' * 999 + '\\n') for _ in range(40_000)]; print('the last word')"
    processes.run(python(code), tmp_path, tmp_path / "log", 60)
    text = (tmp_path / "log").read_bytes()
    assert len(text) < processes.HEAD + processes.TAIL + 2 * processes.CHUNK
    assert b"bytes left out]" in text
    assert text.endswith(b"the last word\n")


def test_a_child_does_not_outlive_the_one_that_started_it(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, pathlib; from neurontriage.repro import processes; here = pathlib.Path(sys.argv[1])\n"
        "def task():\n"
        "    print(os.getpid(), flush=True); os.kill(os.getppid(), signal.SIGKILL); import time; time.sleep(60)\n"
        "processes.fork(task, here / 'log', 60)"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(tmp_path)], env={**os.environ}, capture_output=True)
    assert ran.returncode == -signal.SIGKILL
    time.sleep(0.5)
    children = subprocess.run(["pgrep", "-f", str(tmp_path)], capture_output=True, text=True).stdout.split()
    assert not [pid for pid in children if not gone(int(pid))]


def gone(pid: int) -> bool:
    """Waits for init to reap the orphan; a zombie is gone too."""
    for _ in range(100):
        stat = Path(f"/proc/{pid}/stat")
        if not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


def test_fork_turns_an_exception_into_a_logged_traceback(tmp_path: Path) -> None:
    def fail() -> None:
        raise RuntimeError("it went wrong")

    ended = processes.fork(fail, tmp_path / "log", 30)
    assert ended.status == 1
    assert (tmp_path / "log").read_text().rstrip().endswith("RuntimeError: it went wrong")


def test_fork_tells_a_crash(tmp_path: Path) -> None:
    ended = processes.fork(lambda: os.kill(os.getpid(), signal.SIGKILL), tmp_path / "log", 30)
    assert ended.fault == "killed by SIGKILL"


def test_fork_obeys_the_time_limit(tmp_path: Path) -> None:
    ended = processes.fork(lambda: time.sleep(60), tmp_path / "log", 0.5)
    assert ended.timed_out
