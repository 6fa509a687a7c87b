"""Streams, locales and terminals as they should not be: the answer is the same, or one message says what is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "samples" / "compiler-internal" / "ten404-loop.log"
PROGRAM = f"{sys.executable} -m neurontriage"
TOOL = f"{PROGRAM} explain"
PLACED = {**os.environ, "PYTHONPATH": str(ROOT)}


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """One command line in bash, in the checkout; {} stands for the sample."""
    return subprocess.run(
        ["bash", "-c", "set -o pipefail; " + command.replace("{}", str(SAMPLE))],
        stdin=subprocess.DEVNULL, capture_output=True, cwd=ROOT, env={**os.environ, **environment}, check=False,
    )  # fmt: skip


ASCII = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_a_locale_without_arrows_is_no_crash() -> None:
    done = shell(f"{TOOL} {{}}", **ASCII, COLUMNS="20", NO_COLOR="1")
    assert done.returncode == 1, done.stderr
    assert b"TEN404" in done.stdout
    assert b"\x1b" not in done.stdout
    done.stdout.decode("ascii")


def test_json_is_the_same_in_every_locale() -> None:
    command = f"{TOOL} {{}} --format json"
    assert shell(command, **ASCII).stdout == shell(command, PYTHONIOENCODING="utf-8").stdout != b""


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (f"{TOOL} {{}} >&-", 1, b""),  # whoever closes the output still gets the exit code
        (f"{TOOL} no/such.log 2>&-", 2, b""),
        (f"{TOOL} - <&-", 2, b"standard input is closed"),
        (f"{TOOL} {{}} >/dev/full", 2, b"No space left"),
        (f"{TOOL} {{}} --format json >/dev/full", 2, b"No space left"),
        (f"{TOOL} {{}} -o /dev/full", 2, b"No space left"),
        *((f"{PROGRAM} {words} >/dev/full", 2, b"No space left") for words in ("--help", "kb list", "watch {}")),
        (f"{TOOL} {{}} | true", 1, b""),
        (f"env -u HOME {TOOL} <(gzip -c {{}})", 1, b""),
    ],
)
def test_bad_streams_end_with_the_right_code(command: str, code: int, said: bytes) -> None:
    done = shell(command)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"itself failed" not in done.stderr


GONE = "mkdir gone; cd gone; rmdir ../gone;"


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        (f"{TOOL} {SAMPLE}", 1, b"TEN404"),
        (f"{TOOL} {SAMPLE} --format github", 1, b"TEN404"),
        (f"cat {SAMPLE} | {TOOL} -", 1, b"TEN404"),
        (f"{TOOL} train.log", 2, b"no such file"),
        (f"{PROGRAM} run -- sh -c 'cat {SAMPLE} >&2; exit 3'", 3, b"Replace the Python loop"),
    ],
)
def test_a_current_folder_that_is_removed_is_missed_by_nobody(
    tmp_path: Path, command: str, code: int, said: bytes
) -> None:
    words = ["bash", "-c", f"{GONE} {command}"]
    done = subprocess.run(words, capture_output=True, cwd=tmp_path, env=PLACED, check=False)
    assert done.returncode == code, done.stderr
    assert said in done.stdout + done.stderr
    assert b"itself failed" not in done.stderr


def test_names_that_are_no_text(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/a\xff\x1b]0;x\x07[bold].log"
    with open(name, "wb") as log:
        log.write(SAMPLE.read_bytes())
    command = [os.fsencode(part) for part in TOOL.split()] + [name]
    for format in ("json", "terminal", "html"):
        done = subprocess.run([*command, "--format", format], capture_output=True, cwd=ROOT, check=False)
        assert done.returncode == 1, done.stderr
        assert b"\x1b" not in done.stdout
        if format == "json":
            assert json.loads(done.stdout)["verdict"] == "failed"
    missing = subprocess.run([*command[:-1], name + b".gone"], capture_output=True, cwd=ROOT, check=False)
    assert missing.returncode == 2
    assert b"\x1b" not in missing.stderr


def test_what_was_left_out_is_said_on_stderr(tmp_path: Path) -> None:
    path = tmp_path / "job.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("rank0.log", SAMPLE.read_text())
        archive.writestr("model\x1b[31m.neff", b"NEFF\0\0")
    done = shell(f"{TOOL} {path}")
    assert done.returncode == 1
    assert b"left out 1 binary file" in done.stderr
    assert b"\x1b" not in done.stderr + done.stdout
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.neff", b"NEFF\0\0")
    done = shell(f"{TOOL} {path}")
    assert done.returncode == 2
    assert b"no text log" in done.stderr
