"""A run ends, and nobody who ends it says why: where only one place above complains of anything, that is why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.ranking.causes.bounded import FEW, gives_up, mute
from neurontriage.ranking.causes.stumbled import NOWHERE, worked
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import HEADER, WHY, tells

_NEAR = 6  # lines that one place has
_MILD = frozenset({"CALM", "ZERO", "QUOTATION", "SUCCESS", "PROGRESS", "ENDED", "WARNING", "TEARDOWN"})
_SAYS = (WHY - {"EXPECTED"}) | {"INABILITY"}


def sole(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim names no reason, and this one is the first of all that is complained of above it."""
    if particular(likely, scene.briefs) or not complaint(claim) or not _less(likely, claim) or scene.survived(claim):
        return False
    return complained(likely, scene.claims, scene.progress) is claim


def _less(likely: Claim, claim: Claim) -> bool:
    """Whether the likely claim names no reason, or, where a program calls both an error, only this one does."""
    both = likely.event.said.level in LOUD and claim.event.said.level in LOUD
    return mute(likely) or (both and tells(claim) and gives_up(likely))


def complained(end: Claim, claims: Sequence[Claim], progress: Mapping[str, int] = NOWHERE) -> Claim | None:
    """The first complaint above an end that names no reason, where all others stand right below it; None without one.

    `claims`: in their order; `progress`: in which line of each log a step of work was counted last.
    """
    first: Claim | None = None
    path, line = end.event.evidence.path, end.event.evidence.line
    for claim in claims:
        at = claim.event.evidence
        if at.path != path or at.line >= line or (first and at.line <= first.last + _NEAR) or not complaint(claim):
            continue
        if first is not None:
            return None
        first = claim
    return first if first is not None and not worked(first, progress) else None


def complaint(claim: Claim) -> bool:
    """Whether a program calls something an error, or warns of what is wrong or could not be done; and no mere end."""
    said = claim.event.said
    if claim.severity != "error" or claim.handled or claim.count >= FEW or said.kind == "warned" or said.words & _MILD:
        return False
    if said.level in LOUD:
        bare = gives_up(claim) and not said.words.isdisjoint(_SAYS | {"FAILED"})
        return claim.says not in ("exit", "echo") and said.size > HEADER and not bare
    return said.level not in CALM - {"WARNING"} and not said.words.isdisjoint(_SAYS) and not gives_up(claim)
