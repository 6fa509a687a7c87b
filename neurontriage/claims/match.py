"""Event × rules → the entry that says most about it, with the fields its pattern captures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from neurontriage.claims.guesses import certain, supposed
from neurontriage.knowledge.catalog import Catalog, Rule
from neurontriage.lines.linear import captured
from neurontriage.lines.prefix import strip
from neurontriage.lines.proven import whole
from neurontriage.lines.remembered import remembered
from neurontriage.model import Event

_TOLD = ("reason", "message")


class Match(NamedTuple):
    """An event and the entry that explains it; `entry` is None when none does.

    `weight`: how specific the rule is. `next`: what the event means if the entry's condition on the log fails.
    `rises`: it is more specific than all that its claim has kept before it.
    """

    event: Event
    entry: str | None
    fields: Mapping[str, str]
    weight: tuple[int, ...] = ()
    next: Match | None = None
    rises: bool = False


def match(event: Event, catalog: Catalog) -> Match:
    """The most specific entry for an event; equal weights go to the first id, so that the answer never varies."""
    if not event.hits and event.family not in catalog.by_family:
        return Match(event, None, dict(event.fields))
    found: list[Match] = []
    for one in matches(event, catalog):
        found.append(one)
        mild = event.said.kind == "exception" and catalog.briefs[one.entry or ""]["severity"] != "error"
        if one.entry not in catalog.conditional and not mild:
            break  # it holds whatever else the log shows, also where the program dies of it
    else:
        found.append(Match(event, None, dict(event.fields)))
    meaning = found.pop()
    for one in reversed(found):
        meaning = one._replace(next=meaning)
    return meaning


def matches(event: Event, catalog: Catalog) -> Iterator[Match]:
    """Every entry that fits an event, the most specific first."""
    both = (*event.hits, *catalog.by_family.get(event.family, ()))
    for number in catalog.ordered(both) if len(both) > 1 else both:
        rule = catalog.rules[number]
        if rule.entry in catalog.off or (groups := _groups(rule, event)) is None:
            continue
        if not _guessed(rule, event.evidence.text):
            yield Match(event, rule.entry, {**event.fields, **_completed(groups, event.fields)}, rule.weight)


def _guessed(rule: Rule, line: str) -> bool:
    """Whether what a rule asks for stands in a line only among the causes that it supposes."""
    if rule.text is None or not (spans := supposed(line)):
        return False
    guess = any(_found(rule.text, line[start:end]) for start, end in spans)
    return guess and not _found(rule.text, certain(line))


def entries_in(text: str, catalog: Catalog) -> set[str]:
    """The entries of which a text rule fits one line, whatever else the log holds."""
    rules = (rule for rule in catalog.rules if rule.text is not None and rule.entry not in catalog.off)
    return {rule.entry for rule in rules if _captured(rule, text, dict(rule.fields)) is not None}


def _groups(rule: Rule, event: Event) -> dict[str, str] | None:
    """The named groups of a rule that fits the event, None when it does not fit."""
    if rule.family is not None and rule.family != event.family:
        return None
    if rule.kind is not None and rule.kind != event.kind:
        return None
    if rule.text is None:
        return {} if all(event.fields.get(name, "") == value for name, value in rule.fields) else None
    line = event.evidence.text
    if rule.certain and whole(line):
        return {} if all(event.fields.get(name, "") == value for name, value in rule.fields) else None
    return _captured(rule, line, event.fields)


def _completed(groups: dict[str, str], fields: Mapping[str, str]) -> dict[str, str]:
    """The same, where a reason or message that ends in a colon goes on as the record does below it."""
    if not groups:
        return groups
    heads = [name for name in _TOLD if groups.get(name, "").endswith(":")]
    return {**groups, **{name: _below(groups[name], fields) for name in heads}} if heads else groups


def _below(head: str, fields: Mapping[str, str]) -> str:
    """What a head says with the words below it, as far as the record holds them."""
    whole, why = fields.get("message", ""), fields.get("reason", "")
    place = whole.find(head)
    told = whole[place:] if place >= 0 else head
    return told if why in told else f"{told} {why}"


def _captured(rule: Rule, line: str, fields: Mapping[str, str]) -> dict[str, str] | None:
    """What the pattern of a rule captures where the line, or else `fields`, have the values that it asks for."""
    for groups in _found(rule.text or "", line, first=not rule.fields):
        if not rule.fields or all(groups.get(name, fields.get(name, "")) == value for name, value in rule.fields):
            return groups
    return None


@remembered(1024)
def _found(text: str, line: str, first: bool = True) -> tuple[dict[str, str], ...]:
    """What a pattern captures where it fits a line, at the first place or at every one; where it asks for the start or
    the end, also behind the prefixes. Lines come again and again.
    """
    texts = [line, strip(line).payload.strip()] if "^" in text[:6] or text.endswith("$") else [line]
    places = (groups for one in dict.fromkeys(texts) for groups in captured(text, one))
    found = islice(places, 1) if first else places
    return tuple({name: value.strip() for name, value in groups.items() if value} for groups in found)


def said(fields: Mapping[str, str]) -> str:
    """What a record says, in one line: its exception and message, or its status."""
    names = ("code", "exception", "message") if "exception" in fields else ("code", "function", "status", "message")
    parts = [fields.get(name, "") for name in names]
    return ": ".join(part for part in parts if part)
