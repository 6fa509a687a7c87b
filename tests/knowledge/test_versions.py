"""Versions of a log against an entry's ranges: OSV semantics, and what is unknown stays unknown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.versions import applies, below, parsed

numbers = st.lists(st.integers(0, 40), min_size=1, max_size=4).map(lambda parts: ".".join(map(str, parts)))


@given(numbers, numbers, numbers)
def test_older_is_a_strict_weak_order(a: str, b: str, c: str) -> None:
    assert not below(a, a)
    assert not (below(a, b) and below(b, a))
    assert not (below(a, b) and below(b, c)) or below(a, c)


@given(numbers, numbers)
def test_a_range_ends_where_it_is_fixed(version: str, fixed: str) -> None:
    assert applies([{"introduced": "0"}, {"fixed": fixed}], version) == below(version, fixed)


@pytest.mark.parametrize(
    ("events", "version", "affected"),
    [
        ([{"introduced": "0"}, {"fixed": "2.15"}], "2.14.227.0+2d4f85be", True),
        ([{"introduced": "0"}, {"fixed": "2.15"}], "2.15.128.0", False),
        ([{"introduced": "2.5"}], "2.4.9", False),
        ([{"introduced": "2.5"}], "2.30", True),
        ([{"introduced": "2.5"}, {"last_affected": "2.7"}], "2.7.0", True),
        ([{"introduced": "2.5"}, {"last_affected": "2.7"}], "2.7.1", False),
        ([{"introduced": "1"}, {"fixed": "2"}, {"introduced": "3"}, {"fixed": "4"}], "2.5", False),
        ([{"introduced": "1"}, {"fixed": "2"}, {"introduced": "3"}, {"fixed": "4"}], "3.5", True),
    ],
)
def test_ranges(events: list[dict[str, str]], version: str, affected: bool) -> None:
    assert applies(events, version) is affected


def test_builds_are_not_numbers() -> None:
    assert parsed("2.21.18209.0+043b1bf7") == (2, 21, 18209, 0)
    assert parsed("2.0.62758.0a0+44863561") == (2, 0, 62758, 0)


def test_a_printed_compiler_names_its_sdk(catalog: Catalog) -> None:
    assert catalog.releases.sdk_in({"neuronx-cc": "2.21.18209.0+043b1bf7"}) == "2.26.0"
    assert catalog.releases.sdk_in({"neuronx-cc": "99.1"}) is None
    assert catalog.releases.sdk_in({}) is None


ARTICLE = {
    "affected": [{"package": "neuronx-cc", "events": [{"introduced": "0"}, {"fixed": "2.15"}]}],
    "fixed_in": {"sdk": "2.20"},
}


@pytest.mark.parametrize(
    ("article", "environment", "words"),
    [
        (ARTICLE, {"neuronx-cc": "2.14.227.0+2d", "sdk": "2.19.1"}, ["2.14.227.0", "SDK 2.19.1", "2.15", "upgrade"]),
        (ARTICLE, {"neuronx-cc": "2.16.345.0"}, ["has the fix", "another cause"]),
        (ARTICLE, {"neuronx-cc": "2.16.345.0", "sdk": "2.21.0"}, ["2.16.345.0 (SDK 2.21.0), which has the fix"]),
        (ARTICLE, {}, ["Fixed in SDK 2.20", "does not print"]),
        (
            {"affected": [{"package": "driver", "events": [{"introduced": "2.5"}]}]},
            {"driver": "2.6"},
            ["affected", "no fix is known", "as of SDK"],
        ),
        ({"affected": [{"package": "driver", "events": [{"introduced": "2.5"}]}]}, {"driver": "2.4"}, ["outside"]),
        ({"fixed_in": {"sdk": "2.27.0"}}, {"sdk": "2.26.0 to 2.26.1"}, ["SDK 2.26.0", "upgrade"]),
    ],
)
def test_what_is_said(article: dict, environment: dict[str, str], words: list[str], catalog: Catalog) -> None:
    said = catalog.releases.says(article, environment) or ""
    assert all(word in said for word in words), said


TWO = {
    "affected": [
        {"package": "runtime", "events": [{"introduced": "2.23"}, {"fixed": "2.24"}]},
        {"package": "driver", "events": [{"introduced": "0"}, {"fixed": "2.20"}]},
    ]
}


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"runtime": "2.25", "driver": "2.19"}, ["driver 2.19", "fixed in driver 2.20"]),
        ({"runtime": "2.23.5", "driver": "2.21"}, ["runtime 2.23.5", "fixed in runtime 2.24"]),
        ({"runtime": "2.25", "driver": "2.21"}, ["has the fix", "regression"]),
        ({"runtime": "2.22"}, ["outside"]),
    ],
)
def test_every_package_is_judged(environment: dict[str, str], words: list[str], catalog: Catalog) -> None:
    said = catalog.releases.says(TWO, environment) or ""
    assert all(word in said for word in words), said


def test_an_answer_for_a_class_asks_for_no_report_of_a_regression(catalog: Catalog) -> None:
    said = catalog.releases.says({**TWO, "general": True}, {"runtime": "2.25"}) or ""
    assert "another cause" in said
    assert "regression" not in said


def test_what_works_as_designed_is_no_open_fault(catalog: Catalog) -> None:
    article = {"behaviour": "nprocs is 1 or None since torch-xla 2.6.", "affected": TWO["affected"]}
    assert catalog.releases.says(article, {"runtime": "2.23.5"}) == f"Works as designed: {article['behaviour']}"


@pytest.mark.parametrize(
    ("applies", "environment", "obsolete"),
    [
        (["nki<0.1"], {"nki": "0.4.0"}, True),
        (["nki<0.1"], {"nki": "0.0.9"}, False),
        (["nki<0.1"], {}, False),
        (["sdk<=2.31"], {"sdk": "2.32.0"}, True),
        (["sdk<=2.31"], {"sdk": "2.31.0"}, False),
        (["inf1"], {"neuronx-cc": "2.14"}, True),
        (["inf1"], {"neuron-cc": "1.11"}, False),
        (["xrt"], {"torch-neuronx": "2.1.2.2.2.0"}, True),
        (["xrt"], {"torch-neuronx": "1.13.1.1.15.0"}, False),
    ],
)
def test_advice_of_another_era_says_so(
    applies: list[str], environment: dict[str, str], obsolete: bool, catalog: Catalog
) -> None:
    said = catalog.releases.says({"applies": applies}, environment) or ""
    assert ("another era" in said) is obsolete


def test_nothing_is_said_without_facts(catalog: Catalog) -> None:
    assert catalog.releases.says({}, {"neuronx-cc": "2.14"}) is None


def test_old_stacks_are_named(catalog: Catalog) -> None:
    assert any("Python 3.9" in note for note in catalog.releases.ended({"python": "3.8.10"}))
    assert not catalog.releases.ended({"python": "3.12.3"})


def test_versions_that_do_not_work_together_are_named(catalog: Catalog) -> None:
    assert any("2.33" in note for note in catalog.releases.ended({"driver": "2.29.0.0", "runtime": "2.31.24.0"}))
    assert not catalog.releases.ended({"driver": "2.29.0.0", "runtime": "2.33.10.0"})
    assert any("Inf1" in note for note in catalog.releases.ended({"driver": "2.26.10.0", "target": "inf1"}))
    assert not catalog.releases.ended({"driver": "2.24.7.0", "runtime": "2.22.19.0", "target": "inf1"})
