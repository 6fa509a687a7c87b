"""Of what one of several speakers dies the log fails, whatever the others then do and say; unless it goes on itself."""

from __future__ import annotations

import re
from itertools import chain, zip_longest
from pathlib import Path

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

HERE = Path(__file__)
FORMS: dict[str, str] = yaml.safe_load(HERE.with_name("interleaved.yaml").read_text())
DEATHS: dict[str, dict[str, str]] = yaml.safe_load(HERE.with_name("deaths.yaml").read_text())
PROVEN = {form: lead for form, lead in FORMS.items() if form != "parallel"}
"""No line of a program that dies without a traceback proves a lead of which nothing is known."""
WAYS = {"in a block": 20, "line by line": 20, "long before the end": 60}
"""How the others' lines stand around the last words, and how many steps they go on to."""


def steps(speaker: int, first: int, last: int) -> list[tuple[int, str]]:
    return [(speaker, f"step {number} loss 2.{number:03}") for number in range(first, last)]


def together(first: int, last: int) -> list[tuple[int, str]]:
    return [*chain.from_iterable(zip(steps(0, first, last), steps(1, first, last), strict=True))]


def printed(form: str, said: list[tuple[int, str]]) -> str:
    return "".join(FORMS[form].replace("N", str(speaker)) + line + "\n" for speaker, line in said)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("death", DEATHS)
@pytest.mark.parametrize("form", PROVEN)
def test_the_log_fails_of_it(form: str, death: str, way: str, catalog: Catalog) -> None:
    dies = [(1, line) for line in DEATHS[death]["lines"].splitlines()]
    goes_on = [*steps(0, 12, WAYS[way]), (0, "flushed 5 shards"), (0, "job finished successfully")]
    turns = [*chain.from_iterable(zip_longest(dies, goes_on))] if way == "line by line" else [*dies, *goes_on]
    log = printed(form, [*together(0, 12), *filter(None, turns)])
    root = next(one for one in explain_text(log, "x.log", catalog).findings if one.role == "root")
    assert root.severity == "error"
    assert any(re.search(DEATHS[death]["states"], one.text) for one in root.evidence)


@pytest.mark.parametrize("death", DEATHS)
@pytest.mark.parametrize("form", FORMS)
def test_it_fails_of_none_that_goes_on_itself(form: str, death: str, catalog: Catalog) -> None:
    said = [*together(0, 12), *((1, line) for line in DEATHS[death]["lines"].splitlines())]
    said += [(1, "using the default pattern instead"), *together(12, 24)]
    said += [(speaker, "job finished successfully") for speaker in (0, 1)]
    assert not [one for one in explain_text(printed(form, said), "x.log", catalog).findings if one.severity == "error"]


@pytest.mark.parametrize("form", FORMS)
def test_who_seldom_speaks_need_not_be_dead(form: str, catalog: Catalog) -> None:
    said = [(2, "exporting metrics"), *together(0, 12), (2, "ERROR cannot reach the store of metrics")]
    said += [*together(12, 30), (0, "job finished successfully"), (1, "job finished successfully")]
    assert not [one for one in explain_text(printed(form, said), "x.log", catalog).findings if one.severity == "error"]
