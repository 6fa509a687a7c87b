"""What the ranker is told of a claim and of its log: features.yaml, and that no weight waits for a name nobody says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage.claims.reading import Reading
from neurontriage.knowledge.catalog import Catalog
from neurontriage.ranking.features import Scene, whole
from neurontriage.ranking.ranker import load

LOGS = yaml.safe_load((Path(__file__).parent / "features.yaml").read_text())
Told = tuple[dict[int, set[str]], set[str]]


def told(text: str, catalog: Catalog) -> Told:
    """The features that hold, of the claim of each line and of the whole log."""
    reading = Reading(catalog)
    reading.read("a.log", [text.encode()])
    scene = Scene(reading.claims(), catalog.briefs, reading.courses)
    errors = [claim for claim in scene.claims if claim.severity == "error"]
    named = {claim.event.evidence.line: scene.features(claim) for claim in errors}
    return {line: _true(found) for line, found in named.items()}, _true(whole(scene, scene.courses["a.log"]))


def _true(features: dict[str, float]) -> set[str]:
    return {name for name, value in features.items() if value}


@pytest.mark.parametrize("case", LOGS, ids=lambda case: case["about"])
def test_what_is_told(case: dict[str, Any], catalog: Catalog) -> None:
    claims, log = told(case["text"], catalog)
    missing = {line: set(names) - claims[line] for line, names in case.get("has", {}).items()}
    wrong = {line: set(names) & claims[line] for line, names in case.get("lacks", {}).items()}
    assert not any(missing.values()), missing
    assert not any(wrong.values()), wrong
    assert set(case.get("log", ())) <= log
    assert not set(case.get("log_lacks", ())) & log


@pytest.mark.parametrize(
    ("line", "valued"),
    [
        ("ERROR: config file /etc/app/x.yaml is gone", True),
        ("ERROR: cannot map a buffer of 33.5 GiB", True),
        ("ERROR: shape (3, 4) does not fit [5, 4]", True),
        ("ERROR: nrt_load failed with status 1", True),
        ("ERROR: there is no 'frob' among them", True),
        ("ERROR: undefined symbol: _ZN5torch3jit", True),
        ("ERROR: something is invalid", False),
    ],
)
def test_values_in_a_line(line: str, valued: bool, catalog: Catalog) -> None:
    assert ("valued" in told(line, catalog)[0][1]) is valued


def test_how_long_a_log_is_and_how_many_failures_it_holds(catalog: Catalog) -> None:
    kinds = ["cache", "lock", "disk", "queue", "mesh", "ring", "fabric", "pool", "graph", "tensor", "table"]
    failures = [f"ERROR: {verb} the {kind}" for kind in kinds for verb in ("cannot open", "cannot close")]
    few, many = "\n".join(failures[:20]), "\n".join(failures[:21])
    assert {"log:crowd"} == told(many, catalog)[1] - told(few, catalog)[1]
    padded = {lines: told("\n" * (lines - 1) + "ERROR: cannot open", catalog)[1] for lines in (10, 11, 100, 101)}
    assert [lines for lines, found in padded.items() if "log:excerpt" in found] == [10]
    assert [lines for lines, found in padded.items() if "log:long" in found] == [101]


@pytest.mark.parametrize(
    ("end", "well"),
    [
        ("INFO step 3 loss 0.2", True),
        ("INFO Training completed successfully", True),
        ("INFO step 3 loss 0.2\nERROR could not open it", False),
        ("going on", False),
    ],
)
def test_a_log_that_ends_well(end: str, well: bool, catalog: Catalog) -> None:
    assert ("tail:well" in told(end, catalog)[1]) is well


LONE = [
    "going down",
    "2024-03-20T10:39:43Z USER 105543 [neuronxcc.driver.CommandDriver]: table.json is missing an entry",
    "the worker may exit, retrying",
    "Segmentation fault was caught, continuing",
    "exit code 3 is ignored",
    "INFO it may fail, retrying",
    "the root cause may be above, ignored",
    "ERROR cannot open it, retrying",
    "ERROR reading it again, optional",
    "worker died",
    "pid 7 was terminated by signal 15",
    "the root cause was shown above",
    "INFO could not find the thing",
    "INFO ||NCC_WRAPPER||: Got a cached failed neff at /c/neuronxcc-2.8.0.25/MODULE_1+d41d8cd9/",
    "INFO: 2023-08-24 20:21:11.000895:  161136  INFO ||NEURON_PARALLEL_COMPILE||: Total failed compilations: 2",
    "command terminated with exit code 137",
    "\n".join([f"ERROR: cannot open the {one}{two}" for one in "abcdef" for two in "uvxyz"] + [""] * 100),
]
"""What has one statement only, and a long log with a crowd of them."""
BY_GRAMMAR = ("word:", "family:", "kind:", "layer:", "tail:")
"""Features whose names come from grammars and entries."""


def test_no_weight_waits_for_a_feature_that_no_log_has(catalog: Catalog) -> None:
    """A feature that is renamed, or never computed, would leave its weight without effect, in silence."""
    texts = [case["text"] for case in LOGS] + LONE
    found = {name for text in texts for names in _all(told(text, catalog)) for name in names}
    ranker = load()
    fixed = {name for name in {*ranker.root, *ranker.alarm} if not name.startswith(BY_GRAMMAR)}
    assert fixed - found == set()


def _all(said: Told) -> list[set[str]]:
    return [*said[0].values(), said[1]]
