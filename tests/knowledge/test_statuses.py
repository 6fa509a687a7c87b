"""One table of printed forms for all statuses of the runtime: each finds its own entry, and no other."""

from __future__ import annotations

import pytest

from neurontriage.claims.match import entries_in
from neurontriage.knowledge import load, statuses
from neurontriage.knowledge.catalog import load as catalog
from neurontriage.lines.linear import compiled
from neurontriage.resources import knowledge

ENTRIES = {entry.id: entry.nrt for entry in load.load([knowledge()]).entries.values() if entry.nrt}
NUMBERS = sorted({number for table in ENTRIES.values() for number in table.values()})


def test_every_number_has_one_entry() -> None:
    assert len(ENTRIES) >= 24
    assert sum(len(set(table.values())) for table in ENTRIES.values()) == len(NUMBERS)


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_status_is_found_by_name_and_number(entry: str) -> None:
    for name, number in ENTRIES[entry].items():
        for line in (f"Failure: {name} in nrt_execute()", f"Inference completed with err: {number}. mode->h_nn=1"):
            found = entries_in(line, catalog()) & ENTRIES.keys()
            assert found == {entry}, line


def test_a_pattern_is_written_out_with_its_status() -> None:
    for one in statuses.matches({"NRT_EXEC_OOB": 1006}):
        text = statuses.written_out(one) or ""
        assert "1006" in text or "NRT_EXEC_OOB" in text
        assert compiled(text)
