"""Entries → rules, briefs and articles: plain data, ready to be stored by the catalogue."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.knowledge import load as knowledge
from neurontriage.knowledge.confidence import confidence, evidence
from neurontriage.knowledge.schema import Entry, Match
from neurontriage.knowledge.statuses import PRINTED, written_out
from neurontriage.lines.patterns import literals, weight
from neurontriage.lines.proven import certain

_BRIEF = (
    "title",
    "layer",
    "severity",
    "role",
    "status",
    "general",
    "fallback",
    "gives_way",
    "passes_on",
    "halts",
    "explains",
    "repro",
)
_SHOWN_FAULTS = 12
_INFORMS = re.compile(r"\b(?:INFO|DEBUG)\b|(?:^| )I\d{0,4} ")  # how loggers call a line that only informs


def compile_entries(folders: Sequence[Path]) -> dict[str, Any]:
    """Read and check all entries below the folders, and give what the catalogue stores of them.

    Raises TriageError with all faults when an entry is not sound.
    """
    loaded = knowledge.load(folders)
    if loaded.faults:
        raise _refused(loaded.faults)
    entries = list(loaded.entries.values())
    articles = {entry.id: entry.plain() for entry in entries}
    return {
        "digest": _digest(articles.values()),
        "count": len(entries),
        "rules": [_rule(entry, match) for entry in entries for match in entry.match if not entry.reason],
        "reasons": [_stated(entry, match) for entry in entries for match in entry.match if entry.reason],
        "briefs": {entry.id: _brief(entry) for entry in entries},
        "articles": articles,
        "releases": knowledge.releases(folders),
    }


def _refused(faults: Sequence[knowledge.Fault]) -> TriageError:
    shown = "\n".join(f"  {fault}" for fault in faults[:_SHOWN_FAULTS])
    more = f"\n  … and {len(faults) - _SHOWN_FAULTS} more" if len(faults) > _SHOWN_FAULTS else ""
    return TriageError(
        "faulty-knowledge",
        f"{len(faults)} fault(s) in the knowledge base:\n{shown}{more}",
        "entries that pass `neurontriage kb lint DIR`",
        "mend them, or leave the folder out",
    )


def _digest(articles: Iterable[dict[str, Any]]) -> str:
    texts = (json.dumps(article, sort_keys=True, ensure_ascii=False) for article in articles)
    return "sha256:" + hashlib.sha256("\n".join(texts).encode()).hexdigest()


def _rule(entry: Entry, match: Match) -> tuple[Any, ...]:
    fields = tuple(sorted(match.fields.items()))
    literals = weight(text) if (text := written_out(match)) else 0
    given = sum(map(bool, match.fields.values()))
    conditions = 0 if match.text in PRINTED else given + (match.kind is not None)
    classes = (int(not entry.fallback), int(entry.role != "wrapper"), int(not entry.general))
    specificity = (*classes, conditions, literals, len(fields) - given)
    sure = match.text is not None and certain(match.text)
    return (entry.id, match.family, match.kind, fields, match.text, specificity, sure)


def _stated(entry: Entry, match: Match) -> tuple[Any, ...]:
    text = match.text or ""
    return (entry.id, match.family, match.text, literals(text), (weight(text) if text else 0,))


def _brief(entry: Entry) -> dict[str, Any]:
    data = entry.model_dump(mode="json", include=set(_BRIEF))
    return {
        **data,
        "confidence": {str(seen): confidence(evidence(entry, seen)) for seen in (None, True, False)},
        "plain": evidence(entry).plain,
        "stack": list(entry.stack),
        "applies": list(entry.applies),
        "seen": list(entry.when.seen),
        "unseen": list(entry.when.unseen),
        "repaired": list(entry.when.repaired),
        "informs": any(_INFORMS.search(example) for example in entry.examples),
    }
