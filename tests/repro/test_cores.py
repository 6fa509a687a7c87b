"""NeuronCores: one process per core, pairs where a logical core is two, the user's own bounds kept."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from neurontriage.errors import TriageError
from neurontriage.repro import machine, placing
from neurontriage.repro.backends import load
from neurontriage.repro.cores import Allocator, cores_at_hand, lnc_of, parse_cores, with_settings


@pytest.mark.parametrize(
    ("text", "cores"), [("0-3", (0, 1, 2, 3)), ("8", (8,)), ("0,2,4-5", (0, 2, 4, 5)), ("1,1", (1,))]
)
def test_ranges(text: str, cores: tuple[int, ...]) -> None:
    assert parse_cores(text) == cores


@pytest.mark.parametrize("text", ["", "x", "3-1", "1-", "-1", "0,,1"])
def test_a_wrong_range_is_named(text: str) -> None:
    with pytest.raises(TriageError, match="--cores"):
        parse_cores(text)


def test_the_cores_that_the_user_left_visible_are_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cores_at_hand("", 4) == (0, 1, 2, 3)
    monkeypatch.setenv("NEURON_RT_VISIBLE_CORES", "4-7")
    assert cores_at_hand("", 32) == (4, 5, 6, 7)
    assert cores_at_hand("5", 32) == (5,)
    with pytest.raises(TriageError, match="0 is not among NEURON_RT_VISIBLE_CORES=4-7"):
        cores_at_hand("0-3", 32)


def test_cores_that_the_host_does_not_have_are_refused() -> None:
    with pytest.raises(TriageError, match="32 is not among the 32 logical cores"):
        cores_at_hand("0-32", 32)


def test_a_logical_core_of_trn2_is_two_physical_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [lnc_of(target) for target in ("trn1", "inf2", "trn2", "trn3")] == [1, 1, 2, 2]
    with Allocator((3,), 2, tmp_path).lease() as lease:
        assert lease.physical == (6, 7)
        assert lease.environment == {"NEURON_RT_VISIBLE_CORES": "3", "NEURON_LOGICAL_NC_CONFIG": "2"}
    monkeypatch.setenv("NEURON_LOGICAL_NC_CONFIG", "1")
    assert lnc_of("trn2") == 1


def test_no_two_holders_share_a_core(tmp_path: Path) -> None:
    held: set[int] = set()
    most, clashes, lock = 0, [], threading.Lock()

    def work() -> None:
        nonlocal most
        with Allocator(range(4), 1, tmp_path).lease() as lease:
            with lock:
                clashes.extend([lease.core] if lease.core in held else [])
                held.add(lease.core)
                most = max(most, len(held))
            time.sleep(0.05)
            with lock:
                held.discard(lease.core)

    threads = [threading.Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not clashes
    assert most == 4


def test_a_holder_that_is_killed_gives_its_core_back(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys, time; from neurontriage.repro.cores import Allocator\n"
        "with Allocator((0,), 1, pathlib.Path(sys.argv[1])).lease(): print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    process.kill()
    process.wait()
    process.stdout.close()
    with Allocator((0,), 1, tmp_path).lease() as lease:
        assert lease.core == 0


def test_the_target_is_this_hosts_and_a_device_takes_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEURONTRIAGE_INSTANCE", "trn2.48xlarge")
    assert machine.detected_target() == "trn2"
    assert placing.right_target("", load("neuron")) == "trn2"
    assert placing.right_target("trn1", load("neuronx-cc")) == "trn1"
    with pytest.raises(TriageError, match=r"--target trn1: this host is trn2\.48xlarge"):
        placing.right_target("trn1", load("neuron"))
    allotted = placing.allocator(load("neuron"), "trn2")
    assert allotted is not None
    assert len(allotted) == 64


def test_workers_follow_memory_and_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 8000000 kB\nMemAvailable:    3072000 kB\n")
    assert placing.available_mb(meminfo) == 3000
    assert placing.available_mb(tmp_path / "absent") > 0
    monkeypatch.setattr(placing, "available_mb", lambda: 3000)
    assert placing.workers(0, None) == 1
    assert placing.workers(16, None) == 16
    assert placing.workers(16, Allocator(range(8), 1, tmp_path)) == 8
    assert placing.workers(0, Allocator(range(32), 1, tmp_path)) == 32


def test_under_another_lnc_an_attempt_stays_on_its_own_physical_cores() -> None:
    """Logical core 3 of pairs is on the physical cores 6 and 7; core 3 alone would be the second of another pair."""
    leased = {"NEURON_RT_VISIBLE_CORES": "3", "NEURON_LOGICAL_NC_CONFIG": "2"}
    alone = {"NEURON_LOGICAL_NC_CONFIG": "1"}
    assert with_settings(alone, leased) == {**alone, "NEURON_RT_VISIBLE_CORES": "6"}
    assert with_settings({}, leased) == {}
    assert with_settings(alone, {}) == alone
