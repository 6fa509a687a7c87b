"""What the commands write as JSON is as the published schemas say, whatever was read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from neurontriage.cli import build, run
from neurontriage.contract import DESCRIBED, published, schema
from neurontriage.knowledge.catalog import Catalog
from neurontriage.reports.json import document
from neurontriage.triage import explain_text

SAMPLES = Path(__file__).parents[2] / "samples"
RESULTS = sorted((SAMPLES / "analyze").glob("*.json"))


def written(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert run(build(words[0]), list(words)) in (0, 1)
    return json.loads(capsys.readouterr().out)


def check(name: str, document: Any) -> None:
    kept = json.loads(published(name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(kept).validate(document)


@pytest.mark.parametrize("name", DESCRIBED)
def test_the_published_schema_is_that_of_the_models(name: str) -> None:
    kept = json.loads(published(name).read_text(encoding="utf-8"))
    assert kept == schema(name), f"neurontriage schema {name} > docs/schema/{name}-1.json"
    jsonschema.Draft202012Validator.check_schema(kept)


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: path.stem)
def test_reports(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check("report", written(capsys, "report", str(path), "--format", "json"))


def test_a_report_with_an_older_one_and_its_log(capsys: pytest.CaptureFixture[str]) -> None:
    place = SAMPLES / "analyze"
    old, log = str(place / "training-supported.json"), str(place / "training-unsupported.log")
    words = ("report", str(place / "training-unsupported-verbosity-1.json"), "--format", "json")
    document = written(capsys, *words, "--compare", old, "--log", log)
    assert document["comparison"] and "log" in document
    check("report", document)


def test_a_report_of_which_every_text_is_odd(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = "\u202e<b>'\"\\\x1b[31m{{x}}\n"
    place = {"kind": odd, "failureAt": odd, "call": f"{odd}(7): {odd}", "opGraph": odd}
    unsupported = {"aten": [place], "xla": [{"hlo_instruction": odd, "aten_op": None}]}
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"support_percentage": "NaN%", "unsupported_operators": unsupported, odd: 1}))
    check("report", written(capsys, "report", str(path), "--format", "json"))


def test_many_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.log").write_text("")
    (tmp_path / "prose.log").write_text("a letter to nobody\n")
    logs = [*map(str, sorted((SAMPLES / "runtime").glob("*.log"))[:6]), str(tmp_path)]
    document = written(capsys, "explain", *logs, "--each", "--format", "json")
    check("each", document)
    assert {"empty", "unknown", "failed"} <= {log["verdict"] for log in document["logs"]}


@pytest.mark.parametrize("path", sorted(SAMPLES.rglob("*.log")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_a_document_says_holds_together(path: Path, catalog: Catalog) -> None:
    """As CONTRACT.md says: `count` counts the lines of evidence, `caused_by` names a finding, a title is one line."""
    found = document(explain_text(path.read_text(errors="replace"), path.name, catalog))["findings"]
    ids = {one["id"] for one in found}
    assert [one["id"] for one in found if one["count"] < len(one["evidence"])] == []
    assert [one["caused_by"] for one in found if one["caused_by"] not in {None, *ids}] == []
    assert [one["title"] for one in found if not one["title"].isprintable()] == []


@pytest.mark.parametrize("name", ["report", "each"])
def test_a_schema_refuses_what_it_does_not_describe(name: str) -> None:
    document = {"schema": f"neurontriage.{name}/1", "invented": 1}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema(name)).validate(document)


def test_a_table_of_many_logs_holds_no_secret_where_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.log"
    path.write_text("RuntimeError: no route to ip-172-31-61-252.ec2.internal for anybody\n")
    words = ("explain", str(path), "--each", "--format", "json")
    assert "ip-172-31-61-252" in json.dumps(written(capsys, *words))
    document = written(capsys, *words, "--redact", "strict")
    assert "ip-172-31-61-252" not in json.dumps(document)
    check("each", document)
