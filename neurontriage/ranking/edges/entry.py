"""An entry names what its failure causes: by id, or by family or layer of what is not more particular than itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.ranking.graph import Edge

_WIDE = frozenset({"wrap", "echo", "exit", "signal", "state"})


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From every known claim to those that its entry explains."""
    for cause in claims:
        named = set(briefs[cause.id]["explains"]) if cause.entry else set()
        for effect in claims if named else ():
            if cause.id != effect.id and _names(named, cause, effect, briefs) and not _mutual(cause, effect, briefs):
                yield Edge(cause, effect, "entry", f"{cause.id} is known to cause it")


def _names(named: set[str], cause: Claim, effect: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    if effect.id in named:
        return True
    wide = f"family:{effect.event.family}" in named or f"layer:{effect.layer}" in named
    return wide and (effect.entry is None or effect.says in _WIDE or bool(briefs[effect.id]["general"]))


def _mutual(cause: Claim, effect: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Two that explain each other: the first in the log is the cause."""
    back = effect.entry is not None and cause.id in briefs[effect.id]["explains"]
    return back and effect.place < cause.place
