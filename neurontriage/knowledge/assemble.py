"""Grammars and entries → the data that the catalogue stores: all that can be known before a log is read.

What one answer needs little of is packed piece by piece, so that only those pieces are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from neurontriage import __version__, resources
from neurontriage.facts.environment import PATTERNS as ENVIRONMENT
from neurontriage.knowledge.compile import compile_entries
from neurontriage.knowledge.database import digest
from neurontriage.knowledge.shelf import folded
from neurontriage.knowledge.sorting import Owner, sorts_of
from neurontriage.lines.digits import alike
from neurontriage.lines.patterns import prefilter
from neurontriage.lines.scan import Pattern
from neurontriage.parse.family import Family, Start, read_families, read_payload, read_record
from neurontriage.stored import packed

_CONDITIONS = ("seen", "unseen", "repaired", "applies", "plain")
_ENTRY, _FAMILY, _TEXT, _WEIGHT = 0, 1, 4, 5
"""Places in a rule, see catalog.Rule."""


def assembled(folders: Sequence[Path]) -> dict[str, Any]:
    """Everything, as plain data, the same on every run. Raises TriageError when an entry is not sound."""
    families = read_families(resources.grammars())
    payload, words = read_payload(resources.grammars())
    entries = compile_entries(folders)
    rules, briefs = entries["rules"], entries["briefs"]
    patterns, owners = _patterns(families, words, rules)
    return {
        **entries,
        "version": __version__,
        "families": [_plain_family(family) for family in families],
        "rules": [packed(rule) for rule in rules],
        "reasons": packed(entries["reasons"]),
        "by_family": _by_family(rules),
        "places": _places(rules),
        "briefs": {entry: packed(brief) for entry, brief in briefs.items()},
        "conditional": sorted(entry for entry, brief in briefs.items() if any(brief[one] for one in _CONDITIONS)),
        "articles": {entry: folded(packed(article)) for entry, article in entries["articles"].items()},
        "patterns": _packed(patterns),
        "apart": _packed(sorted({Pattern(text) for p in patterns if (text := alike(p.text)) != p.text})),
        "owners": owners,
        "sorts": _plain(asdict(sorts_of(families, owners, patterns, _mild(rules, briefs)))),
        "payload": packed(payload.table),
        "record": packed(read_record(resources.grammars()).table),
    }


def _patterns(
    families: Sequence[Family], words: Sequence[Start], rules: Sequence[Any]
) -> tuple[list[Pattern], list[tuple[Owner, ...]]]:
    """All patterns without repetition, each with its owners."""
    wanted: list[tuple[Pattern, Owner]] = []
    for number, family in enumerate(families):
        wanted += [
            (Pattern(prefilter(start.regex), start.follow), ("family", number, place))
            for place, start in enumerate(family.starts)
        ]
    wanted += [(Pattern(prefilter(r[_TEXT])), ("rule", number, 0)) for number, r in enumerate(rules) if r[_TEXT]]
    wanted += [(Pattern(prefilter(p.regex)), ("environment", number, 0)) for number, p in enumerate(ENVIRONMENT)]
    wanted += [
        (Pattern(w.regex if "$" in w.regex else prefilter(w.regex), w.follow), (w.mark or "payload", number, 0))
        for number, w in enumerate(words)
    ]
    merged: dict[Pattern, list[Owner]] = {}
    for pattern, owner in wanted:
        merged.setdefault(pattern, []).append(owner)
    return list(merged), [tuple(found) for found in merged.values()]


def _mild(rules: Sequence[Any], briefs: Mapping[str, Any]) -> frozenset[int]:
    """The rules that are known to fail nothing in whatever log, and whose lines say one thing, wherever they stand."""
    found = (number for number, rule in enumerate(rules) if rule[_TEXT] and not any(rule[_FAMILY:_TEXT]))
    return frozenset(number for number in found if _is_mild(briefs[rules[number][_ENTRY]]))


def _is_mild(brief: Mapping[str, Any]) -> bool:
    one = brief["severity"] == "benign" or (brief["severity"] == "warning" and "{" not in brief["title"])
    return one and not any(brief[condition] for condition in _CONDITIONS)


def _packed(patterns: Sequence[Pattern]) -> tuple[bytes, int, str]:
    return packed([(p.text, p.follow) for p in patterns]), len(patterns), digest(patterns)


def _plain_family(family: Family) -> dict[str, Any]:
    starts = [(s.regex, s.anywhere, s.follow) for s in family.starts]
    data = {name: getattr(family, name) for name in ("name", "layer", "unknown", "generic", "digits")}
    return {**data, "kinds": dict(family.kinds), "starts": starts, "grammar": packed(family.grammar.table)}


def _by_family(rules: Sequence[Any]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        if rule[_TEXT] is None and rule[_FAMILY]:
            found.setdefault(rule[_FAMILY], []).append(number)
    return {family: tuple(numbers) for family, numbers in found.items()}


def _places(rules: Sequence[Any]) -> list[int]:
    orders = [(tuple(-part for part in rule[_WEIGHT]), rule[_ENTRY]) for rule in rules]
    places = {order: place for place, order in enumerate(sorted(set(orders)))}
    return [places[order] for order in orders]


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Sets in an order, so that the bytes are the same on every run."""
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in fields.items()}
