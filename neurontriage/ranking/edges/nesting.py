"""A line that quotes another one's message reports it: a wrapper, a logger's copy, a parent process."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.ranking.features import words_of
from neurontriage.ranking.graph import Edge, states

_INNER = re.compile(r"\b[A-Za-z_][\w.]*(?:Error|Exception): \S.*")
LEAST, CORE, MOST = 16, 60, 400
BELOW, GROUP = 5, 40


def message(claim: Claim) -> str:
    """What a claim's deciding line says, folded."""
    return words_of(claim.event.fields.get("message", "") or claim.event.evidence.text)


def inner(claim: Claim) -> str:
    """The exception that a line tells in words of its own (`failed to load x: Internal: KeyError: 'y'`), folded."""
    found = _INNER.search(claim.event.fields.get("message", ""))
    core = words_of(found[0])[:CORE] if found and found.start() else ""
    return core if len(core) >= LEAST else ""


def told_before(first: Claim, claim: Claim) -> bool:
    """Whether a process told the same exception before, one level further inside."""
    one, other = first.event, claim.event
    same = (one.evidence.path, one.evidence.rank, one.process) == (
        other.evidence.path,
        other.evidence.rank,
        other.process,
    )
    return same and first.place < claim.place and bool(inner(claim)) and inner(first) == inner(claim)


def _stands_below(cause: Claim, effect: Claim) -> bool:
    """Whether a claim stands where another introduces it: right below a colon, in the next lines of a wrapper, as part
    of an exception group.
    """
    below, above = cause.event.evidence, effect.event.evidence
    most = GROUP if _group(effect) else BELOW if effect.says == "wrap" else 1
    return below.path == above.path and 0 < below.line - above.end_line <= most


def _group(claim: Claim) -> bool:
    return claim.event.fields.get("exception", "").endswith("ExceptionGroup")


def _ladders(claims: Sequence[Claim]) -> Iterator[tuple[Claim, Claim]]:
    """Each claim that tells an exception once more, with the first that told it."""
    told: dict[str, list[Claim]] = {}
    for claim in claims:
        told.setdefault(inner(claim), []).append(claim)
    for text, group in told.items():
        for claim in group if text else ():
            if first := next((one for one in group if told_before(one, claim)), None):
                yield first, claim


def _heads(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether an entry knows a line as what follows from a failure, and it ends in a colon."""
    symptom = claim.entry is not None and briefs[claim.entry]["role"] == "symptom"
    return symptom and "HEADING" in claim.event.said.words


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From each claim to those whose text holds its message inside theirs, or that introduce it."""
    some = claims[:MOST]
    texts = {id(claim): message(claim) for claim in some}
    introduce = [claim for claim in some if claim.says == "wrap" or _group(claim) or _heads(claim, briefs)]
    for first, claim in _ladders(some):
        yield Edge(first, claim, "nesting", "it tells the same once more")
    for cause in some:
        core = texts[id(cause)][:CORE] if cause.says != "exit" else ""
        for effect in some if len(core) >= LEAST else ():
            text = texts[id(effect)]
            if effect is not cause and core in text and not text.startswith(core):
                yield Edge(cause, effect, "nesting", "its text quotes this message")
        for effect in introduce if states(cause, briefs) else ():
            if effect is not cause and _stands_below(cause, effect):
                yield Edge(cause, effect, "nesting", "it introduces this message, which stands below it")
