"""`watch`: each finding once, soon; rotation, truncation, files that come later; the exit code of explain."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from live.jobs import ENVIRONMENT, ROOT

from neurontriage.knowledge.catalog import Catalog
from neurontriage.live.following import NO_FILE, Flock, Followed
from neurontriage.live.watching import Watch

SAMPLE = (ROOT / "samples" / "compiler-internal" / "ten404-loop.log").read_bytes()
HEALTHY = b"".join(b"2026-07-01 05:32:01,123 - trainer - step %d loss 2.1\n" % n for n in range(2000))
CODE = "TEN404-InferIntrinsicOnCC"


def start(*words: str, **options: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "neurontriage", "watch", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT, **options)


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


def looked(file: Followed, times: int) -> list[bytes]:
    return [text for _ in range(times) if (text := file.news(100))]


def test_a_last_line_without_an_end_is_read_once_it_has_waited_and_again_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"one\nhal")
    file = Followed(path)
    assert looked(file, 1) == [b"one\n"]
    append(path, b"f")
    assert looked(file, 3) == []
    assert file.text == file.window == b"one\n"
    assert looked(file, 8) == [b"half"]
    assert (file.text, file.window) == (b"one\nhalf", b"one\n")
    append(path, b" and whole\n")
    assert looked(file, 8) == [b"half and whole\n"]
    assert file.text == file.window == b"one\nhalf and whole\n"


def test_a_line_that_ends_with_its_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"one\ntwo")
    file = Followed(path)
    assert looked(file, 1) == [b"one\n"]
    path.rename(tmp_path / "a.log.1")
    path.write_bytes(b"three\n")
    assert looked(file, 4) == [b"two\n", b"three\n"]
    assert file.first == 1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 1)])
def test_what_was_written_last_is_told_when_it_ends(tmp_path: Path, number: int, code: int) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(HEALTHY)
    with start("--format", "json", str(path), "later.log", stderr=subprocess.PIPE) as job:
        assert job.stdout and job.stderr and "later.log" in job.stderr.readline()
        append(path, b"ModuleNotFoundError: No module named 'torch_neuronx'")
        job.send_signal(number)
        assert "PY-NeuronModuleMissing" in job.stdout.read()
    assert job.returncode == code


def test_what_comes_faster_than_it_is_read_at_once_is_read_on_without_a_rest(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(HEALTHY * 100 + SAMPLE)
    flock, rests = Flock((str(path),)), []
    flock.files[str(path)] = Followed(path, file=path.open("rb"))
    watch = Watch(flock, catalog, lambda: bool(rests), rests.append)
    assert CODE in [one.id for fresh in watch.findings() for one in fresh.findings]


def test_progress_is_not_weighed_as_a_failure_may_be(catalog: Catalog) -> None:
    watch = Watch(Flock(()), catalog, lambda: True)
    steps = b"".join(b"2026-07-01 05:32:01.123 INFO step %d loss 2.1\n" % n for n in range(9))
    assert list(catalog.engine.scan(steps))
    assert not watch._tells(steps, watch._telling())


def test_many_files_are_read_in_small_pieces(tmp_path: Path) -> None:
    for number in range(64):
        (tmp_path / f"{number}.log").write_bytes(HEALTHY * 20)
    flock = Flock((str(tmp_path),))
    flock.look()
    assert sum(map(len, flock.news().values())) <= 32 << 20
    assert flock.behind


@pytest.mark.parametrize("path", ["-", "s3://bucket/job/"])
def test_what_is_no_file_is_refused(path: str) -> None:
    command = [sys.executable, "-m", "neurontriage", "watch", path]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"neurontriage explain {path}" in done.stderr


def test_a_named_pipe_keeps_no_file_from_being_followed(tmp_path: Path, catalog: Catalog) -> None:
    pipe, path, said, rests = tmp_path / "pipe", tmp_path / "a.log", [], []
    os.mkfifo(pipe)
    path.write_bytes(SAMPLE)
    watch = Watch(Flock((str(pipe), str(path))), catalog, lambda: bool(rests), rests.append, note=said.append)
    assert CODE in [one.id for fresh in watch.findings() for one in fresh.findings]
    assert said == [f"{pipe}: {NO_FILE}"]


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
