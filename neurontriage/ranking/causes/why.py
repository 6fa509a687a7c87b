"""Whether one claim says why another came about: all the ways in which it may, each in a room of its own."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import LOUD
from neurontriage.ranking.causes.admitted import admitted
from neurontriage.ranking.causes.aftermath import aftermath
from neurontriage.ranking.causes.beneath import beneath
from neurontriage.ranking.causes.commanded import commanded
from neurontriage.ranking.causes.continued import continued
from neurontriage.ranking.causes.counting import counting
from neurontriage.ranking.causes.deserted import deserted
from neurontriage.ranking.causes.given_up import given_up
from neurontriage.ranking.causes.grounds import gave_way
from neurontriage.ranking.causes.headed import headed
from neurontriage.ranking.causes.hollow import hollow
from neurontriage.ranking.causes.itemized import itemized
from neurontriage.ranking.causes.membership import member
from neurontriage.ranking.causes.named import named
from neurontriage.ranking.causes.omitted import omitted
from neurontriage.ranking.causes.outdone import outdone
from neurontriage.ranking.causes.outlier import outlier
from neurontriage.ranking.causes.parting import parting
from neurontriage.ranking.causes.provided import lacks
from neurontriage.ranking.causes.quoted import passed_on
from neurontriage.ranking.causes.reasoned import reasoned
from neurontriage.ranking.causes.receipts import receipt
from neurontriage.ranking.causes.relayed import carried
from neurontriage.ranking.causes.repeated import repeated
from neurontriage.ranking.causes.retold import retold
from neurontriage.ranking.causes.sections import unserved
from neurontriage.ranking.causes.shown import shown
from neurontriage.ranking.causes.sole import sole
from neurontriage.ranking.causes.spoiled import spoiled
from neurontriage.ranking.causes.supposing import supposing
from neurontriage.ranking.causes.tried import worn
from neurontriage.ranking.causes.unbuilt import unbuilt
from neurontriage.ranking.causes.uncompiled import uncompiled
from neurontriage.ranking.causes.undefined import undefined
from neurontriage.ranking.features import Scene

_BY_NAME = (
    carried,
    lacks,
    omitted,
    unbuilt,
    uncompiled,
    unserved,
    named,
    beneath,
    admitted,
    worn,
    commanded,
    continued,
    counting,
    deserted,
    gave_way,
    headed,
    itemized,
    member,
    repeated,
    retold,
    shown,
    spoiled,
    supposing,
    undefined,
)
_BY_PLACE = (reasoned, sole, given_up, aftermath, hollow)


def why(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only passes on, or follows from, what this one says."""
    if (
        receipt(likely, claim, scene)
        or by_name(likely, claim, scene)
        or any(way(likely, claim, scene) for way in _BY_PLACE)
    ):
        return True
    said = claim.event.said
    if said.level in LOUD and parting(likely, claim, scene):
        return True
    row = claim.entry is None and not said.level and said.kind == "statement" and claim.place < likely.place
    if row and likely.says != "state" and outlier(likely, claim, scene):
        return True
    may = "MAIN" in said.words or "PROGRESS" in likely.event.said.words
    if not may or not outdone(likely, claim, scene):
        return False
    return not (by_name(claim, likely, scene) or any(way(claim, likely, scene) for way in _BY_PLACE))


def by_name(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim shows that it passes on, or follows from, what this one says."""
    for way in _BY_NAME:  # no generator: this is asked of every pair of claims
        if way(likely, claim, scene):
            return True
    return passed_on(likely, claim, scene.outputs, scene.briefs)
