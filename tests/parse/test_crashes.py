"""How programs of many languages and tools end: the line that says why is the root, in a log of any length."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

CRASHES: dict[str, dict[str, str]] = yaml.safe_load(Path(__file__).with_name("crashes.yaml").read_text("utf-8"))
STEADY = ["table {n} read in 9 ms", "shard {n} opened, 31 rows", "window {n} of 80 moved on", "prefetch {n} took 4 us"]
ABOVE = (0, 12, 90)
"""Steady lines above: none, so few that every line is read, and so many that only those with a hit are."""


@pytest.mark.parametrize("name", CRASHES)
def test_what_a_program_dies_of_is_the_root(name: str, catalog: Catalog) -> None:
    for above in ABOVE:
        steady = "".join(f"{STEADY[number % 4].format(n=number)}\n" for number in range(above))
        findings = explain_text(steady + CRASHES[name]["printed"], "x.log", catalog).findings
        roots = [one for one in findings if one.role == "root" and one.severity == "error"]
        assert roots, (above, findings)
        assert CRASHES[name]["root"] in " ".join(line.text for line in roots[0].evidence[:2]), (
            above,
            roots[0].evidence,
        )
