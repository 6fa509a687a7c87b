"""Faults that were injected on purpose, as a line above says: what they bring about is none where all ends well."""

from __future__ import annotations

from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.lines.outlook import done, trouble
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import beginning
from neurontriage.ranking.survived.concluding import all_well

_INJECTS = Sought(r"(?i)\b(?:inject(?:s|ed|ing)?|chaos|fault[ -]injection|game ?day|failover drill|kill test)\b")
_HELD = Sought(r"(?i)\b(?:held|recover(?:ed|y|s)?|resum(?:ed|es)|rejoined|back|survived|pass(?:ed)?)\b")
_SOME = 3


def of_drill(claim: Claim, scene: Scene) -> bool:
    """Whether a claim stands below the word that a fault is injected, and the log ends in the word that all is well."""
    course = scene.course(claim)
    begin = begun(course.head)
    if not 0 < begin < claim.event.evidence.line or claim.last >= course.lines or not course.ends:
        return False
    last = [text for _, text in course.ends[-_SOME:]]
    well = all_well(course.ends) > claim.last or done(last[-1]) or _HELD.search(last[-1]) is not None
    return well and not any(map(trouble, last))


@lru_cache(maxsize=8)
def begun(head: str) -> int:
    """The first line that says so; 0 where none does."""
    return next((line for line, text in enumerate(beginning(head)[1], 1) if _INJECTS.search(text)), 0)
