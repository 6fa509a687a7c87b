"""Every format of a diagnosis: a golden file, its official schema or an independent reader, and hostile text."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from diagnoses import ATTACKS, CLEAN, FAILED, hostile
from junitparser import JUnitXml
from markdown_it import MarkdownIt

from neurontriage import __version__
from neurontriage.model import Diagnosis
from neurontriage.reports import names, renderer

HERE = Path(__file__).parent
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
FORMATS = ("terminal", "full", "json", "html", "markdown", "sarif", "junit", "github", "gitlab")


@pytest.fixture(autouse=True)
def narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def stable(text: str) -> str:
    """Without what changes for good reasons: version, style sheet, script and their hashes."""
    text = re.sub(r"<(style|script)>.*?</\1>", r"<\1>…</\1>", text, flags=re.S)
    return re.sub(r"sha256-[\w+/=]+", "sha256-…", text).replace(__version__, "VERSION")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(("case", "diagnosis"), [("failed", FAILED), ("clean", CLEAN)])
def test_golden(name: str, case: str, diagnosis: Diagnosis) -> None:
    text = stable(renderer(name)(diagnosis))
    golden = HERE / "golden" / f"{case}.{name}"
    if os.environ.get("NEURONTRIAGE_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FORMATS)
def test_no_control_character_comes_through(name: str) -> None:
    assert not CONTROL.search(renderer(name)(hostile()))


@pytest.mark.parametrize("diagnosis", [FAILED, CLEAN, hostile()], ids=["failed", "clean", "hostile"])
def test_sarif_follows_the_official_schema(diagnosis: Diagnosis) -> None:
    schema = json.loads((HERE / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    log = json.loads(renderer("sarif")(diagnosis))
    validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
    assert [f"{list(e.absolute_path)}: {e.message}" for e in validator.iter_errors(log)] == []
    run = log["runs"][0]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids))
    assert all(ids[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def test_sarif_points_to_the_line() -> None:
    result = json.loads(renderer("sarif")(FAILED))["runs"][0]["results"][0]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "build.log"
    assert place["region"]["startLine"] == 410
    assert result["level"] == "error"


def test_junit_is_read_by_another_library() -> None:
    suites = JUnitXml.fromstring(renderer("junit")(FAILED).encode())
    (suite,) = list(suites)
    cases = list(suite)
    assert (suite.tests, suite.failures) == (4, 3)
    assert [len(case.result) for case in cases] == [1, 1, 1, 0]
    assert "build.log:410" in cases[0].result[0].text
    (clean,) = list(next(iter(JUnitXml.fromstring(renderer("junit")(CLEAN).encode()))))
    assert clean.result == []


def test_junit_keeps_hostile_text_text() -> None:
    root = ElementTree.fromstring(renderer("junit")(hostile()))
    assert {element.tag for element in root.iter()} <= {
        "testsuites",
        "testsuite",
        "properties",
        "property",
        "testcase",
        "failure",
        "system-out",
    }
    assert any(case.get("name", "").endswith(ATTACKS[0]) for case in root.iter("testcase"))


def test_markdown_is_rendered() -> None:
    html = MarkdownIt("gfm-like", {"linkify": False}).render(renderer("markdown")(FAILED))
    assert "<h2>❌ Failed: The tensorizer cannot infer an intrinsic (InferIntrinsicOnCC)</h2>" in html
    assert "<td>2.14.227.0+2d4f85be</td>" in html
    assert '<a href="https://github.com/aws-neuron/aws-neuron-sdk/issues/947">' in html
    assert "total += d @ d.T" in html
    assert "A deprecated call | with a pipe" in html


def test_markdown_keeps_hostile_text_text() -> None:
    html = MarkdownIt("gfm-like", {"linkify": False}).render(renderer("markdown")(hostile()))
    tags = set(re.findall(r"<([a-z0-9]+)", html))
    assert tags <= {
        "h2", "h3", "p", "code", "pre", "ol", "ul", "li", "strong", "em", "a", "table", "thead", "tbody", "tr", "th",
        "td", "sub",
    }  # fmt: skip
    assert set(re.findall(r'href="([^"]*)"', html)) <= {"https://ok.example/"}
    assert "7*7" in html
    assert "49" not in re.findall(r"<h2>.*?</h2>", html)[0]


def test_github_has_one_command_per_finding() -> None:
    lines = renderer("github")(hostile()).splitlines()
    assert len(lines) == len(ATTACKS)
    assert all(line.startswith("::error file=") for line in lines)
    for line in lines:
        properties, _, message = line.removeprefix("::error ").partition("::")
        assert set(re.findall(r"(?:^|,)(\w+)=", properties)) == {"file", "line", "endLine", "title"}
        assert "\n" not in message
    assert renderer("github")(CLEAN) == "::notice title=neurontriage::No failure found\n"


def test_github_shows_the_root_first() -> None:
    first = renderer("github")(FAILED).splitlines()[0]
    assert first.startswith("::error file=build.log,line=410,endLine=410,title=TEN404-InferIntrinsicOnCC%3A ")


@pytest.mark.parametrize("diagnosis", [FAILED, CLEAN, hostile()], ids=["failed", "clean", "hostile"])
def test_gitlab_has_what_gitlab_asks_for(diagnosis: Diagnosis) -> None:
    schema = {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "properties": {
                "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                "location": {
                    "required": ["path", "lines"],
                    "properties": {
                        "path": {"type": "string", "pattern": "^[^/]"},
                        "lines": {"required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}},
                    },
                },
            },
        },
    }
    issues = json.loads(renderer("gitlab")(diagnosis))
    jsonschema.validate(issues, schema)
    prints = [issue["fingerprint"] for issue in issues]
    assert len(prints) == len(set(prints))


def test_all_formats_are_tested() -> None:
    assert sorted(FORMATS) == names()


def test_the_terminal_text_has_no_colours_where_nobody_sees_them() -> None:
    assert "\x1b" not in renderer("terminal")(FAILED)


def test_every_finding_of_a_diagnosis_is_shown() -> None:
    text = renderer("full")(FAILED)
    for finding in FAILED.findings:
        assert finding.title[:20] in " ".join(text.split())
