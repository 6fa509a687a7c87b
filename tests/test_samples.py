"""The main test of the product: every sample log beside its expectation, one runner for all.

`<case>.expect` holds one line per finding that matters, the root first: `LINE ENTRY-ID ROLE`, and for a consequence the
edge into it, `LINE ENTRY-ID consequence KIND CAUSE-ID`. Indented below may stand all that it says: `count`, the
`lines` of its evidence, and its fields. `NEURONTRIAGE_GOLDEN=write` writes these anew where there are some.
`samples/benign/` must stay without warnings and errors, `samples/unknown/` must stay unknown.
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis, Finding
from neurontriage.ranking.graph import KINDS
from neurontriage.reports import renderer
from neurontriage.triage import explain_text

SAMPLES = Path(__file__).parent.parent / "samples"
EXPECTED = sorted(SAMPLES.rglob("*.expect"))
BENIGN = sorted((SAMPLES / "benign").glob("*.log"))
FRAMED = sorted((SAMPLES / "framed").glob("*.log"))
GAPS = sorted((SAMPLES / "known-gaps").glob("*.log"))
UNKNOWN = sorted((SAMPLES / "unknown").glob("*.log"))


def name(path: Path) -> str:
    return str(path.relative_to(SAMPLES))


def diagnosis(path: Path, catalog: Catalog) -> Diagnosis:
    return explain_text(path.read_text("utf-8", "surrogateescape"), str(path), catalog)


def expected(path: Path) -> list[tuple[str, ...]]:
    return [tuple(line.split()) for line in path.read_text().splitlines() if line.strip() and line[0] not in "# "]


def facts(finding: Finding) -> list[str]:
    """Everything that a finding says of its lines, each fact as it stands in an expectation."""
    lines = [f"{one.line}-{one.end_line}" if one.end_line > one.line else f"{one.line}" for one in finding.evidence]
    found = {"count": finding.count, "lines": " ".join(lines), **dict(sorted(finding.fields.items()))}
    return [f"  {name} {str(value).strip()}".rstrip() for name, value in found.items()]


def said(finding: Finding) -> tuple[str, ...]:
    found = (str(finding.evidence[0].line), finding.id, finding.role)
    return found if finding.why is None else (*found, finding.why.kind, str(finding.caused_by))


@pytest.mark.parametrize("path", EXPECTED, ids=name)
def test_sample(path: Path, catalog: Catalog) -> None:
    lines, findings = expected(path), diagnosis(path.with_suffix(".log"), catalog).findings
    told = [said(finding) for finding in findings]
    assert not [line for line in lines if line not in told], f"not found; the diagnosis says {told}"
    roots = [line[1] for line in lines if line[2] == "root"]
    if roots:
        assert [f.id for f in findings if f.role == "root"][: len(roots)] == roots


@pytest.mark.parametrize("path", EXPECTED, ids=name)
def test_a_sample_is_told_in_full(path: Path, catalog: Catalog) -> None:
    found = diagnosis(path.with_suffix(".log"), catalog)
    text = renderer("full")(found)
    assert not [root.id for root in found.roots if root.id not in text]


@pytest.mark.parametrize("path", [path for path in EXPECTED if "\n  " in path.read_text()], ids=name)
def test_what_a_finding_says(path: Path, catalog: Catalog) -> None:
    told = {" ".join(said(one)): one for one in diagnosis(path.with_suffix(".log"), catalog).findings}
    written = path.read_text().splitlines()
    whole = [line for line in written if not line.startswith("  ")]
    stated = [line for line, below in pairwise([*written, ""]) if line[:2] != "  " and below[:2] == "  "]
    full = [text for line in whole for text in (line, *(facts(told[line]) if line in stated and line in told else ()))]
    if os.environ.get("NEURONTRIAGE_GOLDEN") == "write":
        path.write_text("\n".join(full) + "\n")
    assert full == written


def test_every_consequence_names_the_edge_into_it() -> None:
    lines = [(name(path), *line) for path in EXPECTED for line in expected(path)]
    assert not [line for line in lines if line[3] == "consequence" and (len(line) != 6 or line[4] not in KINDS)]
    assert not [line for line in lines if line[3] != "consequence" and len(line) != 4]


def test_an_expectation_without_findings_says_so_and_is_held(catalog: Catalog) -> None:
    without = [path for path in EXPECTED if not expected(path)]
    assert not [name(path) for path in without if not path.read_text().startswith("# nothing")], "emptied?"
    assert not [name(path) for path in without if diagnosis(path.with_suffix(".log"), catalog).findings]


def test_every_log_of_a_slice_has_an_expectation() -> None:
    without = [
        name(log)
        for log in SAMPLES.rglob("*.log")
        if log.parent.name not in ("benign", "unknown", "known-gaps") and not log.with_suffix(".expect").exists()
    ]
    assert not without


def test_there_are_enough_samples() -> None:
    assert len(EXPECTED) >= 40
    assert len(BENIGN) >= 10
    assert len(UNKNOWN) >= 6


@pytest.mark.parametrize("path", [*BENIGN, *FRAMED], ids=name)
def test_benign_stays_silent(path: Path, catalog: Catalog) -> None:
    loud = [(f.id, f.evidence[0].line) for f in diagnosis(path, catalog).findings if f.severity == "error"]
    assert not loud


@pytest.mark.parametrize("path", GAPS, ids=name)
def test_a_known_gap_is_still_one(path: Path, catalog: Catalog) -> None:
    """Harmless lines that still raise an alarm, so that nobody forgets them; one that is mended moves to `benign/`."""
    assert [f.id for f in diagnosis(path, catalog).findings if f.severity == "error"]


@pytest.mark.parametrize("path", UNKNOWN, ids=name)
def test_unknown_stays_unknown(path: Path, catalog: Catalog) -> None:
    found = diagnosis(path, catalog)
    assert found.verdict == "failed"
    assert not [f.id for f in found.findings if f.known and f.severity == "error" and f.role == "root"]
    assert found.findings[0].workarounds, "an unknown failure says what to collect"


def test_every_causal_edge_is_shown_in_a_sample(catalog: Catalog) -> None:
    shown = set()
    for path in SAMPLES.rglob("*.log"):
        ids = [finding.id for finding in diagnosis(path, catalog).findings]
        shown |= {(cause, effect) for cause in ids for effect in ids}
    edges = {(cause, effect) for cause, brief in catalog.briefs.items() for effect in brief["explains"]}
    assert not sorted(edge for edge in edges - shown if not edge[1].startswith(("family:", "layer:")))
