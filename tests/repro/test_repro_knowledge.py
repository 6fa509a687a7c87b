"""Cases and knowledge belong together: no case without an entry, no torch fix without a case unless it is listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from shipped import ENTRIES

from neurontriage.repro.catalogue import all_cases

LISTED = yaml.safe_load((Path(__file__).parent / "without_case.yaml").read_text())
TORCH = re.compile(r"\btorch\b|\btorch_xla\b|\bxm\.|\bF\.|\bvmap\(|\bnn\.")
CAN_HAVE_A_CASE = ("compiler", "framework", "model-code")


def torch_fixes() -> set[str]:
    """Entries that show code to write with torch, in the layers where a graph can show the failure."""
    return {
        entry.id
        for entry in ENTRIES.values()
        if entry.layer in CAN_HAVE_A_CASE
        and any(each.kind == "code" and TORCH.search(each.after or "") for each in entry.workarounds)
    }


@pytest.mark.parametrize("case_id", all_cases())
def test_every_case_belongs_to_an_entry(case_id: str) -> None:
    case = all_cases()[case_id]
    entry = ENTRIES.get(case.NEEDS.entry or case_id)
    assert entry is not None
    assert case_id.startswith(entry.id) or case_id.replace("-", "_") in entry.aliases or case.NEEDS.compile_only


def test_every_case_that_an_entry_names_exists() -> None:
    named = {entry.repro for entry in ENTRIES.values() if entry.repro}
    assert named <= all_cases().keys()


def test_fixes_written_with_torch_have_a_case_or_a_reason() -> None:
    without = torch_fixes() - all_cases().keys()
    assert without <= LISTED.keys(), "write a case, or list the entry with its reason in without_case.yaml"
    assert not LISTED.keys() & all_cases().keys()
    assert LISTED.keys() <= ENTRIES.keys()
    assert all(reason.strip() for reason in LISTED.values())
