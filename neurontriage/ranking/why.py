"""Whether one claim says why another came about: all the ways in which it may, each in a room of its own."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.ranking.admitted import admitted
from neurontriage.ranking.beneath import beneath
from neurontriage.ranking.commanded import commanded
from neurontriage.ranking.features import Scene
from neurontriage.ranking.membership import member
from neurontriage.ranking.named import named
from neurontriage.ranking.omitted import omitted
from neurontriage.ranking.provided import lacks
from neurontriage.ranking.quoted import passed_on
from neurontriage.ranking.reasoned import reasoned
from neurontriage.ranking.relayed import carried
from neurontriage.ranking.shown import shown
from neurontriage.ranking.sole import sole
from neurontriage.ranking.spoiled import spoiled
from neurontriage.ranking.supposing import supposing
from neurontriage.ranking.tried import worn

_WAYS = (
    carried,
    lacks,
    omitted,
    named,
    beneath,
    admitted,
    worn,
    commanded,
    member,
    reasoned,
    shown,
    spoiled,
    supposing,
    sole,
)


def why(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only passes on, or follows from, what this one says."""
    told = any(way(likely, claim, scene) for way in _WAYS)
    return told or passed_on(likely, claim, scene.outputs, scene.briefs)
