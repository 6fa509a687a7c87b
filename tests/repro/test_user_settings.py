"""What the user has set for their own work: flags and caches stay out of a case, everything else comes along."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from neurontriage.repro import lowering, publish
from neurontriage.repro.attempt import flags_of
from neurontriage.repro.backends import Job, load
from neurontriage.repro.catalogue import all_cases, find_case
from neurontriage.repro.lowering import Lowered
from neurontriage.repro.worker_process import Worker

MINE = {
    "NEURON_CC_FLAGS": "--optlevel=3 --cache_dir=/mine --auto-cast=all",
    "NEURON_COMPILE_CACHE_URL": "s3://mine/cache",
    "NEURON_FRAMEWORK_DEBUG": "1",
    "NEURONX_DUMP_TO": "/mine/dumps",
}
KEPT = {"NEURON_RT_LOG_LEVEL": "INFO", "NEURON_RT_STOCHASTIC_ROUNDING_EN": "1"}
PRINTS = (sys.executable, "-c", "import json, os, sys; json.dump(dict(os.environ), sys.stderr)")


@pytest.fixture
def mine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**MINE, **KEPT}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("mine")
def test_a_worker_starts_without_the_users_flags_and_caches(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    with Worker({"PJRT_DEVICE": "CPU"}, log, PRINTS) as worker:
        worker._process.wait(60)
    seen = json.loads(log.read_text())
    assert not MINE.keys() & seen.keys()
    assert {name: seen.get(name) for name in KEPT} == KEPT
    assert seen["PJRT_DEVICE"] == "CPU"


@pytest.mark.usefixtures("mine")
def test_a_result_names_the_variables_that_its_attempts_saw() -> None:
    found = publish.telling(find_case("NCC-EVRF010"), load("neuronx-cc"), "trn2")
    assert found.items() >= {**KEPT, "NEURON_PLATFORM_TARGET_OVERRIDE": "trn2"}.items()
    assert not MINE.keys() & found.keys()


def on_the_device(name: str, job: Job, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The flags that torch-neuronx, or TorchNeuron, reads while it compiles."""
    seen: list[str] = []
    monkeypatch.setattr(lowering, "synchronise", lambda: seen.append(os.environ["NEURON_CC_FLAGS"]))
    lowered = Lowered((), None, b"", (), lambda: seen.append(os.environ["NEURON_CC_FLAGS"]) or ())
    load(name).compile(lowered, job)
    return shlex.split(seen[0])


def on_the_host(name: str, job: Job, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    from neurontriage.repro.backends import neuronx_cc

    return neuronx_cc.command(job)


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(
    ("name", "flags_seen"), [("neuronx-cc", on_the_host), ("neuron", on_the_device), ("torchneuron", on_the_device)]
)
def test_a_graph_is_compiled_with_the_flags_of_its_case_alone(
    name: str,
    flags_seen: Callable[[str, Job, pytest.MonkeyPatch], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The case's flags and those of `--flags`, in every backend alike: nothing of the user's, no other cache."""
    flags = flags_of(find_case("NCC-EVRF035"), "original", ("--lnc=1",))
    seen = flags_seen(name, Job(tmp_path, "trn2", flags, 30), monkeypatch)
    assert [flag for flag in seen if flag in flags] == ["--implicit-integer-downcast=none", "--lnc=1"]
    assert not {flag.partition("=")[0] for flag in seen} & {"--optlevel", "--auto-cast"}
    assert [flag for flag in seen if flag.startswith("--cache_dir=")] == [f"--cache_dir={tmp_path}/cache"] * (
        name == "neuron"
    )
    assert "mine" not in " ".join([*seen, os.environ.get("NEURON_COMPILE_CACHE_URL", "")] if name == "neuron" else seen)


def test_what_is_only_inferred_says_so_and_promises_nothing() -> None:
    """Optimisation levels and kinds of model are documented as flags; that they help with a pass is a conclusion."""
    levels = ("-O", "--optlevel", "--model-type")
    tried = [
        (case, each)
        for case in all_cases().values()
        for each in case.ALTERNATIVES
        if any(flag.startswith(levels) for flag in each.flags)
    ]
    assert {flag for _, each in tried for flag in each.flags} >= {"-O1", "--model-type=transformer"}
    for case, each in tried:
        assert case.ID.startswith("TEN404-")
        assert each.inferred
        assert not each.promised
        assert "inferred" in each.note
        assert each.source.startswith("https://awsdocs-neuron")
