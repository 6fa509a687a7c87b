"""An entry names what its failure causes: by id, or by family or layer of what is not more particular than itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.claims.interrupt import stops
from neurontriage.ranking.graph import Edge

_BURST = 6  # lines in which a process tells of one failure, in whatever order
_WIDE = frozenset({"wrap", "echo", "exit", "signal", "state"})


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From every known claim to those that its entry explains."""
    places: dict[str, list[int]] = {}
    for place, claim in enumerate(claims):
        for name in _names(claim, briefs):
            places.setdefault(name, []).append(place)
    for cause in claims:
        named = briefs[cause.id]["explains"] if cause.entry else ()
        for place in sorted({place for name in named for place in places.get(name, ())}):
            effect = claims[place]
            apart = _mutual(cause, effect, briefs) or _taken_down(cause, effect) or _told_later(cause, effect, briefs)
            if cause.id != effect.id and not apart:
                yield Edge(cause, effect, "entry", f"{cause.id} is known to cause it")


def _names(effect: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What an entry that explains a claim calls it."""
    yield effect.id
    if effect.entry is None or effect.says in _WIDE or briefs[effect.id]["general"]:
        yield f"family:{effect.event.family}"
        yield f"layer:{effect.layer}"


def _taken_down(cause: Claim, effect: Claim) -> bool:
    """Whether the cause is that a launcher took the run down, after what it would explain."""
    return stops(cause) and cause.says == "exit" and effect.place < cause.place


def _told_later(cause: Claim, effect: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the effect had stated a failure of its own long before the cause was told of in the same log."""
    one, other = cause.event.evidence, effect.event.evidence
    raised = effect.entry is not None and effect.says == "raise" and briefs[effect.id]["role"] == "root"
    return raised and one.path == other.path and effect.place < cause.place and one.line - effect.last > _BURST


def _mutual(cause: Claim, effect: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Two that explain each other: the first in the log is the cause."""
    back = effect.entry is not None and cause.id in briefs[effect.id]["explains"]
    return back and effect.place < cause.place
