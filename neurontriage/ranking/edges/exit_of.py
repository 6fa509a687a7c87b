"""A process that failed ends: exit statuses, signals, wrappers and echoes after a failure report that end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.ranking.graph import Edge, states
from neurontriage.ranking.tried import in_vain

_ENDS = {
    "exit": "the process that failed there ended with this exit status",
    "signal": "the process that failed there was ended by this signal",
    "wrap": "it only reports that something below it failed, after this",
    "echo": "it only repeats that something failed, after this",
    "symptom": "it is what such a failure leads to, and stands after it",
}
_VAIN = "it stands below the last of several tries, and names no other reason"


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From every statement of a failure to the ends reported after it in the same log."""
    stated = [claim for claim in claims if states(claim, briefs)]
    for effect in claims:
        part = "symptom" if effect.entry and briefs[effect.id]["role"] == "symptom" else effect.says
        for cause in stated if part in _ENDS else ():
            if cause.place < effect.place and _same_log(cause, effect):
                yield Edge(cause, effect, "exit_of", _ENDS[part])
    for tried in (claim for claim in claims if claim.tried):
        yield from (Edge(tried, effect, "exit_of", _VAIN) for effect in claims if in_vain(tried, effect, briefs))


def _same_log(cause: Claim, effect: Claim) -> bool:
    return cause.event.evidence.path == effect.event.evidence.path
