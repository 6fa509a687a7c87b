"""The runtime tells of one failure in several lines: the first says what and where, a later one has the status.

An entry knows the status and explains it; the line that names device, core, size or reason no entry may know. They are
one finding: the answer is that of the status, the line that opened the burst its first evidence. So are a status that
no entry knows and the line below it that only guesses at its cause.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import MOST_EVIDENCE, Claim
from neurontriage.lines.levels import LOUD
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.peers import actor
from neurontriage.ranking.statements import tells

_NEAR = 6  # lines of a burst
_DUMP, _FAR = "nrt_infodump", 24
"""What the runtime prints about itself below what failed: the status stands some lines farther down in it."""
_NAME = Sought(r"^[A-Z]{2,}_[A-Z]{2,}")
_GUESS = Sought(
    r"(?i)\b(?:potentially|possibly|presumably|probably|perhaps|maybe|likely) (?:caused by|due to|because"
    r"|the result of)\b"
)
_STATUS, _ANY = "NRT-", frozenset({"REASON-Runtime", "REASON-Limit"})
_WHERE = Sought(
    r"(?i)\b(?:nd|nc|vnc|mla|device|core|engine|queue|ring|semaphore) ?[\[(#:=]? ?\d|\b\d+ ?(?:bytes|[kmg]i?b)\b"
)


def joined(root: Claim, kept: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The findings, of which the root and the other part of its burst are one."""
    of = scene.errors if _DUMP in root.event.evidence.text else kept
    ordered = sorted((one for one in of if one is not root), key=lambda one: one.place)
    if root.id in _ANY and root.event.family == "nrt":
        part = next(
            (one for one in ordered if _status(one) and particular(one, scene.briefs) and _ends(root, one)), None
        )
        if part is not None:
            root.id = root.entry = part.id
            root.fields = {**root.fields, **part.fields}
            root.evidence = [*root.evidence, part.evidence[0]][:MOST_EVIDENCE]
    else:
        opens = (one for one in ordered if _status(root) and one.entry is None and one.count == 1 and _ends(one, root))
        if (part := next(opens, None)) is not None:
            root.evidence, root.place = [part.evidence[0], *root.evidence][:MOST_EVIDENCE], part.place
        elif part := next((one for one in ordered if _guessed(one, root)), None):
            root.fields.setdefault("status", part.values["status"])
            root.evidence = [*root.evidence, part.evidence[0]][:MOST_EVIDENCE]
    others = [one for one in kept if one is not part]
    for one in others:
        if part is not None and one.caused_by not in {other.id for other in others if other is not one}:
            one.caused_by = root.id if one.caused_by else None
    return others


def _status(claim: Claim) -> bool:
    return claim.entry is not None and claim.id.startswith(_STATUS)


def _guessed(status: Claim, root: Claim) -> bool:
    """Whether a root only guesses at its cause, and a line of the same burst above it has a status with a name."""
    one, other = status.event, root.event
    here = one.family == other.family and actor(one) == actor(other)
    named = status.entry is None and _NAME.search(status.values.get("status", "")) is not None
    near = here and one.family == "nrt" and 0 < other.evidence.line - status.last <= _NEAR
    return near and named and not status.handled and _GUESS.search(other.evidence.text) is not None


def _ends(first: Claim, status: Claim) -> bool:
    """Whether a line of the runtime says, right above a status, what failed or where."""
    one, other = first.event, status.event
    here = (one.evidence.path, one.evidence.rank) == (other.evidence.path, other.evidence.rank)
    passed_on = one.family == "nrt" and other.said.kind == "exception"
    here = here and (passed_on or one.family == other.family)
    dumped = _DUMP in other.evidence.text
    near = 0 < other.evidence.line - first.last <= (_FAR if dumped else _NEAR)
    near = near and here and one.said.level in LOUD and not first.handled
    alike = passed_on or one.fields.get("pid", "") == other.fields.get("pid", "")
    return near and alike and (dumped or tells(first) or _WHERE.search(one.evidence.text) is not None)
