"""A traceback whose heading says what is done in spite of it, and whose speaker goes on.

A program that dies prints its traceback below whatever stood there last, but only once; where the first frame is its
own, it may have been started again, which asks for a better end, as does one that comes once.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.claims.handled import handles
from neurontriage.claims.remedies import remedied
from neurontriage.claims.verdicts import verdict
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD
from neurontriage.lines.outlook import done
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import header
from neurontriage.ranking.features import Scene
from neurontriage.ranking.survived.accounts import bad
from neurontriage.ranking.survived.reported import headed, within

_AGAIN, _LAST = 2, 2  # times that it was put up with, and lines with which a log ends
_NAMED = expression(r"[A-Za-z][\w.-]{0,20}[ _-]?\d{0,6}: (?=\S)")


def put_up(claim: Claim, scene: Scene) -> bool:
    """Whether a claim stands in a traceback that was put up with."""
    said, course = claim.event.said, scene.course(claim)
    if "FRAMED" not in said.words:
        return False
    head = strip(above := headed(claim, course)).payload
    own = _speaker(above)
    if not own or not (handles(head) or remedied(head)):
        return False
    last = max(claim.last, claim.event.evidence.end_line)
    below = [text for line, text in course.ends if line > last and not within(text)]
    if any(map(bad, below)):
        return False
    if claim.count < _AGAIN:
        return strip(above).level in LOUD and any(map(_well, below[-_LAST:]))
    goes_on = any(_speaker(text) == own for text in below)
    return goes_on and ("MAIN" not in said.words or any(map(_well, below[-_LAST:])))


def _speaker(text: str) -> str:
    """Who says a line, by the form of a logger, or by the name in front, whatever its number."""
    if own := header(text):
        return own
    if strip(text).level is not None:
        return "level"
    found = _NAMED.match(text)
    return found[0].rstrip("0123456789: ") if found else ""


def _well(text: str) -> bool:
    said = verdict(text)
    return done(text) or (said is not None and not said.ill)
