"""A line that no entry explains → the draft of one: pattern, false alarms of that pattern, nearest entries."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from neurontriage import resources
from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.schema import Entry
from neurontriage.lines.linear import compiled, fault_of
from neurontriage.lines.prefix import strip
from neurontriage.model import Diagnosis, Finding
from neurontriage.triage import explain_text

_VARIABLE = re.compile(r"(?:/[\w.+-]+){2,}|0x[0-9a-fA-F]+|\b[0-9a-f]{8,}\b|\d+(?:\.\d+)*|'[^']{12,}'|\"[^\"]{12,}\"")
_LONGEST = 120


# How the ids of each layer's entries begin, mostly.
_PREFIXES = {
    "cache": "CACHE",
    "collectives": "COL",
    "compiler": "CC",
    "driver": "DRV",
    "framework": "XLA",
    "host": "HOST",
    "install": "PKG",
    "kubernetes": "K8S",
    "model-code": "PY",
    "runtime": "NRT",
}


@dataclass(frozen=True)
class Draft:
    """A proposed entry as YAML, and what speaks against its pattern."""

    text: str
    pattern: str
    alarms: tuple[str, ...]
    nearest: tuple[str, ...]


def draft(log: str, path: str, line: int | None, catalog: Catalog, entries: Mapping[str, Entry]) -> Draft:
    """The draft for a line (1-based), or for the failure that the log leaves unexplained.

    Raises TriageError when the line does not exist, or when nothing in the log is unknown.
    """
    diagnosis = explain_text(log, path, catalog)
    lines = log.split("\n")
    finding = _unknown(diagnosis, line)
    if line is None and finding is None:
        what = "every failure in it is known" if diagnosis.roots else "there is no failure in it"
        raise TriageError("nothing-unknown", f"{path}: {what}", "an unexplained failure", "give --line N")
    number = line if line is not None else finding.evidence[0].line if finding else 1
    if not 1 <= number <= len(lines):
        raise TriageError("no-such-line", f"--line {number}: the log has {len(lines)} lines", "a line of the log")
    text = strip(lines[number - 1]).payload.strip()
    proposal = pattern_of(text)
    return Draft(
        text=_yaml(text, proposal, finding),
        pattern=proposal,
        alarms=tuple(_alarms(proposal, entries)),
        nearest=tuple(_nearest(text, entries)),
    )


def _unknown(diagnosis: Diagnosis, line: int | None) -> Finding | None:
    unknown = [finding for finding in diagnosis.findings if not finding.recognised]
    if line is not None:
        unknown = [finding for finding in unknown if any(e.line == line for e in finding.evidence)]
    return unknown[0] if unknown else None


def pattern_of(text: str) -> str:
    """A pattern for all lines that say the same with other numbers, paths and quoted values."""
    pieces, place = [], 0
    for found in _VARIABLE.finditer(text[:_LONGEST]):
        pieces.append(re.escape(text[place : found.start()]).replace("\\ ", " "))
        pieces.append(r"\d+" if found.group().isdigit() else r"\S+")
        place = found.end()
    pieces.append(re.escape(text[place:_LONGEST]).replace("\\ ", " "))
    proposal = "".join(pieces)
    while fault_of(proposal) and len(pieces) > 2:
        pieces = pieces[:-2]
        proposal = "".join(pieces)
    return proposal


def _alarms(pattern: str, entries: Mapping[str, Entry]) -> list[str]:
    """Where the pattern would fire although it must not: lines of other entries, and healthy samples at hand."""
    fits = compiled(pattern)
    alarms = [
        f"{entry.id}: {text[:100]}"
        for entry in entries.values()
        for text in (*entry.examples, *entry.near_misses)
        if fits.search(text)
    ]
    benign = resources.knowledge().parent / "samples" / "benign"
    for path in sorted(benign.glob("*.log")) if benign.is_dir() else []:
        alarms += [f"{path.name}: {line[:100]}" for line in path.read_text().splitlines() if fits.search(line)]
    return alarms


def _nearest(text: str, entries: Mapping[str, Entry]) -> list[str]:
    """Up to three entries whose examples look most alike, with the words that differ."""
    scored = []
    for entry in entries.values():
        ratio, example = max(
            (difflib.SequenceMatcher(None, text[:200], e[:200]).quick_ratio(), e) for e in entry.examples
        )
        scored.append((ratio, entry.id, example))
    best = sorted(scored, key=lambda one: (-one[0], one[1]))[:3]
    return [f"{name}: it has {_differing(example, text)}" for _, name, example in best]


def _differing(example: str, text: str) -> str:
    theirs = [word for word in example.split() if word not in text.split()]
    return f"{' '.join(theirs)[:80]!r}, which this line has not" if theirs else "the same words"


def _yaml(text: str, pattern: str, finding: Finding | None) -> str:
    layer = finding.layer if finding else "host"
    name = f"{_PREFIXES[layer]}-NameTheFault"
    lines = [
        f"id: {name}",
        "title: Name the fault, not the cure",
        f"layer: {layer}",
        "severity: error",
        "role: root",
        "status: draft",
        "match:",
        f"  - text: {_quoted(pattern)}",
        "cause: What it means and why it happens.",
        "not_proof: What a match does not prove.",
        "workarounds:",
        "  - {title: What to change, kind: config}",
        "links:",
        '  - {url: "https://github.com/aws-neuron/aws-neuron-sdk/issues", title: Where it is discussed}',
        "examples:",
        f"  - {_quoted(text)}",
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return yaml.safe_dump(text, default_style="'", width=10_000, allow_unicode=True).strip()


def readable(path: Path) -> str:
    """The text of a log file. Raises TriageError when it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise TriageError("unreadable-input", f"{path}: {error.strerror}", "a log file", f"ls -l {path}") from error
