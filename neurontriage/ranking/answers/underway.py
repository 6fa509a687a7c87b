"""What was under way when a process was ended: the last step or bar of progress above the line that tells of its end.

Who is killed, or only leaves a status, says nothing of why; what it did last says what to make smaller, or to look at.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import MOST_EVIDENCE, Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.model import Evidence

_SIGNAL = frozenset({"SIGNALLED", "SIGNAL"})
# How far a bar is, behind the words that head it; and a step that is named as such.
_BAR, _HEAD = expression(r"(?<!\d)(?P<share>\d{1,3})%\s?\|"), range(4, 80)
_STEP = expression(
    r"(?i)(?:^\W{0,3}|\]: {1,2})(?:running|starting|executing|entering|begin(?:ning)?|enter(?:ing)?|start(?:ed)?) "
    r"(?:job|pass|stage|phase|step|task)s?[: ]+[\x22'`]?(?P<doing>[a-z][\w.-]{2,60})"
)
_DONE = 100
_TAKEN = Sought(r"(?i)\b(?:killed|oom|out of memory|time limit|cancell?ed)\b")


def tell(root: Claim, claims: Sequence[Claim]) -> None:
    """The field `doing` of a root that only tells of an end, and the line that says it first as its last evidence."""
    words = root.event.said.words
    ended = "EXIT" in words or _TAKEN.search(root.event.evidence.text) is not None
    if not ("signal" in root.fields or words & _SIGNAL or (ended and "EXCEPTION" not in words)):
        return
    at = root.event.evidence
    told = list[tuple[int, str, Evidence]]()
    for claim in claims:
        if claim.event.evidence.path == at.path and claim.last < at.line and (doing := _doing(claim)):
            told.append((claim.last, doing, claim.event.evidence))
    if not told:
        return
    _, last, _ = max(told, key=lambda one: one[0])
    root.fields.setdefault("doing", last)
    if len(root.evidence) < MOST_EVIDENCE:
        first = min((line for _, doing, line in told if doing == last), key=lambda line: line.line)
        root.evidence = [*root.evidence, first]


def _doing(claim: Claim) -> str:
    """What a line says to be under way; empty where it says nothing of the kind, or that it is done."""
    text = strip(claim.event.evidence.text).payload
    if step := _STEP.search(text):
        return step["doing"]
    bars = [*_BAR.finditer(text)] if "PROGRESS" in claim.event.said.words else []
    done = not bars or (claim.last == claim.event.evidence.line and int(bars[-1]["share"]) >= _DONE)
    head = "" if done else text[: bars[0].start()].strip(" \t:.")
    return head if len(head) in _HEAD and head[0].isalpha() else ""
