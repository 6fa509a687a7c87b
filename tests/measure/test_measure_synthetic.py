"""A device with known costs is recovered, and the two mistakes of single-run measurements are not made."""

from __future__ import annotations

import statistics
from typing import Any

import pytest
from synthetic import Costs, SyntheticDevice
from synthetic_sessions import measured, row

from neurontriage.measure import trial
from neurontriage.measure.device import Cut, Program
from neurontriage.measure.plan import Plan

COMPILE = {"natural": 0.060, "dependent": 0.030, "vmap": 0.200, "scan": 0.110}
RUN = {"natural": 0.00026, "dependent": 0.00018, "vmap": 0.00043, "scan": 0.00042}
pytestmark = pytest.mark.xla  # SciPy comes with this extra
PLAN = Plan(graphs=("small",), processes=3)


def programs(device: SyntheticDevice) -> list[Program]:
    cuts = {"dependent": 3}
    return [device.program("small", name, COMPILE[name], RUN[name], cuts.get(name, 1)) for name in COMPILE]


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    costs = Costs(first_use=0.012)
    return measured([SyntheticDevice(costs, seed) for seed in range(3)], programs, PLAN)


@pytest.mark.parametrize("pattern", COMPILE)
def test_every_cost_is_recovered_within_five_percent(result: dict[str, Any], pattern: str) -> None:
    found, cuts = row(result, "small", pattern), 3 if pattern == "dependent" else 1
    assert found["compile_time"]["median"] == pytest.approx(COMPILE[pattern], rel=0.05)
    assert found["lowering_time"]["median"] == pytest.approx(0.005, rel=0.05)
    # a loop that does not look at its values runs ahead: only the last of its queued executions is waited for
    host = cuts * (0.0002 + 0.00005)
    assert found["cached_run"]["median"] == pytest.approx(
        max(host + RUN[pattern], cuts * RUN[pattern] + 0.00025), rel=0.05
    )
    assert found["dominance"]["synchronisation_seconds"] == pytest.approx(cuts * 0.00005, rel=0.05)
    assert found["counts"] | {"instructions": 10} == {
        "graphs": 1, "compiles": 1, "executions": cuts, "synchronisations": cuts, "instructions": 10,
        "to_device": 0, "from_device": 0, "fallbacks": {}, "exact": True,
    }  # fmt: skip


def test_initialisation_is_told_apart_from_the_compilation(result: dict[str, Any]) -> None:
    assert statistics.median(each["first_use"] for each in result["processes"]) == pytest.approx(
        0.012 + 0.005, rel=0.05
    )
    assert result["processes"][0]["device_initialization"] == pytest.approx(0.002, rel=0.05)
    assert result["processes"][0]["first_transfer"] == pytest.approx(0.001, rel=0.05)
    assert result["sync_baseline"]["median"] == pytest.approx(0.00005, rel=0.05)


def test_the_parts_add_up_to_the_clock(result: dict[str, Any]) -> None:
    assert abs(result["model"]["error"]) < 0.05
    assert abs(result["model"]["per_combination_error"]) < 0.05


def test_the_first_mistake_takes_the_initialisation_for_the_compilation() -> None:
    """first run less cached run, without a warm-up of the process: the way that is wrong by the initialisation."""
    device = SyntheticDevice(Costs(first_use=0.012, jitter=0.0))
    step = device.step("small/natural", 0.0001, RUN["natural"])
    first, cached = trial.run(device, step), trial.run(device, step)
    assert first.seconds - cached.seconds > 100 * 0.0001
    plan = Plan(graphs=("small",), patterns=("natural",), processes=1)
    found = measured(
        [SyntheticDevice(Costs(first_use=0.012))],
        lambda device: [device.program("small", "natural", 0.0001, RUN["natural"])],
        plan,
    )
    assert row(found, "small", "natural")["compile_time"]["median"] == pytest.approx(0.0001, rel=0.05)


def test_the_second_mistake_calls_one_outlier_the_heaviest_pattern() -> None:
    """vmap and scan take the same; one run of vmap in each process takes 11 ms."""

    def slow(graph: str, number: int) -> float:
        return 0.011 if graph == "small/vmap" and number == 19 else 0.0

    equal = {"vmap": 0.00042, "scan": 0.00042}
    found = measured(
        [SyntheticDevice(Costs(), seed, slow) for seed in range(3)],
        lambda device: [device.program("small", name, COMPILE[name], run) for name, run in equal.items()],
        Plan(graphs=("small",), patterns=("vmap", "scan"), warmup=0, trials=10),
    )
    vmap, scan = row(found, "small", "vmap")["cached_run"], row(found, "small", "scan")["cached_run"]
    assert vmap["mean"] > 1.5 * scan["mean"] and max(vmap["outliers"]) > 0.01
    assert vmap["median"] == pytest.approx(scan["median"], rel=0.05)
    assert found["comparisons"][0]["pairs"][0]["verdict"] == "cannot tell"
    assert found["comparisons"][0]["heaviest"] is None


def test_a_long_queue_does_not_reach_the_next_run() -> None:
    both = {"vmap": 0.1, "scan": 0.0003}
    found = measured(
        [SyntheticDevice(Costs())],
        lambda device: [device.program("small", name, 0.01, run) for name, run in both.items()],
        Plan(graphs=("small",), patterns=("vmap", "scan"), processes=1),
    )
    light = row(found, "small", "scan")
    assert light["cached_run"]["median"] == pytest.approx(0.0003 + 0.00025, rel=0.05)
    assert light["parts_of_cached_run"]["execute_seconds"] == pytest.approx(0.0003, rel=0.05)
    assert found["comparisons"][0]["heaviest"] == "vmap"


def test_an_output_that_is_dropped_is_no_measurement() -> None:
    def make(device: SyntheticDevice) -> list[Program]:
        def dropped(cut: Cut) -> Any:
            device.value("lost", 0.06, 0.1)
            cut([])

        return [Program("small", "natural", dropped, 1, 1), device.program("small", "vmap", 0.01, 0.001)]

    found = measured([SyntheticDevice()], make, Plan(graphs=("small",), patterns=("natural", "vmap"), processes=1))
    lost = row(found, "small", "natural")
    assert (lost["status"], lost["cached_run"]) == ("failed", None)
    assert "nothing was executed" in lost["error"]
    assert row(found, "small", "vmap")["status"] == "measured"


def test_a_pattern_that_raises_leaves_the_others_alone() -> None:
    def make(device: SyntheticDevice) -> list[Program]:
        def raises(cut: Cut) -> Any:
            raise RuntimeError("no batching rule")

        return [Program("small", "vmap", raises, 1, 1), device.program("small", "natural", 0.01, 0.001)]

    found = measured([SyntheticDevice()], make, Plan(graphs=("small",), patterns=("natural", "vmap"), processes=1))
    assert row(found, "small", "vmap")["error"] == "RuntimeError: no batching rule"
    assert row(found, "small", "natural")["status"] == "measured"
    assert "1 of 2 combinations failed" in found["notes"]


def test_a_graph_that_changes_in_every_run_is_called_unstable() -> None:
    def make(device: SyntheticDevice) -> list[Program]:
        lengths = iter(range(1000))

        def growing(cut: Cut) -> Any:
            value = device.value(f"length {next(lengths)}", 0.02, 0.001)
            cut([value])
            return value

        return [Program("small", "natural", growing, 1, 1)]

    found = measured([SyntheticDevice()], make, Plan(graphs=("small",), patterns=("natural",), processes=1))
    unstable = row(found, "small", "natural")
    assert unstable["recompilations"] >= 10
    assert unstable["status"] == "failed" and unstable["error"] == "1 compilations, not 0"


def test_loading_is_told_apart_from_compiling_where_processes_share_a_cache() -> None:
    neffs: set[str] = set()
    devices = [SyntheticDevice(Costs(load=0.02), seed, neffs=neffs) for seed in range(3)]
    found = measured(devices, programs, PLAN, shared_cache=True)
    for pattern, seconds in COMPILE.items():
        one = row(found, "small", pattern)
        assert one["compile_time"]["median"] == pytest.approx(seconds, rel=0.05)
        assert one["load_time"]["median"] == pytest.approx(0.02, rel=0.05)
    assert abs(found["model"]["error"]) < 0.05
