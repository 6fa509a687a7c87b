"""Any number of workers, any order of arguments, slices, killed workers: the same bytes."""

from __future__ import annotations

import gzip
import itertools
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from incidents import SAMPLES, answer, incident

from neurontriage.claims.reading import Reading
from neurontriage.errors import Exit, TriageError
from neurontriage.incident import Way, crew, pool, read, task
from neurontriage.incident.watched import Watched
from neurontriage.knowledge.catalog import Catalog
from neurontriage.read import slices
from neurontriage.read.inputs import find
from neurontriage.read.trail import Trail

pytestmark = pytest.mark.slow  # many processes for each example

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices, bundles and what is worth a worker, all small enough for a test."""
    monkeypatch.setattr(slices, "SLICE", 20_000)
    monkeypatch.setattr(slices, "LEAD", 8_000)
    monkeypatch.setattr(slices, "TRAIL", 3_000)
    monkeypatch.setattr(task, "_BUNDLE", 10_000)
    monkeypatch.setattr(task, "_WORTH_UNPACKING", 2_000)


def test_what_a_task_tells_can_be_sent(tmp_path: Path, catalog: Catalog) -> None:
    fault = TriageError("a", "b", "c", "d", Exit.FOUND)
    sent = pickle.loads(pickle.dumps(fault))
    assert (str(sent), sent.reference, sent.exit_code) == (str(fault), "a", Exit.FOUND)
    for path in incident(tmp_path, 3):
        (one,) = find([path])
        found = task.told(task.Task(one), Reading(catalog), Watched(Trail(())))
        assert pickle.loads(pickle.dumps(found)).faults.keys() == found.faults.keys()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("each", [False, True], ids=["one incident", "each log"])
def test_the_same_answer_for_any_number_of_workers(tmp_path: Path, catalog: Catalog, each: bool) -> None:
    for seed in range(3):
        paths = incident(tmp_path / str(seed), seed)
        alone = answer(paths, catalog, Way(each))
        assert len(alone[0]) == (12 if each else 1)
        for workers in (2, 3, 7):
            random.Random(workers).shuffle(paths)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(pool, "BrokenProcessPool", ZeroDivisionError)  # no worker dies here
                assert answer(paths, catalog, Way(each, workers=workers)) == alone


@pytest.mark.usefixtures("small")
def test_a_killed_worker_costs_time_only(tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = incident(tmp_path, 5)
    alone = answer(paths, catalog, Way())
    work, here = pool._work, os.getpid()

    def killed(bundle: list[task.Task]) -> list[task.Told]:
        if os.getpid() != here and any(one.one.name.endswith("rank_12.log") for one in bundle):
            os.kill(os.getpid(), signal.SIGKILL)
        return work(bundle)

    monkeypatch.setattr(pool, "_work", killed)
    killed.__module__, killed.__qualname__ = pool.__name__, "_work"
    assert answer(paths, catalog, Way(workers=2)) == alone


@settings(max_examples=40, deadline=None)
@given(
    lines=st.lists(st.integers(0, 400), max_size=40),
    size=st.integers(1, 500),
    block=st.integers(1, 900),
    ended=st.booleans(),
)
def test_slices_hold_every_line_once(
    tmp_path_factory: pytest.TempPathFactory, lines: list[int], size: int, block: int, ended: bool
) -> None:
    text = b"\n".join(b"%d" % n + b"x" * length for n, length in enumerate(lines)) + b"\n" * ended
    cut = [text[at : at + block] for at in range(0, len(text), block)]
    whole = b"".join(cut).splitlines(keepends=True)
    found = [(one, b"".join(one.body)) for one in slices.sliced(whole, size)]
    assert b"".join(body for _, body in found) == text
    assert [one.continues for one, _ in found] == [False] + [True] * (len(found) - 1)
    ends = list(itertools.accumulate(len(body) for _, body in found))
    for (one, body), (after, _), end in zip(found, found[1:], ends, strict=False):
        assert body.endswith(b"\n")
        assert (after.lead, one.trail) == (text[:end], text[end:])  # of a short log all that stands around


def test_a_file_is_cut_at_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 1000)
    monkeypatch.setattr(slices, "LEAD", 100)
    monkeypatch.setattr(slices, "TRAIL", 70)
    for seed in range(20):
        rng = random.Random(seed)
        lengths = [rng.choice([0, 3, 30, 300, 3000]) for _ in range(60)]
        text = b"\n".join(b"y" * length for length in lengths) + b"\n" * rng.randrange(2)
        path = tmp_path / "x.log"
        path.write_bytes(text)
        one = slices.Input(str(path), path, len(text))
        bodies = []
        for span in slices.spans(one):
            piece = slices.slice_of(one, span)
            lead = piece.lead
            bodies.append(b"".join(piece.body))
            assert b"".join(bodies[:-1]).endswith(lead)
            assert text[len(b"".join(bodies)) :].startswith(piece.trail)
        assert b"".join(bodies) == text and len(bodies) == min(len(text) // 1000, 64)


def test_what_is_no_plain_file_is_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE", 100)
    for name, text in (
        ("u.log", "ä".encode("utf-16") * 500),
        ("z.log", gzip.compress(os.urandom(999))),
        ("n", b"\0" * 999),
    ):
        (tmp_path / name).write_bytes(text)
        assert slices.spans(slices.Input(name, tmp_path / name, len(text))) == []


def test_small_inputs_start_no_process(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "read_by", lambda *_: pytest.fail("a pool for one short log"))
    for workers in (0, 3):  # one log is one piece of work, whatever is asked
        assert read([str(SAMPLES[0])], catalog, Way(workers=workers)).diagnoses
    assert crew.workers_for([slices.Input("a", None, 99 << 20)], 0) == crew.cores() >= 1
    assert crew.workers_for([slices.Input("a.gz", None, 3 << 20)], 0) == crew.cores()
    assert crew.workers_for([slices.Input("a", None, 9)], 3) == 3


def _wait_for_children(running: subprocess.Popen[bytes]) -> None:
    """Until a process has started others and read for a moment, at most a minute: a busy machine starts late."""
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    for _ in range(600):
        if running.poll() is not None or children.read_text():
            break
        time.sleep(0.1)
    time.sleep(1)


def _reading(folder: Path) -> subprocess.Popen[bytes]:
    """Three processes at a long log, in a session of their own; the patterns are compiled before."""
    sample = ROOT / "samples" / "compiler-internal" / "ten404-loop.log"
    subprocess.run([sys.executable, "-m", "neurontriage", "explain", str(sample)], capture_output=True, check=False)
    text = sample.read_bytes()
    rng = random.Random(1)
    with (folder / "long.log").open("wb") as target:
        target.write(text)
        target.writelines(b"read of %s failed\n" % rng.randbytes(100).hex().encode() for _ in range(400_000))
    command = [sys.executable, "-m", "neurontriage", "explain", str(folder / "long.log"), "--workers", "3"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    _wait_for_children(running)
    return running


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_the_first_process(tmp_path: Path, number: int) -> None:
    with _reading(tmp_path) as running:
        os.kill(running.pid, number)
        running.communicate(timeout=60)  # ends when nobody holds the other side of its pipes


def test_ctrl_c_ends_all_workers_and_answers(tmp_path: Path) -> None:
    with _reading(tmp_path) as running:
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode in (130, 1), err  # 1: it was done before
    assert b"TEN404-InferIntrinsicOnCC" in out
    assert b"Traceback" not in err
