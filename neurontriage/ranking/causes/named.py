"""Two lines about the same thing, named in both: the first says what is wrong with it, the second that it is of no use.

A compiler, loader or command tells of a file, device, host, tensor or unit that it could not have or do, and why; the
program that wanted it fails soon after in words of its own, which often only repeat that, shorter.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import LOUD
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.beneath import of_kernel
from neurontriage.ranking.causes.provided import absent
from neurontriage.ranking.causes.stumbled import empty, worked
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import WHY, fails, tells
from neurontriage.ranking.things import things

_NEAR = 24  # lines from what is wrong to the failure, with the frames of that
_NUMBERED = Sought(
    r"\b(?i:error|err|status|ret|rc|returned|code|with|failed)[ :=]{1,3}(?:-?\d{1,5}\W{0,2}$|-\d{1,3}(?:[^\w.]|$))"
)
_BURST = 6  # lines that the kernel says of one fault
_PART = Sought(
    r"(?i)\b(?:stack|row|bank|channel|port|link|lane|queue|qp|ring|engine|slot|dimm|sensor|rail|block|sector|page|core|die"
    r"|cable|fan|bus|register) ?#?(?:0x)?\d"
)
_ILL = Sought(
    r"(?i)\b(?:parity|ecc|crc|poison\w*|not|no|never|bad|under-?run|over-?run|dark|dead|stuck|open|shorted)\b"
)
_DEVICE = frozenset({"runtime", "driver"})
_ASKED = frozenset({"EXPECTED"})
_UNMET = Sought(
    r"(?i)\b(?:but|got|not|no|only|instead|miss\w+|without|have|has|found|given|was|were|must|should)\b|n't\b"
)
_TOLD = frozenset({"REASON", "ERRNO", "STATUS", "SIGNALLED", "REFUSED"})


def named(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim fails at a thing of which this one says, soon above it, what is wrong."""
    if worked(claim, scene.progress):
        return False
    known = particular(likely, scene.briefs)
    if _of_part(likely, claim) and not claim.handled:
        return not known or likely.layer in _DEVICE
    return not known and same(likely, claim, scene.claims)


def same(likely: Claim, claim: Claim, claims: Sequence[Claim]) -> bool:
    """Whether a claim says what is wrong with a thing, and the likely one, below, fails at it.

    A number is all that a program knows of what the kernel says right above it.
    """
    if not _less(likely, claim):
        return False
    if _numbered(likely) and of_kernel(claim) and not of_kernel(likely):
        return True
    return not things(claim).isdisjoint(things(likely) or _in_hand(likely, claim, claims))


def blames(claim: Claim) -> bool:
    """Whether a claim may say what is wrong with a thing."""
    return not claim.handled and (tells(claim) or of_kernel(claim))


def _less(likely: Claim, claim: Claim) -> bool:
    """Whether a claim says what is wrong, and soon below it the likely one fails, and says less."""
    one, other = claim.event, likely.event
    if one.evidence.path != other.evidence.path or one.evidence.rank not in (None, other.evidence.rank):
        return False
    if not 0 < other.evidence.line - claim.last <= _NEAR or not blames(claim) or not fails(likely):
        return False
    if _numbered(likely) and of_kernel(claim) and one.said.words & (WHY | {"INABILITY"}) and not _numbered(claim):
        return True
    if not tells(claim):
        return _of_part(likely, claim)
    bare = not other.said.words & _TOLD or absent(likely) or empty(likely)
    why = one.said.words & WHY - other.said.words
    return bare and bool(why) and not (why == _ASKED and _calm(claim))


def _calm(claim: Claim) -> bool:
    """Whether a line says what something takes, and neither that it is not there nor that anything went wrong."""
    return claim.event.said.level not in LOUD and _UNMET.search(claim.event.evidence.text) is None


def _of_part(likely: Claim, claim: Claim) -> bool:
    """Whether of two lines of the kernel, or of the runtime, in a burst only this one names the part that is ill."""
    one, other = claim.event, likely.event
    if one.evidence.path != other.evidence.path or not 0 < other.evidence.line - claim.last <= _BURST:
        return False
    kernel = of_kernel(claim) and of_kernel(likely) and not other.said.words & (WHY | {"INABILITY"})
    ill = not one.said.words.isdisjoint({"FAILED", "INABILITY"}) or _ILL.search(one.evidence.text)
    if not ill or not (kernel or (_of_device(claim) and _of_device(likely))):
        return False
    return _PART.search(claim.event.evidence.text) is not None and _PART.search(likely.event.evidence.text) is None


def _of_device(claim: Claim) -> bool:
    """Whether a line is one of the runtime or the driver, and no exception of a program that uses them."""
    return claim.layer in _DEVICE and claim.event.said.kind != "exception"


def _numbered(claim: Claim) -> bool:
    """Whether all that a line says of why something failed is a number."""
    return _NUMBERED.search(claim.event.evidence.text) is not None


def _in_hand(likely: Claim, claim: Claim, claims: Sequence[Claim]) -> frozenset[str]:
    """What a program had in hand when it raised an exception that names nothing: it said so last above."""
    if likely.event.said.kind != "exception":
        return frozenset()
    path, above, below = claim.event.evidence.path, claim.last, likely.event.evidence.line
    between = [c for c in claims if c.event.evidence.path == path and above < c.event.evidence.line < below]
    return things(max(between, key=lambda one: one.event.evidence.line)) if between else frozenset()
