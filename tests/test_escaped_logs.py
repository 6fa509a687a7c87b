"""A log that comes as one escaped text, or with the signs of a browser or messenger, is answered like the log itself.

Samples, each in the forms in which an API, a job's status, a repr, a table or a paste carries it. How many of them may
be answered otherwise is a ceiling, lowered by hand when one is mended: short ones of which no line begins like one of a
log, and lines about a job that stand above its log.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

SAMPLES = Path(__file__).parent.parent / "samples"
CHOSEN: dict[str, list[str]] = yaml.safe_load(Path(__file__).with_name("escaped_logs.yaml").read_text())
Form = Callable[[str], str]
Root = tuple[str, str] | None


def literal(text: str) -> str:
    return text.rstrip("\n").replace("\t", "\\t").replace("\n", "\\n") + "\n"


def document(said: object) -> str:
    return json.dumps(said, indent=4) + "\n"


def training_job(text: str) -> str:
    quoted = f'ErrorMessage "{text.rstrip()}"\nCommand "python3 train.py --epochs 3", exit code: 1'
    reason = f"AlgorithmError: ExecuteUserScriptError:\nExitCode 1\n{quoted}"
    return document({"TrainingJobName": "t-0", "TrainingJobStatus": "Failed", "FailureReason": reason, "Tags": []})


def batch_job(text: str) -> str:
    container = {"exitCode": 1, "reason": text}
    attempt = {"container": container, "statusReason": "Essential container in task exited"}
    return document({"jobs": [{"jobName": "train", "status": "FAILED", "attempts": [attempt]}]})


def log_event(text: str) -> str:
    return document({"events": [{"timestamp": 1777600000000, "message": text, "ingestionTime": 1777600001000}]})


def pod(text: str) -> str:
    ended = {"exitCode": 1, "message": text, "reason": "Error"}
    return document(
        {"kind": "Pod", "status": {"containerStatuses": [{"name": "main", "state": {"terminated": ended}}]}}
    )


def pod_as_yaml(text: str) -> str:
    return f"status:\n  containerStatuses:\n  - state:\n      terminated:\n        message: {json.dumps(text)}\n"


def called(text: str) -> str:
    said = "subprocess.CalledProcessError: Command '['neuronx-cc', 'compile']' returned non-zero exit status 1."
    return f"{said} stdout=b'' stderr={text.encode()!r}\n"


def docker_of_json(text: str) -> str:
    return json.dumps({"log": json.dumps({"message": text}) + "\n", "stream": "stderr"}) + "\n"


def logfmt(text: str) -> str:
    return f'time="2026-05-01T10:00:00Z" level=error msg="step failed" error={json.dumps(text)}\n'


def page(text: str) -> str:
    escaped = html.escape(text.rstrip("\n")).replace("&#x27;", "&#39;")
    return escaped.replace("  ", "&nbsp;&nbsp;").replace("\n", "<br>") + "\n"


def messenger(text: str) -> str:
    typed = re.sub(r'"([^"\n]*)"', "\u201c\\1\u201d", text)
    typed = re.sub(r"'([^'\n]*)'", "\u2018\\1\u2019", typed).replace("'", "\u2019")
    return typed.replace(" --", " \u2013").replace("  ", "\u00a0\u00a0").replace("...", "\u2026")


def table(text: str) -> str:
    written = io.StringIO()
    rows = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n")
    rows.writerows([["@timestamp", "@message"], ["2026-05-01 10:00:00.000", text.rstrip("\n")]])
    return written.getvalue()


FORMS: dict[str, tuple[Form, int]] = {
    "literal": (literal, 1),
    "a text of JSON": (lambda text: json.dumps(text) + "\n", 0),
    "escaped twice": (lambda text: json.dumps(literal(text)[:-1])[1:-1] + "\n", 1),
    "one field of JSON": (lambda text: json.dumps({"job": "train", "log": text, "seconds": 12.5}) + "\n", 0),
    "lines of DOS": (lambda text: json.dumps({"log": text.replace("\n", "\r\n")}) + "\n", 0),
    "a message with a level": (lambda text: json.dumps({"level": "error", "ts": 1.5, "msg": text}) + "\n", 3),
    "SageMaker": (training_job, 3),
    "AWS Batch": (batch_job, 2),
    "CloudWatch": (log_event, 2),
    "a pod": (pod, 2),
    "a pod as YAML": (pod_as_yaml, 2),
    "a task of Ray": (lambda text: f"[{{'name': 'train', 'state': 'FAILED', 'error_message': {text!r}}}]\n", 1),
    "bytes of Python": (lambda text: f"{text.encode()!r}\n", 0),
    "the output of a command": (called, 0),
    "JSON in JSON": (docker_of_json, 1),
    "logfmt": (logfmt, 1),
    "entities": (lambda text: html.escape(text), 0),
    "a page": (page, 1),
    "a messenger": (messenger, 1),
    "blanks that do not break": (lambda text: text.replace(" ", "\u00a0"), 0),
    "a cell of CSV": (table, 0),
}

SAY_FAILED = {"SageMaker", "AWS Batch", "a pod", "a pod as YAML", "a task of Ray", "the output of a command", "logfmt"}
"""What stands around the log in these forms says itself that something failed, or ended."""

LOUD = {"CloudWatch": 1}
"""Good runs in which something is seen as failed: what stands below the log hides that it went on."""


def texts(kind: str) -> Iterator[tuple[str, str]]:
    for name in CHOSEN[kind]:
        yield name, (SAMPLES / name).read_text(encoding="utf-8", errors="replace")


def root(text: str, catalog: Catalog) -> Root:
    found = [f for f in explain_text(text, "x.log", catalog).findings if f.role == "root" and f.severity == "error"]
    return (found[0].id, found[0].evidence[0].text.strip()) if found else None


@pytest.fixture(scope="module")
def plain(catalog: Catalog) -> dict[str, tuple[str, Root]]:
    """Each sample by its name: its text and its root."""
    found = {name: (text, root(text, catalog)) for name, text in texts("failed")}
    failed = {name: one for name, one in found.items() if one[1] is not None}
    assert len(failed) >= 40
    return failed


@pytest.mark.parametrize("form", FORMS)
def test_an_escaped_log_is_answered_like_the_log(
    form: str, plain: dict[str, tuple[str, Root]], catalog: Catalog
) -> None:
    escaped, most = FORMS[form]
    found = {name: root(escaped(text), catalog) for name, (text, _) in plain.items()}
    differ = [f"{name}: {plain[name][1]} -> {found[name]}" for name in plain if found[name] != plain[name][1]]
    assert len(differ) <= most, f"{len(differ)} > {most}\n" + "\n".join(differ)


@pytest.fixture(scope="module")
def healthy() -> dict[str, str]:
    """Samples of good runs; of what a person types or a model writes, the prompts and times are told by whole lines."""
    return dict(texts("healthy"))


@pytest.mark.parametrize("form", sorted(FORMS.keys() - SAY_FAILED))
def test_a_healthy_log_stays_quiet_in_any_form(form: str, healthy: dict[str, str], catalog: Catalog) -> None:
    escaped = FORMS[form][0]
    loud = [
        name
        for name, text in healthy.items()
        if any(one.severity == "error" for one in explain_text(escaped(text), "x.log", catalog).findings)
    ]
    assert len(loud) <= LOUD.get(form, 0), loud
