"""The real thing on the CPU client of PJRT: counts are exact and equal, whatever the times are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from neurontriage.contract import schema
from neurontriage.measure.plan import GRAPHS, PATTERNS

pytestmark = pytest.mark.xla
ROOT = Path(__file__).parent.parent.parent


def neurontriage(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "neurontriage", "measure", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=300)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """All 32 combinations, twice, with few trials: the counts need no more."""
    output = tmp_path_factory.mktemp("measure") / "result.json"
    done = neurontriage("--processes", "2", "--trials", "2", "--warmup", "1", "-o", str(output))
    assert done.returncode == 0, done.stderr + done.stdout
    loaded: dict[str, Any] = json.loads(output.read_text())
    return loaded


def test_all_combinations_are_measured(everything: dict[str, Any]) -> None:
    found = [(row["graph"], row["pattern"], row["status"]) for row in everything["patterns"]]
    assert found == [(graph, pattern, "measured") for graph in GRAPHS for pattern in PATTERNS]
    assert everything["schema"] == "neurontriage.measure/1"


@pytest.mark.parametrize("pattern", PATTERNS)
def test_counts_are_exact(everything: dict[str, Any], pattern: str) -> None:
    for row in everything["patterns"]:
        if row["pattern"] == pattern:
            counts, runs = row["counts"], 3 if pattern == "dependent" else 1
            assert counts["exact"], row["graph"]
            assert (counts["executions"], counts["synchronisations"], counts["compiles"]) == (runs, runs, 1)
            assert counts["fallbacks"] == {} and row["recompilations"] == 0 and counts["instructions"] > 0


def test_a_dependent_loop_has_a_smaller_graph_than_a_natural_one(everything: dict[str, Any]) -> None:
    size = {(row["graph"], row["pattern"]): row["counts"]["instructions"] for row in everything["patterns"]}
    assert all(size[graph, "dependent"] < size[graph, "vmap"] < size[graph, "natural"] for graph in GRAPHS)


def test_the_parts_of_a_first_run_are_told_apart(everything: dict[str, Any]) -> None:
    for row in everything["patterns"]:
        parts = sum(row[name]["median"] for name in ("lowering_time", "compile_time", "first_execution_time"))
        assert 0 < row["compile_time"]["median"] < row["first_run"]["median"]
        assert parts < 1.5 * row["first_run"]["high"]
    for process in everything["processes"]:
        assert all(process[name] > 0 for name in ("process_start", "import", "device_initialization", "first_graph"))


def test_the_result_is_as_the_published_schema_says(everything: dict[str, Any]) -> None:
    jsonschema.validate(everything, schema("measure"))


def test_the_times_are_labelled(everything: dict[str, Any]) -> None:
    assert "times do not" in everything["environment"]["times_of"]
    assert everything["environment"]["versions"]["torch-xla"].startswith("2.")


def test_a_new_process_for_every_combination() -> None:
    words = ("--graphs", "tiny", "--patterns", "natural,scan", "--processes", "1", "--trials", "2", "--warmup", "1")
    done = neurontriage(*words, "--enable-reinit", "--format", "json")
    found = json.loads(done.stdout)
    assert len(found["processes"]) == 2
    assert [row["status"] for row in found["patterns"]] == ["measured", "measured"]
    assert all(process["device_initialization"] > 0 for process in found["processes"])
