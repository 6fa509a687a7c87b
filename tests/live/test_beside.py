"""What stands beside a command: it leaves nothing behind, changes nothing that the command inherits, loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from live.jobs import ENVIRONMENT, ROOT, RUN, Terminal, kill, python, start, watcher

from neurontriage.live.feed import EXIT, OUTPUT, Feed, frames, packed

SAMPLE = ROOT / "samples" / "compiler-internal" / "ten404-loop.log"


def ends(pid: int) -> bool:
    """Whether a process ends soon (or waits for somebody to ask how)."""
    for _ in range(500):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("code", [0, 4])
def test_with_the_command_its_watcher_ends(code: int) -> None:
    with start("--", "sh", "-c", f"echo ready; sleep 0.5; exit {code}") as job:
        assert job.stdout and job.stdout.readline() == b"ready\n"
        beside = watcher(job.pid)
    assert job.returncode == code
    assert ends(beside)


def of_signals(status: bytes) -> dict[bytes, int]:
    """Which signals are blocked and ignored; those from 32 on are the C library's own."""
    rows = (row.split(b":") for row in status.splitlines())
    return {name: int(mask, 16) & 0x7FFFFFFF for name, mask in rows}


@pytest.mark.parametrize("ignored", [signal.SIGINT, signal.SIGHUP, signal.SIGUSR2])
def test_the_command_inherits_the_signals_that_we_were_started_with(ignored: signal.Signals) -> None:
    def given() -> None:
        for one in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:  # nohup has had one ignored
            signal.signal(one, signal.SIG_DFL)
        signal.signal(ignored, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGWINCH})

    words = ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]
    plain, ours = (
        of_signals(subprocess.check_output([*before, *words], env=ENVIRONMENT, preexec_fn=given))
        for before in ([], [*RUN, "--"])
    )
    assert ours == plain
    assert ours == {b"SigBlk": 1 << signal.SIGUSR1 - 1 | 1 << signal.SIGWINCH - 1, b"SigIgn": 1 << ignored - 1}


def test_on_a_terminal_the_command_leads_a_session_with_that_terminal(tmp_path: Path) -> None:
    code = "import os; print(os.getsid(0) == os.getpid() == os.tcgetpgrp(0)); open('/dev/tty', 'w').write('here')"
    terminal = Terminal([*RUN, "--", *python(code)], tmp_path)
    assert terminal.end() == 0
    assert (b"True" in terminal.seen, b"here" in terminal.seen) == (True, True)


@pytest.mark.parametrize("many", [2, 50])
def test_what_a_stopped_watcher_misses_is_passed_on_and_counted(many: int) -> None:
    """More than a pipe holds, and more than waits in memory."""
    row = "('x' * 99 + '\\n') * 10_000"
    code = f"""
import sys
print("ready", flush=True)
sys.stdin.readline()
for n in range({many}): sys.stdout.write({row})
sys.exit(3)
"""
    with start("--", *python(code), stdin=subprocess.PIPE) as job:
        assert job.stdin and job.stdout and job.stderr and job.stdout.readline() == b"ready\n"
        beside = watcher(job.pid)
        os.kill(beside, signal.SIGSTOP)
        job.stdin.write(b"go\n")
        job.stdin.flush()
        size = 0
        while size < many * 1_000_000:
            size += len(job.stdout.read1())
        os.kill(beside, signal.SIGCONT)
        said = job.stderr.read()
    assert (job.returncode, size) == (3, many * 1_000_000)
    assert b"ended with exit code 3" in said
    assert (b"came too fast to be read" in said) == (many == 50)


def test_killed_after_long_the_output_goes_on_and_is_explained(tmp_path: Path) -> None:
    """What reads and explains is at work already, and no longer only what holds the output."""
    target = tmp_path / "out"
    code = (
        f"import time\nfor n in range(30): print(n, flush=True); time.sleep(0.1)\nprint(open({str(SAMPLE)!r}).read())"
    )
    with target.open("wb") as out:
        job = start("--silence", "1s", "--", *python(code), stdout=out)
    beside = watcher(job.pid)
    time.sleep(1.6)
    kill(job.pid)
    assert job.stderr
    assert b"TEN404-InferIntrinsicOnCC" in job.stderr.read()
    job.wait()
    assert target.read_bytes() == "".join(f"{n}\n" for n in range(30)).encode() + SAMPLE.read_bytes() + b"\n"
    assert ends(beside)


def test_small_pieces_and_large_ones_arrive_as_they_were_sent() -> None:
    line, mine = os.pipe()
    feed = Feed(mine)
    sent = [(OUTPUT, n % 2, b"x" * size) for n, size in enumerate([0, 1, 5, 6, 7, 300, 4096, 20_000, 3, 30_000])]
    for frame in sent:
        feed.send(*frame)
    feed.send(EXIT)
    feed.finish(0)
    for size in (0, 1, 5, 6, 7, 10, 500):
        again, mine = os.pipe()
        text = b"".join(packed(frame) for frame in [*sent, (EXIT, 0, b"")])
        os.write(mine, text[size:])
        os.close(mine)
        assert list(frames(again, text[:size])) == [*sent, (EXIT, 0, b"")]
    assert list(frames(line, b"")) == [*sent, (EXIT, 0, b"")]
