"""`watch`: each finding once, soon; rotation, truncation, files that come later; the exit code of explain."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from live.jobs import ENVIRONMENT, ROOT

from neurontriage.knowledge.catalog import Catalog
from neurontriage.live.following import Flock, Followed
from neurontriage.live.watching import Watch

SAMPLE = (ROOT / "samples" / "compiler-internal" / "ten404-loop.log").read_bytes()
HEALTHY = b"".join(b"2026-07-01 05:32:01,123 - trainer - step %d loss 2.1\n" % n for n in range(2000))
CODE = "TEN404-InferIntrinsicOnCC"


def start(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "neurontriage", "watch", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)


def append(path: Path, text: bytes) -> None:
    with path.open("ab") as file:
        file.write(text)


def test_a_finding_is_one_line_of_json_and_comes_once(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    with start("--format", "json", str(path)) as job:
        assert job.stdout
        append(path, HEALTHY)
        append(path, SAMPLE)
        first = json.loads(job.stdout.readline())
        append(path, HEALTHY + SAMPLE)
        time.sleep(1.5)
        job.send_signal(signal.SIGTERM)
        others = [json.loads(line) for line in job.stdout]
    told = [first, *others]
    assert {one["schema"] for one in told} == {"neurontriage.watch/1"}
    assert [one["id"] for one in told].count(CODE) == 1
    lines = (HEALTHY + SAMPLE).split(b"\n")
    where = next(one for one in told if one["id"] == CODE)["evidence"][0]
    assert lines[where["line"] - 1].decode().strip() == where["text"]
    assert job.returncode == 1


def test_until_failure_ends_with_the_whole_answer(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(HEALTHY)
    with start("--until-failure", str(tmp_path)) as job:
        assert job.stdout
        time.sleep(0.5)
        append(path, SAMPLE)
        said = job.stdout.read()
    assert job.returncode == 1
    assert CODE in said
    assert ": consequence: neuronx-cc stopped with exit status 70" in said


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_healthy_log_is_silent(tmp_path: Path, number: int, code: int) -> None:
    (tmp_path / "train.log").write_bytes(HEALTHY)
    with start(str(tmp_path / "train.log")) as job:
        time.sleep(3)
        job.send_signal(number)
        assert job.stdout and job.stdout.read() == ""
    assert job.returncode == code


def numbered(file: Followed) -> list[tuple[int, bytes]]:
    return [(file.first + n, line) for n, line in enumerate(file.window.split(b"\n")[:-1])]


def test_lines_keep_their_numbers_while_the_window_moves(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(b"")
    file, seen = Followed(path), b""
    for n in range(200):
        append(path, b"line %d\nhalf" % n if n % 3 else b" line %d\n" % n)
        seen += file.news(100)
        for number, text in numbered(file):
            assert text == path.read_bytes().split(b"\n")[number - 1]
        assert len(file.window) < 250
    assert seen == path.read_bytes()[: len(seen)]


def test_rotation_truncation_and_new_files(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    flock = Flock((str(tmp_path / "*.log"),))
    flock.look()
    assert flock.news() == {}
    path.write_bytes(b"one\n")
    flock.look()
    assert flock.news() == {str(path): b"one\n"}
    append(path, b"two\n")
    path.rename(tmp_path / "a.log.1")
    path.write_bytes(b"three\n")
    assert flock.news() == {str(path): b"two\n"}
    assert flock.news() == {}
    assert flock.news() == {str(path): b"three\n"}
    assert flock.files[str(path)].first == 1
    path.write_bytes(b"4\n")
    assert flock.news() == {}
    assert flock.news() == {str(path): b"4\n"}
    (tmp_path / "b.log").write_bytes(b"\0\1\2" * 100 + b"\n")
    flock.look()
    assert flock.news() == {}


def test_a_day_of_log_does_not_grow_what_is_kept(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "day.log"
    path.write_bytes(b"")
    flock = Flock((str(path),))
    rounds = iter(range(40))
    told = []

    def more(_seconds: float) -> None:
        append(path, HEALTHY * 5 + SAMPLE)

    watch = Watch(flock, catalog, lambda: next(rounds, None) is None, more)
    for fresh in watch.findings():
        told += [one.id for one in fresh.findings]
    assert told.count(CODE) == 1
    assert len(flock.files[str(path)].window) <= len(HEALTHY * 5 + SAMPLE) + flock.keep
