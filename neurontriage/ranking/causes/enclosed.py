"""What an installer only puts around the output of what it ran, or below a list: what it encloses says why.

pip draws a frame around the output of a build, or points above it; apt closes a list with a line of its own; a script
that called one says so in words without a subject.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.claims.endings import process_of
from neurontriage.lines.levels import CALM
from neurontriage.ranking.features import Scene, particular

_TASK = ("plain", "task")
_WAITED = ("kubernetes", "waited")
_ABOVE = 40  # lines above its frame in which a program may have said why
_LISTED = 12  # the same for a list that one line closes
_HEAD = "framed"
_FRAMES, _CLOSING = frozenset({("installer", _HEAD), ("installer", "unframed")}), ("installer", "closing")
_STATES = frozenset({"raise", "state"})
_WORDS = frozenset({"INABILITY", "LIMIT", "MISSING", "REFUSED", "INVALID", "FAILED", "EXPECTED", "REASON", "ASSERTION"})
_FORMS = frozenset({"located", "coded", "exception", "status", "assertion", "labelled"})
_MILD = frozenset({"CALM", "ZERO", "QUOTATION", "UNHIT"})


def enclosed(claim: Claim, likely: Claim, scene: Scene) -> bool:
    """Whether the likely claim is such a line, and this one what it encloses."""
    if process_of(claim.event) != process_of(likely.event) or _around(claim) or not _tells(claim, scene):
        return False
    far = likely.event.evidence.line - claim.event.evidence.end_line
    if _form(likely) == _CLOSING:
        return 0 < far <= _LISTED
    if _form(likely) == _TASK:
        return far < 0
    if _form(likely) == _WAITED:
        return claim is not likely and claim.event.evidence.line != likely.event.evidence.line
    if frames(likely):
        return _within(claim, likely, scene)
    return 0 < far <= _LISTED and _form(claim)[0] == "installer" and _wordless(likely)


def frames(claim: Claim) -> bool:
    """Whether a claim is the head or the end of a frame."""
    return _form(claim) in _FRAMES


def inside(claim: Claim, claims: Sequence[Claim]) -> bool:
    """Whether a claim stands between the head and the end of a frame."""
    above, below = _frame(claim, claims)
    return above[1] == _HEAD and bool(below[0])


def _within(claim: Claim, likely: Claim, scene: Scene) -> bool:
    """Whether a claim stands inside of a frame, or above its head in the same margin."""
    if inside(claim, scene.claims):
        return True
    line, (above, below) = claim.event.evidence.line, _frame(claim, scene.claims)
    margin = ("INDENTED" in claim.event.said.words) == ("INDENTED" in likely.event.said.words)
    near = above[1] != _HEAD and below[1] == _HEAD and below[0] - line <= _ABOVE
    return near and margin and claim.says == "raise"


def _frame(claim: Claim, claims: Sequence[Claim]) -> tuple[tuple[int, str], tuple[int, str]]:
    """(line, kind) of what frames the output of what a process ran, above a claim of it and below."""
    line, process = claim.event.evidence.line, process_of(claim.event)
    events = [match.event for one in claims if frames(one) for match in one.kept]
    places = [(one.evidence.line, one.kind) for one in events if process_of(one) == process]
    above = max((one for one in places if one[0] < line), default=(0, ""))
    return above, min((one for one in places if one[0] > line), default=(0, ""))


def _tells(claim: Claim, scene: Scene) -> bool:
    """Whether a claim says of itself what is wrong."""
    said = claim.event.said
    if claim.handled or said.words & _MILD or said.level in CALM:
        return False
    told = said.kind in _FORMS or not said.words.isdisjoint(_WORDS)
    return particular(claim, scene.briefs) or (claim.says in _STATES and told)


def _wordless(claim: Claim) -> bool:
    """Whether a line that no entry knows names nothing of what failed but in plain words."""
    said = claim.event.said
    return claim.entry is None and claim.event.family in ("plain", "text") and said.fields.keys() <= {"exception"}


def _around(claim: Claim) -> bool:
    return frames(claim) or _form(claim) in (_CLOSING, _WAITED, _TASK)


def _form(claim: Claim) -> tuple[str, str]:
    return claim.event.family, claim.event.kind
