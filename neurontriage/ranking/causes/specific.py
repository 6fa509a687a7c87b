"""Of the claims of one record the one that knows most: its lines are one message."""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.claims.commands import of_command
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.graph import states
from neurontriage.ranking.peers import actor


def specific(likely: Claim, errors: Sequence[Claim], scene: Scene) -> Claim:
    """A general answer never hides a more specific line of its own record, nor what no entry knows one that it does."""
    if particular(likely, scene.briefs) or id(likely) in scene.waiting.reports:
        return likely
    return _around(likely, errors, scene) or _inside(likely, errors, scene)


def _around(likely: Claim, errors: Sequence[Claim], scene: Scene) -> Claim | None:
    """The claim of the message of which a line is only the rest, where an entry knows that as one root cause.

    What says by its form that it is one of its own (`Reason: …`, the place of a compiler's error) is no mere rest.
    """
    said = likely.event.said
    if "CONTINUATION" not in said.words or said.kind != "statement":
        return None
    line, who = likely.event.evidence.line, actor(likely.event)
    for claim in (one for one in errors if particular(one, scene.briefs)):
        records = (match.event.evidence for match in claim.kept if actor(match.event) == who)
        if any(one.line < line <= one.end_line for one in records):
            return claim
    return None


def _inside(likely: Claim, errors: Sequence[Claim], scene: Scene) -> Claim:
    """The likeliest of the claims of single lines of a record; the record itself where none of them says more."""
    record = likely.event.evidence
    tells = particular if likely.known else states
    inside = [
        claim
        for claim in (errors if record.end_line > record.line else ())
        if claim.known
        and tells(claim, scene.briefs)
        and record.line <= claim.event.evidence.line <= record.end_line
        and actor(claim.event) == actor(likely.event)  # others may print between the lines of a record
        and (claim is likely or not of_command(claim.event.evidence.text))  # the next one of a script
    ]
    return max(inside, key=lambda claim: claim.score, default=likely)
