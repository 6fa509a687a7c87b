"""Compile statistics from logs: what compiles again, how long, and whose fault it is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.facts.compiles import Compiles
from neurontriage.facts.recompiles import STORM
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis, Event, Evidence
from neurontriage.triage import explain_text

SAMPLES = Path(__file__).parent.parent.parent / "samples"


def explained(name: str, catalog: Catalog) -> Diagnosis:
    return explain_text((SAMPLES / f"{name}.log").read_text(), name, catalog)


@pytest.mark.parametrize("name", ["two-sizes", "steady-steps", "shared-cache"])
def test_what_is_normal_is_no_finding(name: str, catalog: Catalog) -> None:
    assert not [finding.id for finding in explained(f"benign/{name}", catalog).findings if "PERF" in finding.id]


def test_the_size_that_changed_is_named(catalog: Catalog) -> None:
    found = explained("performance/shapes", catalog)
    assert found.compiles
    one = found.compiles.recompilations[0]
    assert (one.place, one.graphs) == ("forward (/home/ubuntu/model.py:88)", 4)
    assert (one.tensor, one.dimension, one.sizes) == ("input_ids", 1, (291, 384, 412, 507))
    assert "Dimension 1 of tensor input_ids takes 4 sizes" in found.findings[0].title


def test_every_line_of_a_flood_is_counted(catalog: Catalog) -> None:
    log = (SAMPLES / "performance/fetches.log").read_text()
    found = explain_text(log * 40, "flood", catalog)
    title = next(finding.title for finding in found.findings if finding.id == "PERF-TooManySynchronisations")
    assert "200 times in 200 steps" in title


def test_seconds_and_share_of_the_time(catalog: Catalog) -> None:
    found = explained("performance/cold-cache", catalog).compiles
    assert found and found.compiled == 1
    # four compilations side by side, from 5 s to 332 s of a log from 5 s to 332 s
    assert found.share == 1.0
    later = explained("benign/shared-cache", catalog).compiles
    assert later and later.seconds == pytest.approx(285, abs=1) and later.longest_seconds == later.seconds
    assert later.share == pytest.approx(285 / 328, abs=0.01)


def test_times_of_a_builder_are_taken_up(catalog: Catalog) -> None:
    lines = ("Done compilation for the priority HLO in 79.06", "Finished Compilation for all HLOs in 8.5")
    found = explain_text("".join(f"INFO:Neuron:{line} seconds\n" for line in lines), "nxd", catalog).compiles
    assert found and (found.seconds, found.longest) == (pytest.approx(87.56), "the priority HLO")


def test_a_log_without_compilations_has_no_statistics(catalog: Catalog) -> None:
    assert explain_text("Killed\n", "log", catalog).compiles is None


def event(kind: str, line: int, **fields: str) -> Event:
    return Event("xla_debug", kind, fields, Evidence("log", line, line, kind))


@given(st.integers(1, 40))
def test_a_storm_starts_where_it_is_said(times: int) -> None:
    compiles = Compiles()
    for number in range(times):
        compiles.read(event("recompiled", number + 1, function="f", site="model.py:1"))
    assert bool(list(compiles.signs())) == (times + 1 >= STORM)


@settings(max_examples=60)
@given(st.lists(st.sampled_from(["cause", "graph", "frame", "recompiled", "guard", "counter", "value"]), max_size=40))
def test_any_order_of_lines_is_read(kinds: list[str]) -> None:
    """Interleaved writers and cut logs: lines come without those before them."""
    fields = {
        "what": "Execution", "cause": "access tensor value", "hash": "ab", "frame": "f (/a.py:1)", "function": "f",
        "site": "a.py:1", "guard": "0/0: tensor 'x' size mismatch at index 0. expected 8, actual 9",
        "name": "aten::nonzero", "number": "7",
    }  # fmt: skip
    compiles = Compiles()
    for line, kind in enumerate(kinds, 1):
        compiles.read(event(kind, line, **fields))
    list(compiles.signs())
    compiles.statistics(())


def test_what_is_kept_is_bounded() -> None:
    compiles = Compiles()
    for number in range(5000):
        compiles.read(event("recompiled", number + 1, function=f"f{number}", site="model.py:1"))
    assert len(compiles.debug.functions) <= 1001
