"""A line that quotes another one's message reports it: a wrapper, a logger's copy, a parent process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.ranking.features import words_of
from neurontriage.ranking.graph import Edge, states

LEAST, CORE, MOST = 16, 60, 400
BELOW, GROUP = 5, 40


def message(claim: Claim) -> str:
    """What a claim's deciding line says, folded."""
    return words_of(claim.event.fields.get("message", "") or claim.event.evidence.text)


def _stands_below(cause: Claim, effect: Claim) -> bool:
    """Whether a claim stands where another introduces it: right below a colon, in the next lines of a wrapper, as part
    of an exception group.
    """
    below, above = cause.event.evidence, effect.event.evidence
    most = GROUP if _group(effect) else BELOW if effect.says == "wrap" else 1
    return below.path == above.path and 0 < below.line - above.end_line <= most


def _group(claim: Claim) -> bool:
    return claim.event.fields.get("exception", "").endswith("ExceptionGroup")


def _heads(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether an entry knows a line as what follows from a failure, and it ends in a colon."""
    symptom = claim.entry is not None and briefs[claim.entry]["role"] == "symptom"
    return symptom and "HEADING" in claim.event.said.words


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From each claim to those whose text holds its message inside theirs, or that introduce it."""
    some = claims[:MOST]
    texts = {id(claim): message(claim) for claim in some}
    introduce = [claim for claim in some if claim.says == "wrap" or _group(claim) or _heads(claim, briefs)]
    for cause in some:
        core = texts[id(cause)][:CORE]
        for effect in some if len(core) >= LEAST else ():
            text = texts[id(effect)]
            if effect is not cause and core in text and not text.startswith(core):
                yield Edge(cause, effect, "nesting", "its text quotes this message")
        for effect in introduce if states(cause, briefs) else ():
            if effect is not cause and _stands_below(cause, effect):
                yield Edge(cause, effect, "nesting", "it introduces this message, which stands below it")
