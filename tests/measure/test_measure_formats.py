"""Every format of a measurement: complete, of one mind, safe with hostile text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from markdown_it import MarkdownIt
from measured_documents import hostile, whole

from neurontriage.contract import published, schema
from neurontriage.errors import TriageError
from neurontriage.measure import comparing, formats

pytestmark = pytest.mark.xla
ATTACKS = [
    "<script>alert(1)</script>",
    "\x1b]0;owned\x07\x1b[31mred",
    "a | b `c` [x](https://evil.example) ![i](https://evil.example/i.png) @everyone #1",
    "'\"><img src=x onerror=alert(1)>",
]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return whole()


@pytest.mark.parametrize("name", formats.names())
def test_every_format_says_what_matters(name: str, document: dict[str, Any]) -> None:
    text = formats.render(name, document)
    for words in ("vmap is the slowest of small", "nonzero" if name in ("html", "json") else "yesterday"):
        assert words in text.replace("\\", ""), words
    assert "NaN" not in text


@pytest.mark.parametrize("name", ["terminal", "markdown", "html"])
def test_hostile_text_stays_text(name: str) -> None:
    text = formats.render(name, hostile(ATTACKS))
    assert "\x1b" not in text and "\x07" not in text
    if name == "markdown":
        text = MarkdownIt("commonmark").enable("table").render(text)
        assert "href" not in text and "<img" not in text
    if name != "terminal":
        assert "<script>alert" not in text and "<img src=x" not in text


def test_json_is_the_document(document: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(formats.render("json", document))
    assert comparing.load(path) == json.loads(json.dumps(document))


def test_the_published_schema_is_that_of_the_models() -> None:
    assert json.loads(published("measure").read_text()) == schema("measure")


def test_results_are_as_the_published_schema_says(document: dict[str, Any]) -> None:
    jsonschema.validate(json.loads(formats.render("json", document)), schema("measure"))


def test_a_result_agrees_with_itself(document: dict[str, Any]) -> None:
    found = comparing.compared(document, document, "same")
    assert found["differences"] == [] and found["missing"] == []
    assert {row["verdict"] for row in found["rows"]} == {"cannot tell"}
    assert not any(row["counts"] for row in found["rows"])


def test_changed_counts_are_told_one_by_one(document: dict[str, Any]) -> None:
    old = json.loads(json.dumps(document))
    old["patterns"][0]["counts"]["compiles"] = 6
    old["configuration"]["batch"] = 4
    found = comparing.compared(old, document, "old")
    assert found["rows"][0]["counts"] == [["compiles", 6, 1]]
    assert ["batch", 4, 8] in found["differences"]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"schema": "neurontriage.measure/1"}', '{"schema": "x"}'])
def test_what_is_no_result_is_refused_by_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(TriageError, match=r"other\.json"):
        comparing.load(path)
