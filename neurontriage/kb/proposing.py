"""What `repro --all --against` found fixed → changes proposed to entries, as a patch; nothing is ever written."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.knowledge.schema import Entry

COMPILER = "neuronx-cc"


def proposals(run: Path) -> list[dict[str, str]]:
    """The proposals in the JSON of `neurontriage repro --all --against DIR --format json`.

    Raises TriageError when the file holds none of that kind.
    """
    try:
        document: Any = json.loads(run.read_text(encoding="utf-8"))
        found = [{name: str(one[name]) for name in ("case", "affected", "fixed")} for one in document["proposals"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        hint = "neurontriage repro --all --against OLD --format json > run.json"
        what = str(error.strerror) if isinstance(error, OSError) else "no proposals in it"
        raise TriageError("no-proposals", f"{run}: {what}", "JSON of repro --against", hint) from error
    return found


def patches(listed: list[dict[str, str]], entries: Mapping[str, Entry], paths: Mapping[str, Path]) -> Iterator[str]:
    """For each proposal a unified diff of the entry's file, or a comment line that says why there is none."""
    for proposal in listed:
        entry = entries.get(proposal["case"])
        if entry is None:
            yield f"# {proposal['case']}: no entry has this id\n"
        elif any(one.package == COMPILER for one in entry.affected) or COMPILER in entry.fixed_in:
            yield f"# {entry.id}: states versions of {COMPILER} already; compare with fixed in {proposal['fixed']}\n"
        else:
            yield _patch(paths[entry.id], proposal)


def _patch(path: Path, proposal: Mapping[str, str]) -> str:
    before = path.read_text(encoding="utf-8")
    events = f'[{{introduced: "0"}}, {{fixed: "{proposal["fixed"]}"}}]'
    lines = f"# reproduced with {proposal['affected']}, compiles with {proposal['fixed']}\n"
    lines += f"affected:\n  - package: {COMPILER}\n    events: {events}\n"
    if not re.search(r"^fixed_in:", before, re.MULTILINE):
        lines += f'fixed_in: {{{COMPILER}: "{proposal["fixed"]}"}}\n'
    after = re.sub(r"^links:", lambda found: lines + found.group(), before, count=1, flags=re.MULTILINE)
    names = (f"a/{path.parent.name}/{path.name}", f"b/{path.parent.name}/{path.name}")
    return "".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), *names))
