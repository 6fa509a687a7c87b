"""`run` is not felt by the command: the same bytes, the same exit code, the same signals, whatever happens to us."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from live.jobs import COUNTING, ENVIRONMENT, NUMBERS, ROOT, RUN, Terminal, kill, python, run, start, watcher

SAMPLE = ROOT / "samples" / "compiler-internal" / "ten404-loop.log"
SLOW_NUMBERS = """
import time
for n in range(400_000):
    print(n)
    if n % 20_000 == 0: time.sleep(0.05)
"""
BYTES = "import sys; sys.stdout.buffer.write(bytes(range(256)) * 3000); sys.stderr.buffer.write(b'\\xff\\r\\x00')"


def test_output_is_passed_on_byte_for_byte() -> None:
    plain = subprocess.run(python(BYTES), capture_output=True, check=True)
    ours = run("--", *python(BYTES))
    assert ours.stdout == plain.stdout
    assert ours.stderr.startswith(plain.stderr)
    assert ours.returncode == 0


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("raise SystemExit(0)", 0),
        ("raise SystemExit(3)", 3),
        ("raise SystemExit(255)", 255),
        ("import os; os.kill(os.getpid(), 9)", 137),
        ("import os; os.kill(os.getpid(), 15)", 143),
        ("import os; os.abort()", 134),
    ],
)
def test_the_exit_code_is_the_commands_own(code: str, expected: int) -> None:
    done = run("--", *python(code))
    assert done.returncode == expected
    assert bool(done.stderr) == (expected != 0)


@pytest.mark.parametrize(
    ("end", "found"),
    [
        ("kill -KILL $$", b"HOST-ProcessKilled"),
        ("exit 137", b"HOST-ProcessKilled"),  # as a shell that ran it
        ("kill -SEGV $$", b"HOST-Segfault"),
        ("kill -TERM $$", b"does not say why"),  # somebody asked it to end
        ("exit 3", b"does not say why"),
    ],
)
def test_a_death_without_a_word_is_told_as_a_shell_tells_it(end: str, found: bytes) -> None:
    assert found in run("--", "sh", "-c", f"echo loading; {end}").stderr


def test_a_command_that_is_not_there_ends_as_in_a_shell(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no program")
    assert run("--", "no-such-command-here").returncode == 127
    assert run("--", str(tmp_path / "data")).returncode == 126


def test_a_failure_is_explained_on_stderr_and_in_the_report(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = run("-o", str(report), "sh", "-c", f"cat {SAMPLE}; exit 4")
    assert done.returncode == 4
    assert done.stdout == SAMPLE.read_bytes()
    assert b"TEN404-InferIntrinsicOnCC" in done.stderr
    assert b"`sh -c 'cat " in done.stderr and b"exit code 4" in done.stderr
    assert json.loads(report.read_text())["findings"][0]["id"] == "TEN404-InferIntrinsicOnCC"


@pytest.mark.parametrize("code", [0, 4])
def test_much_output_is_read_as_it_comes(code: int) -> None:
    """More than what is only held until the command has ended."""
    rows = "for n in range(30): print(f'row {n} of the listing\\n' * 10_000)"
    done = run(
        "--",
        *python(f"{rows}\nprint('[TEN404] Internal tensorizer error: InferIntrinsicOnCC')\nraise SystemExit({code})"),
    )
    assert done.returncode == code
    assert len(done.stdout) > 4 << 20
    assert (b"TEN404-InferIntrinsicOnCC" in done.stderr) == (code == 4)


def test_what_is_to_be_taken_out_of_the_answer_and_the_report(tmp_path: Path) -> None:
    key, host = "AKIA" + "IOSFODNN7EXAMPLE", "ip-10-0-12-34.ec2.internal"
    line = f"[TEN404] Internal tensorizer error: InferIntrinsicOnCC {key} on {host}"
    seen = {}
    for level, suffix in (("", "md"), ("none", "md"), ("secrets", "json"), ("strict", "json")):
        report = tmp_path / f"report{level}.{suffix}"
        asked = ["--redact", level] if level else []
        done = run("-o", str(report), *asked, "sh", "-c", f"echo '{line}' >/dev/stderr; exit 4", cwd=tmp_path)
        answer = done.stderr.decode().partition("\n")[2]
        seen[level] = [one in text for text in (answer, report.read_text()) for one in (key, host)]
    assert seen[""] == [True, True, False, True]
    assert seen["none"] == [True, True, True, True]
    assert seen["secrets"] == [False, True, False, True]
    assert seen["strict"] == [False, False, False, False]


def test_files_that_the_output_names_are_read(tmp_path: Path) -> None:
    (tmp_path / "log-neuron-cc.txt").write_bytes(SAMPLE.read_bytes())
    words = ["sh", "-c", "echo 'Artifacts stored, see log-neuron-cc.txt and /gone/log-neuron-cc.txt .'; exit 1"]
    assert b"TEN404-InferIntrinsicOnCC" in run(*words, cwd=tmp_path).stderr
    assert b"TEN404-InferIntrinsicOnCC" not in run("--no-follow", *words, cwd=tmp_path).stderr


def test_a_success_is_silent() -> None:
    done = run("--", "echo", "well")
    assert (done.stdout, done.stderr, done.returncode) == (b"well\n", b"", 0)


@pytest.mark.parametrize(
    "words",
    [
        ["--silence", "soon", "true"],
        ["--redact", "all", "true"],
        ["-o", "x.pdf", "true"],
        ["-o", "/no/dir/x.md", "true"],
    ],
)
def test_wrong_options_are_refused_before_anything_runs(words: list[str]) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert words[1].encode() in done.stderr


@pytest.mark.slow
def test_a_hang_is_told_while_the_command_runs_on() -> None:
    done = run("--silence", "1s", "--", "sh", "-c", f"cat {SAMPLE}; sleep 15; echo back")
    assert done.returncode == 0
    assert done.stdout.endswith(b"back\n")
    assert b"no output for" in done.stderr
    assert b"TEN404-InferIntrinsicOnCC" in done.stderr


@pytest.mark.parametrize("to_group", [False, True])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1])
def test_a_signal_reaches_the_command_once(number: int, to_group: bool) -> None:
    with start("--", *python(COUNTING.format(2))) as job:
        assert job.stdout and job.stdout.readline() == b"ready\n"
        watcher(job.pid)
        time.sleep(0.3)
        if to_group:
            os.killpg(job.pid, number)
        else:
            os.kill(job.pid, number)
        assert job.stdout.read() == f"got [{int(number)}]\n".encode()
    assert job.returncode == 7


@pytest.mark.parametrize("after", [0.0, 0.1, 0.3])
def test_killed_ourselves_the_command_and_its_output_go_on(tmp_path: Path, after: float) -> None:
    target, marker = tmp_path / "out", tmp_path / "marker"
    code = SLOW_NUMBERS + f"open({str(marker)!r}, 'w').write('ended')"
    with target.open("wb") as out:
        job = start("--", *python(code), stdout=out, stderr=subprocess.DEVNULL)
    watcher(job.pid)
    time.sleep(after)
    kill(job.pid)
    job.wait()
    for _ in range(600):
        if marker.exists() and marker.read_text():  # it is there before what is written into it
            break
        time.sleep(0.05)
    assert marker.read_text() == "ended"
    expected = "".join(f"{n}\n" for n in range(400_000)).encode()
    for _ in range(100):
        if target.stat().st_size >= len(expected):
            break
        time.sleep(0.05)
    assert target.read_bytes() == expected


def test_with_the_watcher_killed_nothing_is_lost_but_the_answer() -> None:
    code = "print('ready', flush=True)\nimport time; time.sleep(1)\n" + NUMBERS.format(50_000) + "sys.exit(5)"
    with start("--", *python(code)) as job:
        assert job.stdout and job.stderr and job.stdout.readline() == b"ready\n"
        kill(watcher(job.pid))
        assert job.stdout.read() == "".join(f"{n}\n" for n in range(50_000)).encode()
        said = job.stderr.read()
    assert job.returncode == 5
    assert b"was killed" in said


def test_a_full_disk_costs_only_output() -> None:
    with open("/dev/full", "wb") as full:
        done = run("--", *python("print('x' * 5000)\nraise SystemExit(6)"), stdout=full, capture_output=False,
                   stderr=subprocess.PIPE)  # fmt: skip
    assert done.returncode == 6
    assert b"5001 bytes of output could not be passed on: No space left on device" in done.stderr


def test_a_reader_that_goes_away_is_felt_by_the_command_as_without_us() -> None:
    shell = f"{' '.join(RUN)} -- yes | head -n 2; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, env=ENVIRONMENT, timeout=60, check=True)
    assert done.stdout == b"y\ny\n141\n"


def test_what_the_command_leaves_running_can_still_write(tmp_path: Path) -> None:
    late = f"(sleep 2; echo late; echo ended > {tmp_path}/ended) & echo early; exit 1"
    with start("--", "sh", "-c", late) as job:
        assert job.stdout
        assert job.wait(60) == 1
        assert job.stdout.read() == b"early\nlate\n"
    assert (tmp_path / "ended").exists()


def test_both_streams_in_one_file_keep_their_order(tmp_path: Path) -> None:
    code = "import os\nfor n in range(3000): os.write(1 + n % 2, b'%d\\n' % n)"
    with (tmp_path / "both").open("wb") as both:
        assert run("--", *python(code), stdout=both, stderr=both, capture_output=False).returncode == 0
    assert (tmp_path / "both").read_text().split() == [str(n) for n in range(3000)]


SHOWN = "import os, sys; print([os.isatty(n) for n in range(3)], os.get_terminal_size().columns); sys.exit(3)"


def test_on_a_terminal_the_command_has_a_terminal(tmp_path: Path) -> None:
    terminal = Terminal([*RUN, "--", *python(SHOWN)], tmp_path)
    code = terminal.end()
    assert b"[True, True, True]" in terminal.seen
    assert b"exit code 3" in terminal.seen
    assert code == 3


def test_control_c_on_a_terminal_reaches_the_command_once(tmp_path: Path) -> None:
    terminal = Terminal([*RUN, "--", *python(COUNTING.format(2))], tmp_path)
    terminal.until(b"ready")
    terminal.type(b"\x03")
    assert terminal.end() == 7
    assert b"got [2]" in terminal.seen


def test_with_output_in_a_file_control_c_still_comes_once(tmp_path: Path) -> None:
    words = " ".join(f"'{word}'" for word in [*RUN, "--", *python(COUNTING.format(3))])
    terminal = Terminal(["/bin/sh", "-c", f"trap : INT; {words} > out; echo code $?"], tmp_path)
    for _ in range(400):
        if (tmp_path / "out").exists() and (tmp_path / "out").read_bytes():
            break
        time.sleep(0.05)
    time.sleep(0.5)
    terminal.type(b"\x03")
    terminal.until(b"code 7")
    assert (tmp_path / "out").read_text() == "ready\ngot [2]\n"
    terminal.end()


def test_a_closed_terminal_hangs_up_the_command_as_without_us(tmp_path: Path) -> None:
    code = """
import signal, sys, time
def hung_up(*_):
    open("hup", "w").write("yes"); sys.exit(0)
signal.signal(signal.SIGHUP, hung_up)
print("ready", flush=True)
time.sleep(60)
"""
    terminal = Terminal([*RUN, "--", *python(code)], tmp_path)
    terminal.until(b"ready")
    os.close(terminal.master)
    for _ in range(200):
        if (tmp_path / "hup").exists():
            break
        time.sleep(0.05)
    assert (tmp_path / "hup").exists()
    os.waitpid(terminal.pid, 0)


def test_a_terminal_that_ends_with_us_shows_nothing_of_what_stands_beside(tmp_path: Path) -> None:
    """The kernel hangs up the whole group when its leader ends, as in `ssh -t HOST neurontriage run …`."""
    terminal = Terminal([*RUN, "--", "sh", "-c", "echo 'RuntimeError: out of luck'; exit 3"], tmp_path)
    assert terminal.end() == 3
    assert b"out of luck" in terminal.seen
    assert b"Traceback" not in terminal.seen
