"""Which documented failures the knowledge base covers: `python benchmarks/coverage.py FACTS.yaml`.

FACTS.yaml is a list of documented items with an `id` each.  Exit 1 names the items that are neither mapped to an
entry (coverage.tsv beside this file) nor listed with a reason in knowledge/NOT_COVERED.md, and mappings to no entry.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import yaml

from neurontriage import resources
from neurontriage.knowledge import load as knowledge

HERE = Path(__file__).parent


def mapped() -> dict[str, list[str]]:
    """Documented item → the entries that cover it."""
    rows = [line.split("\t") for line in (HERE / "coverage.tsv").read_text().splitlines() if not line.startswith("#")]
    return {item: entries.split(",") for item, entries in rows}


def excused() -> set[str]:
    """Documented items that have a reason for not being covered."""
    text = (resources.knowledge() / "NOT_COVERED.md").read_text()
    return set(re.findall(r"^\| ([\w.:-]+) \| \S", text, re.MULTILINE))


def main(facts: str) -> int:
    items = [str(item["id"]) for item in yaml.safe_load(Path(facts).read_text())]
    entries = knowledge.load([resources.knowledge()]).entries
    names = {name for entry in entries.values() for name in (entry.id, *entry.aliases)}
    table, reasons = mapped(), excused()
    missing = [item for item in items if item not in table and item not in reasons]
    dangling = [f"{item} → {name}" for item, found in table.items() for name in found if name not in names]
    covered = sum(item in table for item in items)
    print(f"{len(items)} documented items: {covered} covered, {len(items) - covered - len(missing)} with a reason")
    for line in [*(f"not covered: {item}" for item in missing), *(f"no such entry: {line}" for line in dangling)]:
        print(line)
    return 1 if missing or dangling else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
