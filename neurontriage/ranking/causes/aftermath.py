"""What comes right below an error that a program recorded, and that says what became of it, in no words of its own.

Whoever cannot clean up, has lost whom it talked to, waited for it in vain, misses what the step above should have made,
or reports the end of it says less than what was recorded, however little like a failure that sounds.
"""

from __future__ import annotations

from typing import NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.detailed import bare
from neurontriage.ranking.causes.stumbled import worked
from neurontriage.ranking.causes.tried import wears
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import HEADER, WHY, calms
from neurontriage.ranking.things import names

_MILD = frozenset({"ZERO", "QUOTATION", "PROGRESS", "WARNED", "WARNING", "HEADING"})
_GOOD = frozenset({"CALM", "SUCCESS"})
_ENDS = frozenset({"exit", "echo", "note"})
_OF_OTHERS = frozenset({"EXIT", "HEADING", "FRAMED", "EXCEPTION"})
_FEW = 3  # words of an exception that says hardly more than that something failed
_CLEANS = Sought(
    r"(?i)\b(?:cannot|can't|can not|could not|couldn't|unable to|failed to|failed|error) "
    r"(?:remov|delet|unlink|clean|unlock|releas|clos|u?n?mount|flush|join|deregister|destroy|free|stop|kill)\w*"
)
_LOST = Sought(
    r"(?i)\bfailed to connect to all addresses\b|\bStatusCode\.UNAVAILABLE\b|\bserver disconnected\b"
    r"|\bsocket closed\b|\bpeer closed\b|\bclosed by (?:the )?(?:peer|remote)\b|\bRemote end closed\b"
    r"|\bconnection (?:was )?(?:closed|reset|refused|lost|aborted)\b|\bconnect(?:ion)? to \S+ (?:failed|lost)\b"
)
_TAGGED = expression(r"(?:\[[\w./-]{1,40}\] )?(?:ERROR|FATAL|CRITICAL)\b")
# What a step makes, and the next one reads.
_PRODUCT = Sought(
    r"(?i)(?:no such file or directory|does not exist|not found)\b.*[\w/-]\.(?:neff|hlo|pb|pt|o|so|whl|onnx|ckpt|npz"
    r"|safetensors|tar|gz)\b"
)


class _Sort(NamedTuple):
    """A sort of what may come of an error: how many lines below it, and whether an entry may know it in particular."""

    near: int
    known: bool = False


_NAMING, _CLEANING, _REPORTING, _SAYING, _LOSING, _WAITING = map(_Sort, (4, 6, 8, 12, 24, 60))
_MISSING = _Sort(10, known=True)


def aftermath(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only says what became of the error that this one, above it, records.

    An exception right below a record is what was recorded.
    """
    one, other = claim.event.evidence, likely.event.evidence
    if likely.event.said.kind == "exception" and other.line == one.end_line + 1:
        return False
    if (
        one.path != other.path
        or claim.last >= other.line
        or not _records(claim)
        or (sort := _sort(likely, scene)) is None
    ):
        return False
    own = _sort(claim, scene)
    less = own is not None and (own is not _NAMING or sort is _NAMING)
    less = less or (sort is not _NAMING and not claim.event.said.words.isdisjoint(_GOOD))
    if less or other.line - claim.last > sort.near or worked(claim, scene.progress):
        return False
    return not particular(claim, scene.briefs) or not particular(likely, scene.briefs)


def _sort(claim: Claim, scene: Scene) -> _Sort | None:
    """What sort of aftermath a claim may be; None where it is none, or an entry knows it as one failure."""
    text, brief = claim.event.evidence.text, scene.briefs[claim.entry] if claim.entry is not None else None
    sort = None
    if _CLEANS.search(text):
        sort = _CLEANING
    elif _LOST.search(text):
        sort = _LOSING
    elif _PRODUCT.search(text):
        sort = _MISSING
    elif brief is not None and brief["role"] == "wrapper" and brief["general"]:
        sort = _REPORTING
    elif (wears(claim) and "FRAMED" not in claim.event.said.words) or (brief is not None and brief["halts"]):
        sort = _WAITING
    elif _mute(claim):
        sort = _SAYING
    elif claim.event.said.level in LOUD and bare(claim):
        sort = _NAMING
    return sort if sort is None or sort.known or not particular(claim, scene.briefs) else None


def _mute(claim: Claim) -> bool:
    """Whether a claim is an exception that names nothing, and says in few words that something failed."""
    said, message = claim.event.said, claim.event.fields.get("message", "")
    failed = "FRAMED" in said.words and not said.words.isdisjoint(("FAILED", "INABILITY"))
    return failed and said.words.isdisjoint(WHY) and len(message.split()) <= _FEW and not names(message)


def _records(claim: Claim) -> bool:
    """Whether a program records a claim as an error, in words of its own, and does not take it back."""
    said = claim.event.said
    tagged = "LEVEL" in said.words and _TAGGED.match(strip(claim.event.evidence.text).payload) is not None
    called = ((said.level in LOUD or tagged) and said.size > HEADER) or said.kind == "labelled"
    wraps = claim.says == "wrap" and bool(said.words & _OF_OTHERS)
    mild = said.words & _MILD or calms(claim) or claim.handled
    return called and not wraps and claim.says not in _ENDS and not mild
