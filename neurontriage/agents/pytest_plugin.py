"""A pytest plugin: a failing test that compiled on Neuron or XLA gets a section that says why.

It costs nothing until a test fails. Switch it off with `-p no:neurontriage`.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

import pytest

SECTION = "neurontriage"
_OURS = re.compile(r"neuron|NRT_|NCC_|\bTEN404\b|torch_xla|XLA|libnrt|\[F13[0-9]\]", re.IGNORECASE)
_MOST = 16 << 20


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, pytest.TestReport]:
    """Adds the section to the report of a failed phase, after everything else has been captured."""
    report: pytest.TestReport = yield
    if report.failed:
        text = "\n".join([*(content for _, content in report.sections), report.longreprtext])
        if _OURS.search(text) and (said := _explained(text[-_MOST:])):
            report.sections.append((SECTION, said))
    return report


def _explained(text: str) -> str:
    """What is known of a failure, "" when nothing is: a test fails for many reasons that are not ours."""
    from neurontriage.agents.brief import brief, fitted
    from neurontriage.render.redaction import redacted
    from neurontriage.triage import explain_text

    diagnosis = explain_text(text, "captured output")
    known = [finding for finding in diagnosis.roots if finding.recognised]
    return fitted(brief(redacted(diagnosis))) if known else ""
