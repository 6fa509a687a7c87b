"""A line that quotes another one's message reports it: a wrapper, a logger's copy, a parent process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.claims.interrupt import stops
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.enclosed import frames, inside
from neurontriage.ranking.features import particular
from neurontriage.ranking.graph import Edge, states
from neurontriage.ranking.messages import CORE, Messages, words_of
from neurontriage.ranking.peers import actor

_INNER = Sought(r"\b[A-Za-z_][\w.]*(?:Error|Exception): \S.*")
LEAST, MOST = 16, 400
BELOW, GROUP = 5, 40


class Head(NamedTuple):
    """A claim that introduces what stands in its next lines: a wrapper, an exception group, what ends in a colon.

    `most`: how many lines.
    """

    claim: Claim
    path: str
    end: int
    most: int


def inner(claim: Claim) -> str:
    """The exception that a line tells in words of its own (`failed to load x: Internal: KeyError: 'y'`), folded."""
    found = _INNER.search(claim.event.fields.get("message", ""))
    core = words_of(found[0])[:CORE] if found and found.start() else ""
    return core if len(core) >= LEAST else ""


def told_before(first: Claim, claim: Claim) -> bool:
    """Whether a process told the same exception before, one level further inside."""
    same = first.place < claim.place and actor(first.event) == actor(claim.event)
    return same and bool(inner(claim)) and inner(first) == inner(claim)


def _ladders(claims: Sequence[Claim]) -> Iterator[tuple[Claim, Claim]]:
    """Each claim that tells an exception once more, with the first that told it."""
    told: dict[str, list[Claim]] = {}
    for claim in claims:
        told.setdefault(inner(claim), []).append(claim)
    for text, group in told.items():
        for claim in group if text else ():
            if first := next((one for one in group if told_before(one, claim)), None):
                yield first, claim


def heads(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Head]:
    """Those of the claims that introduce others."""
    for claim in claims:
        if most := _most(claim, briefs):
            yield Head(claim, claim.event.evidence.path, claim.event.evidence.end_line, most)


def _most(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> int:
    """In how many lines below it a claim introduces others: as an exception group, as a wrapper, or right below a
    colon, where an entry knows it as what follows from a failure.
    """
    if claim.event.fields.get("exception", "").endswith("ExceptionGroup"):
        return GROUP
    if claim.says == "wrap":
        return BELOW
    symptom = claim.entry is not None and briefs[claim.entry]["role"] == "symptom"
    return int(symptom and "HEADING" in claim.event.said.words)


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From each claim to those whose text holds its message inside theirs, or that introduce it."""
    some = claims[:MOST]
    messages, introduce = Messages(some), list(heads(some, briefs))
    for first, claim in _ladders(some):
        yield Edge(first, claim, "nesting", "it tells the same once more")
    for number, cause in enumerate(some):
        for place in messages.quoting(number, LEAST) if cause.says != "exit" else ():
            yield Edge(cause, some[place], "nesting", "its text quotes this message")
        for head in introduce if states(cause, briefs) and not stops(cause) else ():
            if _introduces(head, cause, briefs):
                yield Edge(cause, head.claim, "nesting", "it introduces this message, which stands below it")
    yield from _framed(some, briefs)


def _introduces(head: Head, cause: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim stands below one that introduces it: what an entry knows as a root cause is no head of less."""
    below = cause.event.evidence.line - head.end
    near = head.path == cause.event.evidence.path and 0 < below <= head.most and head.claim is not cause
    return near and (particular(cause, briefs) or not particular(head.claim, briefs))


def _framed(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From what an installer encloses in a frame to the lines of the frame."""
    around = [claim for claim in claims if frames(claim)]
    for cause in claims if around else ():
        if not frames(cause) and states(cause, briefs) and inside(cause, around):
            yield from (Edge(cause, one, "nesting", "it frames the output in which this stands") for one in around)
