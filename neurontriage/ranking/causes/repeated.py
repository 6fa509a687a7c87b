"""An exception passes on, behind words of its own, what a program recorded as an error above: that record came first.

A client raises `An error occurred while calling o2.collect: … : Total size of results (3 GiB) is bigger than …`, long
after the server that it called has said so itself.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import record

_LEAST, _OWN = 24, 12
"""Characters of a sentence that two lines do not have in common by chance; of words that only one of them has."""
_OFTEN, _UNTIL = 8, 60  # times that it is said, and lines from the last of them
_SPEAKER = expression(r"[\w.$-]{1,60}: ")


def repeated(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim is an exception that holds the words of this one, an error that was recorded above."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or not claim.last < other.line or likely.event.said.kind != "exception":
        return False
    if not record(claim) or claim.handled or particular(likely, scene.briefs):
        return False
    said, message = strip(one.text).payload.strip(" ."), likely.event.fields.get("message", "")
    own = said[head.end() :] if (head := _SPEAKER.match(said)) else said
    return len(own) >= _LEAST and len(message) >= len(own) + _OWN and own in message


def stayed(claim: Claim, likely: Claim) -> bool:
    """Whether a claim, of the same entry, is the likely one as it was said until then: the run went on in vain."""
    one, other = claim.event.evidence, likely.event.evidence
    again = claim.known and claim.count >= _OFTEN and one.path == other.path
    return again and one.line < other.line and other.line - claim.last <= _UNTIL
