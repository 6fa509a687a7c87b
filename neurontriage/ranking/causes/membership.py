"""A line that names a step, or counts what failed of many: the line beside it that says why is of the one that did.

It closes what stands above it, or heads the output of what failed (`FAILED: softmax.o`).
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.detailed import bare
from neurontriage.ranking.causes.stumbled import worked
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import calms, reasoned, tells

_NEAR = 24  # lines from the member to the closing line
_RIGHT = 2  # the same from a line that says only that something failed to the place in a source below it
_COUNTS = Sought(
    r"(?i)\b\d+ (?:of|out of) (?:the )?\d+ (?:\w+ ){1,3}(?:failed|cannot|not|died|lost|errored)\b"
    r"|\b[1-9]\d{0,3} [a-z]{4,20} (?:failed|cannot|(?:could|were|was|did) not)\b"
    r"|\bfollowing \w{3,20}(?:\(s\))? (?:failed|cannot|(?:could|were|was|did) not)\b"
)
_WHOLE = Sought(
    r"(?i)\b(?:steps?|stages?|phases?|builds?|targets?|tasks?|jobs?|pipelines?|suites?|clusters?|stacks?|deployments?"
    r"|releases?|rollouts?|installations?|creations?|wheels?|updates?|upgrades?|set-?ups?|provisioning|runs?|services"
    r"|nodes|groups|resources)\b"
)
_UNDONE = Sought(r"(?i)\b(?:incomplete|unsuccessful|aborted|broken off|not complete[d]?)\W*$")
_FILE = expression(r"[\w+-]{1,80}\.\w{1,8}\s*$")
_BLANK = expression(r".{0,400}:\s*$")  # a name, and no value
_NAMED = frozenset({"LABEL", "PATH", "QUOTED", "SYMBOL", "LEVEL"})
_MILD = frozenset({"ZERO", "QUOTATION", "PROGRESS", "TEARDOWN", "EXIT", "WRAP", "WARNING", "WARNED", "UNHIT"})


def member(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only names a whole, or counts its members, and this one says why one of them failed."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or claim.handled or particular(likely, scene.briefs):
        return False
    if claim.event.said.kind == "located" and 0 < one.line - other.line <= (_NEAR if _heads(likely) else _RIGHT):
        return _heads(likely) or bare(likely)
    if not 0 < other.line - claim.last <= _NEAR or worked(claim, scene.progress):
        return False
    if not _closes(likely) or not _why(claim, likely):
        return False
    places = ((c, c.event.evidence) for c in scene.claims)
    return not any(at.path == one.path and one.line < at.line < other.line and _why(c, likely) for c, at in places)


def _heads(claim: Claim) -> bool:
    """Whether a line only calls a thing failed."""
    said = claim.event.said
    if "LABEL" not in said.words or not said.words <= _NAMED:
        return False
    return "PATH" in said.words or _FILE.match(claim.event.fields.get("message", "")) is not None


def _closes(claim: Claim) -> bool:
    said, text = claim.event.said, claim.event.evidence.text
    if said.kind == "exception":
        return False
    if _COUNTS.search(text) is not None or (_UNDONE.search(text) is not None and _WHOLE.search(text) is not None):
        return said.words.isdisjoint({"REASON", "ERRNO"}) and said.kind != "located"
    installer = (claim.event.family, claim.event.kind) == ("installer", "unframed")
    return (installer or bare(claim)) and _WHOLE.search(text) is not None


def _why(claim: Claim, likely: Claim) -> bool:
    """Whether a claim says what is wrong, or is called an error in more words than a closing line that none knows."""
    said = claim.event.said
    if (
        _closes(claim)
        or calms(claim)
        or said.words & _MILD
        or said.level in CALM
        or _BLANK.match(claim.event.evidence.text)
    ):
        return False
    empty = not said.words.isdisjoint({"INABILITY", "FAILED"}) or _heads(claim)
    called = said.kind == "located" or ("LABEL" in said.words and not (empty or likely.known))
    return called or tells(claim) or reasoned(claim)
