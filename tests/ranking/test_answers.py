"""What findings say beyond their ids: each log of answers.yaml beside its expectation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Finding
from neurontriage.triage import explain_text

LOGS = yaml.safe_load((Path(__file__).parent / "answers.yaml").read_text())


def faults(found: Finding, expected: dict[str, Any]) -> dict[str, Any]:
    """What is not as expected, with what it is instead."""
    said = {
        "known": found.known == expected.get("known", found.known),
        "title": expected.get("title", "") in found.title,
        "cause": expected.get("cause", "") in found.cause,
        "repro": found.repro == expected.get("repro", found.repro),
        "confidence": 0 < found.confidence < 1 or not expected.get("shares"),
        "affects": expected.get("affects", "") in (found.affects or ""),
    }
    wrong: dict[str, Any] = {name: getattr(found, name) for name, right in said.items() if not right}
    fields = {name: found.fields.get(name) for name in expected.get("fields", {})}
    if fields != expected.get("fields", {}):
        wrong["fields"] = fields
    fixes = list(expected.get("fixes", {}).items())
    if [(fix.title, fix.kind) for fix in found.workarounds][: len(fixes)] != fixes:
        wrong["fixes"] = found.workarounds
    kind, text = expected.get("why", (None, ""))
    if kind and (found.why is None or found.why.kind != kind or text not in found.why.text):
        wrong["why"] = found.why
    return wrong


@pytest.mark.parametrize("case", LOGS, ids=lambda case: case["about"])
def test_what_is_said(case: dict[str, Any], catalog: Catalog) -> None:
    diagnosis = explain_text(case["text"], "a.log", catalog)
    found = {finding.evidence[0].line: finding for finding in diagnosis.findings}
    wrong = {line: faults(found[line], expected) for line, expected in case["findings"].items()}
    assert not any(wrong.values()), wrong


@pytest.mark.parametrize(
    "line",
    [
        "python[7]: ring 7 received SIGSEGV",
        "ERROR widget 7 exceeds the limit of the press",
        "ERROR the press of widget 7 refused the plate",
        "ERROR plate 7 of the press is missing",
        "ERROR assertion of the press failed",
        "ERROR plate 7 of the press is invalid",
        "ERROR the press expected 7 plates",
        "ERROR the press cannot fetch plate 7",
        "ERROR the press and plate 7 at odds",
    ],
)
def test_what_no_entry_knows_has_steps_in_words(catalog: Catalog, line: str) -> None:
    for root in explain_text(f"pressing\n{line}\n", "a.log", catalog).roots:
        assert root.workarounds
        assert all(len(step.title) > 3 and len(step.detail) > 3 for step in root.workarounds)
        assert "None" not in root.cause + "".join(step.detail for step in root.workarounds)
