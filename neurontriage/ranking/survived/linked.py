"""Whether what ends a log has to do with what was outlived above it: an entry, a name or a word of both says so.

Whoever works on below a complaint ends for a reason of its own, unless its last words come back to that complaint. That
it names no reason, or that nobody else complained, is not enough there.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.causes.why import by_name
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import beginning
from neurontriage.ranking.peers import waits

_WORD = expression(r"[^\W\d_]{4,}")
_SEVERAL = 3  # lines in which a word of two complaints stands that is of them alone, and no more
# Words of any failure, and of any sentence.
_ANY = Sought(
    r"(?i)^(?:\w*errors?|\w*exceptions?|fail\w*|fatal|critical|warn\w*|info|debug|abort\w*|could|cannot|does|have|been|with"
    r"|from|this|that|than|then|they|there|when|while|were|will|would|after|before|because|into|only|again|more|other"
    r"|exit\w*|code|status|not|found|unable|invalid|expected|missing|file|directory|such|line|process|message|reason"
    r"|time|request|value|empty|full|errno|name|number|type|started|starting|stopped|stopping|leaving|giving|run|running|main)$"
)

# Somebody did not come, or did not become ready, in time.
_IN_TIME = Sought(
    r"(?i)\btim(?:ed?|ing)[ -]?out\b|\bdeadline exceeded\b|\bno progress\b"
    r"|\b(?:not|never|no|n't)\b[^.:;]{0,60}\b(?:within|after|for|in) \d+(?:\.\d+)? ?(?:s|sec\w*|min\w*|m|h|hours?|ms)\b"
)


def in_vain(claim: Claim, scene: Scene) -> bool:
    """Whether a claim only says that somebody was waited for, who may have failed of a complaint far above it."""
    return waits(claim, scene.briefs) or _IN_TIME.search(claim.event.evidence.text) is not None


def linked(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim, far below this one, follows from it in spite of the work between them."""
    explained = claim.entry is not None and likely.id in scene.briefs[claim.id]["explains"]
    return explained or by_name(likely, claim, scene) or bool(_shared(likely, claim, scene.course(claim)))


def _shared(likely: Claim, claim: Claim, course: Course) -> set[str]:
    """The words that two claims share, and few other lines of their log."""
    both = _words(claim.event.evidence.text) & _words(likely.event.evidence.text)
    return {one for one in both if _often(course.head, course.ends)[one] <= _SEVERAL}


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    found = (one.lower() for one in _WORD.findall(strip(text).payload))
    return frozenset(one for one in found if not _ANY.search(one))


@lru_cache(maxsize=4)
def _often(head: str, ends: tuple[tuple[int, str], ...]) -> Counter[str]:
    """In how many of the lines that are known of a log each word stands."""
    lines = beginning(head)[1]
    known = dict(enumerate(lines, 1)) | dict(ends)
    return Counter(one for text in known.values() for one in _words(text))
