"""The trail: what a log names and is at hand is read too, within the folders allowed; the rest is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from neurontriage.incident import Way, read
from neurontriage.knowledge.catalog import Catalog
from neurontriage.read import trail as reading
from neurontriage.read.trail import Trail, error_text

WORK = "/tmp/ubuntu/neuroncc_compile_workdir/2c564ce0-b0d7-4441-b52e-000000000001"


TENSORIZER = (
    "2026-01-05T10:00:00Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC - Please open a support ticket\n"
)


def trail(text: str, *roots: Path) -> Trail:
    one = Trail(roots)
    assert b"".join(one.watch("given.log", [text.encode()])) == text.encode()
    return one


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (f"Call compiler with cmd: neuronx-cc compile {WORK}/model.hlo.pb --output x", [f"{WORK}/log-neuron-cc.txt"]),
        ("'--logfile=/tmp/nxd/_tp0_bk0/log-neuron-cc.txt']' died", ["/tmp/nxd/_tp0_bk0/log-neuron-cc.txt"]),
        ("Artifacts stored; see log-neuron-cc.txt, please", ["log-neuron-cc.txt"]),
        ("Got a cached failed neff at /c/nxcc-2.1/MODULE_1+a/model.neff. x", ["/c/nxcc-2.1/MODULE_1+a/model.log"]),
        ("  error_file: /tmp/torchelastic_a/attempt_0/1/error.json", ["/tmp/torchelastic_a/attempt_0/1/error.json"]),
        ("  error_file: <N/A>", []),
        ("slurmstepd: output in /fsx/slurm-12345_7.out", ["/fsx/slurm-12345_7.out"]),
        ("the model.log of yesterday", []),
    ],
)  # fmt: skip
def test_what_lines_name(line: str, named: list[str]) -> None:
    one = trail(f"before\n{line}\nafter\n")
    assert list(one.named) == named
    assert one.followed() == ([], tuple(one.named))


def test_a_named_file_at_hand_is_followed(tmp_path: Path) -> None:
    (tmp_path / "log-neuron-cc.txt").write_text("x")
    inputs, missing = trail("see log-neuron-cc.txt\n", tmp_path).followed()
    assert [one.name for one in inputs] == [str(tmp_path / "log-neuron-cc.txt")]
    assert missing == ()


def test_a_copied_folder_is_found_by_its_last_parts(tmp_path: Path) -> None:
    copied = tmp_path / "copy" / WORK.rpartition("/")[2]
    copied.mkdir(parents=True)
    (copied / "log-neuron-cc.txt").write_text("x")
    inputs, _ = trail(f"cmd: neuronx-cc {WORK}/model.pb --x\n", tmp_path / "copy").followed()
    assert [one.path for one in inputs] == [copied / "log-neuron-cc.txt"]


def test_what_was_given_is_not_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "log-neuron-cc.txt"
    path.write_text("x")
    one = Trail([tmp_path])
    list(one.watch(str(path), [b"log-neuron-cc.txt of this very compile\n"]))
    assert one.followed() == ([], ())


@pytest.mark.parametrize(
    "name", ["/etc/../etc/log-neuron-cc.txt", "../log-neuron-cc.txt", "/outside/log-neuron-cc.txt"]
)
def test_nothing_outside_the_roots_is_read(name: str, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "log-neuron-cc.txt").write_text("secret")
    (inside / "outside").symlink_to(tmp_path)
    inputs, missing = trail(f"see {name} now\n", inside).followed()
    assert (inputs, missing) == ([], (name,))


def test_a_pipe_or_device_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "log-neuron-cc.txt").symlink_to("/dev/zero")
    assert trail("see log-neuron-cc.txt\n", tmp_path).followed() == ([], ("log-neuron-cc.txt",))


def test_hostile_text_costs_little() -> None:
    text = b"log-neuron-cc.txt" * 200_000 + b"compile_workdir/" * 200_000
    one = Trail([])
    list(one.watch("x", [text]))
    assert len(one.named) < 500


def test_an_error_file_of_torchelastic_is_read_as_its_traceback() -> None:
    stack = 'Traceback (most recent call last):\n  File "t.py", line 1, in f\nRuntimeError: x'
    file = json.dumps({"message": {"message": "RuntimeError: x", "extraInfo": {"py_callstack": stack}}}).encode()
    assert b"".join(error_text([file[:50], file[50:]])) == stack.encode() + b"\n"
    assert b"".join(error_text([b'{"message": "plain"}'])) == b"plain\n"
    assert b"".join(error_text([b"no json\n"])) == b"no json\n"


def test_the_compilers_own_log_answers_what_the_job_log_cannot(tmp_path: Path, catalog: Catalog) -> None:
    work = tmp_path / "work" / WORK.rpartition("/")[2]
    work.mkdir(parents=True)
    (work / "log-neuron-cc.txt").write_text(TENSORIZER)
    job = tmp_path / "job.log"
    job.write_text(f"2026-01-05 10:00:00.000001:  77  ERROR ||NEURON_CC_WRAPPER||: Failed compilation with "
                   f"['neuronx-cc', 'compile', '{WORK}/model.hlo.pb', '--output', 'x']\n")  # fmt: skip
    alone = read([str(job)], catalog, Way(follow=None)).diagnoses[0]
    whole = read([str(job)], catalog, Way(follow=[tmp_path / "work"])).diagnoses[0]
    missing = read([str(job)], catalog).diagnoses[0]
    assert "TEN404-InferIntrinsicOnCC" not in {one.id for one in (*alone.findings, *missing.findings)}
    assert whole.findings[0].id == "TEN404-InferIntrinsicOnCC"
    assert [Path(one.path).name for one in whole.inputs] == ["job.log", "log-neuron-cc.txt"]
    assert (alone.collect, whole.collect, missing.collect) == ((), (), (f"{WORK}/log-neuron-cc.txt",))


def test_a_name_that_is_no_text_is_told_as_far_as_it_is_one() -> None:
    one = Trail([])
    list(one.watch("given.log", [b"see /fsx/\xff/log-neuron-cc.txt\n"]))
    assert list(one.named) == ["/fsx/\ufffd/log-neuron-cc.txt"]


def test_a_file_that_is_too_long_for_an_error_passes_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_LARGEST_ERROR", 9)
    assert b"".join(error_text([b"step 1\n"] * 5)) == b"step 1\n" * 5
