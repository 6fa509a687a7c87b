"""Every format of a diagnosis: a golden file, its official schema or an independent reader, and hostile text."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from diagnoses import ATTACKS, CLEAN, EXIT, FAILED, ROOT, hostile
from junitparser import JUnitXml
from markdown_it import MarkdownIt

from neurontriage import __version__
from neurontriage.model import Diagnosis
from neurontriage.reports import names, renderer

HERE = Path(__file__).parent
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
FORMATS = ("terminal", "full", "json", "html", "markdown", "sarif", "junit", "github", "gitlab", "llm")


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
    assert [r["physicalLocation"]["region"]["startLine"] for r in result["relatedLocations"]] == [530, 413, 600]
    (flow,) = result["codeFlows"][0]["threadFlows"]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow["locations"]]
    assert lines == [410, 413, 600]


def test_junit_is_read_by_another_library() -> None:
    suites = JUnitXml.fromstring(renderer("junit")(FAILED).encode())
    (suite,) = list(suites)
    cases = list(suite)
    assert (suite.tests, suite.failures) == (2, 1)
    assert [len(case.result) for case in cases] == [1, 0]
    assert suite.timestamp == "2024-08-15T14:01:19"
    assert "Only consequences: 413 CC-ExitStatus70, 600 RUN-ChildFailed" in cases[0].result[0].text
    assert "+ total = (d * d).sum()" in cases[0].result[0].text
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
        "td", "sub", "details", "summary",
    }  # fmt: skip
    assert set(re.findall(r'href="([^"]*)"', html)) <= {"https://ok.example/"}
    assert "7*7" in html
    assert "49" not in re.findall(r"<h2>.*?</h2>", html)[0]


def test_github_has_one_command_per_cause() -> None:
    lines = renderer("github")(hostile()).splitlines()
    assert len(lines) == sum(finding.role == "root" for finding in hostile().findings)
    assert all(line.startswith("::error ") for line in lines)
    for line in lines:
        properties, _, message = line.removeprefix("::error ").partition("::")
        assert set(re.findall(r"(?:^|,)(\w+)=", properties)) <= {"file", "line", "endLine", "title"}
        assert "\n" not in message
    assert "No failure found" in renderer("github")(replace(CLEAN, ended_well=True))
    assert "was recognised" in renderer("github")(CLEAN)


def test_github_shows_the_root_first() -> None:
    first = renderer("github")(FAILED).splitlines()[0]
    assert "%0AOnly consequences: 413 CC-ExitStatus70, 600 RUN-ChildFailed" in first
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


def test_github_paths_are_those_of_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def annotation(path: str) -> str:
        evidence = ROOT.evidence[0]._replace(path=path)
        return renderer("github")(replace(FAILED, findings=(replace(ROOT, evidence=(evidence,)),)))

    assert "file=logs/a.log,line=410" in annotation(str(tmp_path / "logs" / "a.log"))
    assert "file=logs/a.log,line=410" in annotation("logs/a.log")
    for outside in ("/var/log/a.log", "<stdin>", "t.tgz!a.log", "../a.log"):
        assert "file=" not in annotation(outside)


def test_a_consequence_without_its_cause_is_told_by_itself() -> None:
    alone = replace(FAILED, findings=(replace(EXIT, caused_by="NOT-Here"),))
    assert renderer("github")(alone).count("::error ") == 1
    assert renderer("junit")(alone).count("<failure") == 1


def test_markdown_answers_in_two_lines() -> None:
    lines = [line for line in renderer("markdown")(FAILED).splitlines() if line]
    assert lines[0].startswith("## ❌ Failed: The tensorizer")
    assert lines[1].startswith("**Fix:** Sum the squares")
    assert lines.index("<details><summary>Why, every fix, what followed, versions</summary>") < 8


def test_the_answer_for_a_model_is_short_and_quotes_what_is_data() -> None:
    text = renderer("llm")(FAILED)
    assert len(text.splitlines()) < 40
    assert "proof build.log:410 rank 3: '[TEN404] (_sub.83) Internal tensorizer error: InferIntrinsicOnCC'" in text
    assert "only consequences: CC-ExitStatus70 at 413, RUN-ChildFailed at 600" in text
    evil = [line for line in renderer("llm")(hostile()).splitlines() if line.startswith("proof ")]
    assert all(line.rstrip()[-1] in "'\"" for line in evil)


@pytest.mark.parametrize("diagnosis", [FAILED, CLEAN, hostile()], ids=["failed", "clean", "hostile"])
def test_json_is_as_its_published_schema_says(diagnosis: Diagnosis) -> None:
    from neurontriage.contract import published, schema

    kept = json.loads(published("explain").read_text(encoding="utf-8"))
    assert kept == schema("explain"), "neurontriage schema explain > docs/schema/explain-1.json"
    jsonschema.Draft202012Validator(kept).validate(json.loads(renderer("json")(diagnosis)))


def test_json_has_nulls_and_no_missing_keys() -> None:
    data = json.loads(renderer("json")(FAILED))
    fixes = data["findings"][0]["workarounds"]
    assert fixes[1]["before"] is None and fixes[1]["after"] is None and fixes[0]["since"] is None
    assert data["findings"][1]["why"] is None and data["findings"][1]["repro"] is None
    assert "ranks" not in data and "runs" not in data and "compile" in data
    assert "compile" not in json.loads(renderer("json")(CLEAN))
    spans = replace(FAILED, environment={"sdk": "2.28.0 to 2.28.1"})
    assert json.loads(renderer("json")(spans))["environment"] == {"sdk": "2.28.1", "sdk_range": ["2.28.0", "2.28.1"]}
