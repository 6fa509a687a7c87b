"""A job that went on from its checkpoint to its end: nothing was lost of what it was taken off its machine for.

So it is with what it died of, where the same work is resumed below and nothing is then amiss.
"""

from __future__ import annotations

from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.lines.outlook import done, trouble
from neurontriage.lines.voices import kind, loud
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import STACK, Scene
from neurontriage.ranking.onward import known_lines

Kind = tuple[str, ...]
_LAST = 6  # lines in which a job says that it is done
_SOME = 2  # lines of the work that it did before
_OF_DEVICES = frozenset({"nrt", "ofi"})  # families of lines of the runtime and the library of its collectives
# Somebody else wants the machine, or it goes: no fault of the job.
_TAKEN = Sought(
    r"(?i)\bSIG(?:TERM|USR[12])\b|\bpreempt\w*|\bevict\w*|\brequeue\w*|\bspot\b|\binterruption\b|\breclaim\w*"
    r"|\bnode[_ ]fail(?:ure)?\b|\bdrain(?:ed|ing)?\b|=15/TERM|\b(?:0:15|143:0|143|-15)\b"
)
_FROM = r"(?:\w+ ){0,3}?(?:from|at|checkpoint)\b.{0,80}(?:\d|/|ckpt|checkpoint)"
_RESUMES = Sought(
    r"(?i)\b(?:resum(?:ed|es?|ing)|restor(?:ed|es?|ing)|continu(?:ed|es?|ing)|restart(?:ed|s|ing)|load(?:ed|s|ing)) "
    + _FROM
)
_GOES_ON = Sought(rf"(?i)\bresum(?:ed|es?|ing) {_FROM}")


def resumed(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is of being taken off, or what a job died of, and it is then resumed and done without trouble."""
    course, line, framed = scene.course(claim), claim.event.evidence.line, "FRAMED" in claim.event.said.words
    if line >= _done_again(course.head, course.ends):
        return False
    if not framed and _TAKEN.search(claim.event.evidence.text) is not None:
        return True
    peers = claim.layer == "collectives" and claim.event.family not in _OF_DEVICES  # PyTorch lost one of them
    died = peers or ((framed or claim.says in ("exit", "wrap")) and claim.layer not in STACK)
    at, again = _all_well_again(course.head, course.ends) if died else (0, ())
    if line >= at:
        return False
    before = {kind(text) for number, text in known_lines(course.head, course.ends).items() if number < line} - {()}
    return sum(one in before for one in again) >= _SOME


@lru_cache(maxsize=8)
def _done_again(head: str, ends: tuple[tuple[int, str], ...]) -> int:
    """The last line in which a job is resumed, if it is then done; else 0."""
    if not (_RESUMES.search(head) or _RESUMES.search("\n".join(text for _, text in ends))):
        return 0
    known = known_lines(head, ends)
    at = max((line for line, text in known.items() if _RESUMES.search(text) and not loud(text)), default=0)
    rest = [text for line, text in sorted(known.items()) if line > at > 0 and text][-_LAST:]
    return at if any(map(done, rest)) and not any(loud(text) or _ill(text) for text in rest) else 0


@lru_cache(maxsize=8)
def _all_well_again(head: str, ends: tuple[tuple[int, str], ...]) -> tuple[int, tuple[Kind, ...]]:
    """The first line in which a job is resumed, and what sort of lines follow, if nothing is amiss from there to its
    last word, that it is done; else 0.
    """
    known = sorted(known_lines(head, ends).items())
    at = next((line for line, text in known if _GOES_ON.search(text) and not loud(text)), 0)
    rest = [text for line, text in known if line > at > 0 and text]
    well = bool(rest) and done(rest[-1]) and not any(loud(text) or trouble(text) for text in rest)
    return (at, tuple(map(kind, rest))) if well else (0, ())


def _ill(text: str) -> bool:
    return trouble(text) and _TAKEN.search(text) is not None
