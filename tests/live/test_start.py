"""The command starts before anything is loaded that only an answer needs; its options mean the same on both ways."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from live.jobs import ENVIRONMENT, ROOT, RUN, python, run
from typer.main import get_command

from neurontriage.cli import build
from neurontriage.live.plan import _TAKES, asked, seconds

PLACED = {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")])}
HEAVY = {
    "collections",
    "contextlib",
    "functools",
    "queue",
    "struct",
    "threading",
    "enum",
    "re",
    "json",
    "typing",
    "dataclasses",
    "pathlib",
    "subprocess",
    "socket",
    "inspect",
    "typer",
    "rich",
    "lark",
}
"""What takes a good part of a millisecond or more to be imported, and what our own modules must do without here."""
LAUNCHED = ["-c", "from neurontriage.__main__ import entry; entry()", "run"]
"""As the program is started that an installer writes; `python -m` and `site` import some of it themselves."""


def imported(*words: str) -> set[str]:
    """The names of all modules that `run` and its watcher import."""
    timed = subprocess.run(
        [sys.executable, "-S", "-X", "importtime", *LAUNCHED, *words], capture_output=True, text=True, env=PLACED
    )
    return {row.rpartition("|")[2].strip() for row in timed.stderr.splitlines() if row.startswith("import time:")}


def test_nothing_heavy_is_imported_for_a_command_that_ends_well() -> None:
    found = imported("--silence", "1h", "--no-follow", "--", "/bin/echo", "well")
    assert "neurontriage.live.running" in found
    assert not found & HEAVY
    ours = {name for name in found if name.startswith("neurontriage.") and not name.startswith("neurontriage.live")}
    assert ours == {"neurontriage.__main__"}


def test_what_explains_is_imported_for_one_that_fails() -> None:
    assert {"neurontriage.triage", "re"} <= imported("--", "/bin/sh", "-c", "exit 3")


def test_the_command_starts_before_what_stands_beside_it_is_imported() -> None:
    timed = subprocess.run(
        [sys.executable, "-X", "importtime", *RUN[1:], "--", "/bin/no/such/command"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
    )
    assert timed.returncode == 127
    assert "neurontriage.live.running" in timed.stderr
    assert "neurontriage.live.job" not in timed.stderr


def test_every_option_is_read_on_the_short_way_too() -> None:
    command = get_command(build("run")).commands["run"]  # type: ignore[attr-defined]
    options = {name for one in command.params for name in (*one.opts, *one.secondary_opts) if name.startswith("-")}
    assert options - {"--help"} == {*_TAKES, "--follow", "--no-follow"}


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["true"], ["true"]),
        (["--", "--odd", "-o"], ["--odd", "-o"]),
        (["--silence", "90s", "sh", "-c", "x", "--silence"], ["sh", "-c", "x", "--silence"]),
        (["--no-follow", "--", "--", "x"], ["--", "x"]),
        (["-", "x"], ["-", "x"]),
    ],
)
def test_the_command_begins_behind_the_options(words: list[str], command: list[str]) -> None:
    plan = asked(words)
    assert plan is not None
    assert plan.words == command


def test_options_are_kept(tmp_path: Path) -> None:
    report = tmp_path / "why.html"
    asking = ["--silence", "2h", "-o", str(report), "--redact", "strict", "--knowledge", str(tmp_path)]
    plan = asked([*asking, "--follow-root", "/logs", "--follow-root", "/more", "--no-follow", "x"])
    assert plan is not None
    assert (plan.silence, plan.report, plan.redact, plan.follow) == (7200, str(report), "strict", False)
    assert (plan.knowledge, plan.roots, plan.places()) == ([str(tmp_path)], ["/logs", "/more"], ())


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--"],
        ["--help"],
        ["-h"],
        ["--silence"],
        ["--silence", "soon", "x"],
        ["--silence=5s", "x"],
        ["-o", "x.pdf", "x"],
        ["-o", "/no/dir/x.md", "x"],
        ["--redact", "all", "x"],
        ["--knowledge", "/no/dir", "x"],
        ["--slience", "5s", "x"],
    ],
)
def test_what_is_not_understood_is_left_to_the_command_line(words: list[str]) -> None:
    assert asked(words) is None


def test_the_long_way_runs_the_command_too() -> None:
    done = run("--silence=1h", "--", "echo", "well")
    assert (done.stdout, done.returncode) == (b"well\n", 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("90", 90), ("90s", 90), ("1.5m", 90), ("2h", 7200), ("0", 0)]
    + [(text, None) for text in ("", "s", "1.", ".5", "-1", "1e3", "1d", "٣", "1_0", " 1", "1.5.2")],
)
def test_times(text: str, expected: float | None) -> None:
    assert seconds(text) == expected


def test_binary_output_of_a_success_is_passed_on_silently() -> None:
    done = run("--", *python("import sys; sys.stdout.buffer.write(bytes(range(256)) * 300)"))
    assert (done.stdout, done.stderr, done.returncode) == (bytes(range(256)) * 300, b"", 0)


def test_the_command_has_the_files_that_we_were_started_with() -> None:
    told, tell = os.pipe()
    done = run("--", *python(f"import os; os.write({tell}, b'here\\n')"), pass_fds=[tell])
    os.close(tell)
    assert os.read(told, 100) == b"here\n"
    assert done.returncode == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed_harm_nothing(tmp_path: Path, closed: str) -> None:
    shell = f"{' '.join(RUN)} -- sh -c 'echo one; echo two >&2; echo ran > {tmp_path}/ran; exit 5' {closed}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, env=ENVIRONMENT, timeout=60)
    assert (done.returncode, (tmp_path / "ran").read_text()) == (5, "ran\n")
    assert (b"one\n" in done.stdout) == ("<&- >&-" not in f" {closed}" and not closed.startswith(">"))
