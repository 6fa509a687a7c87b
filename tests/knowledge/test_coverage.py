"""The table of documented failures (benchmarks/coverage.tsv) is not empty, and names entries that exist."""

from __future__ import annotations

from pathlib import Path

from shipped import ENTRIES

TABLE = Path(__file__).parents[2] / "benchmarks" / "coverage.tsv"
NAMES = {name for entry in ENTRIES.values() for name in (entry.id, *entry.aliases)}


def rows() -> list[list[str]]:
    """Each documented item and the entries that cover it."""
    return [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]


def test_the_table_is_not_empty() -> None:
    assert len(rows()) >= 400, "the documented items are gone from the table"


def test_every_row_names_an_item_and_entries_that_exist() -> None:
    assert not [row for row in rows() if len(row) != 2 or not row[0] or not set(row[1].split(",")) <= NAMES]
