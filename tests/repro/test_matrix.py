"""JUnit and the page: what other tools and people see of many results."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from junitparser import JUnitXml

from neurontriage.repro import matrix

HOSTILE = "<script>alert(1)</script>\x1b[31m\x00]]>&"


def result(case: str, verdict: str, version: str | None = "2.21.1.0", reason: str = "because") -> dict[str, Any]:
    original = {"outcome": "reproduced", "seconds": 1.5, "reason": "", "finding": case}
    fix = {"name": "fix", "outcome": "compiled", "helps": True, "reason": "", "seconds": None}
    return {
        "case": case,
        "title": f"title of {case}",
        "provenance": "documented",
        "backend": "neuronx-cc",
        "versions": {},
        "compiler": {"path": "neuronx-cc", "version": version, "digest": "sha256:0"},
        "original": original,
        "alternatives": [fix],
        "verdict": verdict,
        "reason": reason,
    }


RESULTS = [
    result("A", "confirmed"),
    result("A", "not-reproduced", "2.100.0.0"),
    result("B", "refuted", reason=HOSTILE),
    result("C", "cannot-tell", None),
]


def test_compilers_are_ordered_by_version() -> None:
    document = matrix.matrix(RESULTS)
    assert [each["column"] for each in document["compilers"]] == ["neuronx-cc", "2.21.1.0", "2.100.0.0"]
    assert document["counts"] == {"cannot-tell": 1, "confirmed": 1, "not-reproduced": 1, "refuted": 1}


def test_the_table_of_the_site() -> None:
    fixed = {
        **RESULTS[0],
        "alternatives": [{"name": "a", "equivalent": True}, {"name": "b", "equivalent": False}, {"name": "c"}],
    }
    table = matrix.measured(matrix.matrix([fixed, *RESULTS[1:]]))
    assert table["columns"] == [
        "case", "what fails", "graph", "fixes with equal numbers", "neuronx-cc", "2.21.1.0", "2.100.0.0"
    ]  # fmt: skip
    assert table["rows"] == [
        ["A", "title of A", "documented", "1 of 2", "not run", "confirmed", "not-reproduced"],
        ["B", "title of B", "documented", "not compared", "not run", "refuted", "not run"],
        ["C", "title of C", "documented", "not compared", "cannot-tell", "not run", "not run"],
    ]
    assert "1 cannot-tell, 1 confirmed, 1 not-reproduced, 1 refuted" in table["about"]


def test_junit_is_read_by_its_own_library() -> None:
    text = matrix.junit(matrix.matrix(RESULTS))
    ElementTree.fromstring(text)
    suites = {suite.name: suite for suite in JUnitXml.fromstring(text.encode())}
    assert (suites["2.21.1.0"].tests, suites["2.21.1.0"].failures) == (2, 1)
    assert suites["2.100.0.0"].skipped == 1
    assert "\x00" not in text
    assert matrix.junit(RESULTS[0]).count("<testcase") == 1


class Cells(HTMLParser):
    """The classes of the table's cells, and every tag."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "td" and dict(attrs).get("class"):
            self.cells.append(str(dict(attrs)["class"]))


@pytest.mark.parametrize("document", [matrix.matrix(RESULTS), {"cases": RESULTS}])
def test_the_page_has_a_cell_per_case_and_compiler_and_escapes_what_logs_said(document: dict[str, Any]) -> None:
    page = matrix.page(document)
    found = Cells()
    found.feed(page)
    assert sorted(found.cells) == ["cannot-tell", "confirmed", "not-reproduced", "refuted"]
    assert "script" not in found.tags
    assert not {"link", "img", "iframe"} & set(found.tags)
    assert "title of A" in page
