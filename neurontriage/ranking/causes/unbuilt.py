"""A build leaves out a part for want of a tool, and goes on; what was built then misses that part, in other words.

Nothing is named in both lines: that something was built or installed between them, and that what is missing is a part
of what is built (an extension, a plugin, a private module, support for something), ties them.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import beginning

_PART = (
    r"(?:extensions?|plug-?ins?|kernels?|bindings?|back-?ends?|transports?|providers?|operators?|ops|modules?|codecs?)"
)
# What a build could not find, or has not, and that it leaves a part out for it.
_WANTS = Sought(
    r"(?i)\b(?:not (?:be )?(?:found|installed|available|set)|missing|no \w+|could not find|cannot find|unavailable)\b"
)
_BUILDS = rf"(?:compil\w+|build\w*|{_PART})"
_LEAVES = Sought(
    r"(?i)\b(?:skip\w*|not (?:be )?(?:built|compiled)|disabl\w+|without|leav\w+ out|omitt\w+)\b"
    rf".{{0,60}}\b{_BUILDS}\b"
    rf"|\b{_BUILDS}\b.{{0,60}}\b(?:skip\w*|not (?:be )?(?:built|compiled)|disabled|omitted)\b"
)
_LACKS = Sought(
    r"(?i)\bcannot import name '_\w|\bno module named '(?:\w+\.){0,6}_\w"
    r"|\b(?:not|never) (?:been )?(?:built|compiled)\b"
    rf"|\b(?:without|no|missing|lacks?)\b (?:[\w-]+ ){{0,2}}(?:{_PART}|support)\b"
    rf"|\b{_PART} (?:\S+ )?(?:is|are|was|were) (?:not|un)[ -]?(?:available|found|registered|built|loaded)\b"
)
_BUILT = Sought(
    r"(?i)\b(?:successfully (?:built|installed)|installed|installing|linking|wheel|make\b.{0,12}\bdone"
    r"|(?:install(?:ation)?|build(?:ing)?|configur\w+) (?:done|finished|succeeded|complete\w*)|built target)\b"
)


def unbuilt(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim lacks a part of what was built, and this one, above, says that a build left one out."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or claim.last >= other.line or not _LACKS.search(other.text):
        return False
    if not leaves_out(claim) or leaves_out(likely):
        return False
    here = [c for c in scene.claims if c.event.evidence.path == one.path]
    if any(c.event.evidence.line < one.line and leaves_out(c) for c in here):
        return False
    course = scene.course(claim)
    known = [*enumerate(beginning(course.head)[0], 1), *course.ends]
    known += [(c.event.evidence.line, c.event.evidence.text) for c in here]
    return any(one.line < line < other.line and _BUILT.search(text) for line, text in known)


def leaves_out(claim: Claim) -> bool:
    """Whether a build says that it leaves a part out because something is not there."""
    text = claim.event.evidence.text
    return claim.says != "exit" and _LEAVES.search(text) is not None and _WANTS.search(text) is not None
