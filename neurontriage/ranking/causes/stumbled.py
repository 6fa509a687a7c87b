"""A crash on something that is not there: where the program complained before that it could not have it, that is why.

It goes on without what it could not read or reach, and dies soon after of the empty place: a nil or null pointer, None,
undefined, an empty list or text, a fault of memory. Which of its own names was empty says less than why.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from neurontriage.claims.claim import Claim
from neurontriage.claims.remedies import remedied
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.remembered import remembered
from neurontriage.lines.words import Sought

NOWHERE: Mapping[str, int] = MappingProxyType({})
_BEGUN = 2
_NEAR = 24  # lines from the complaint to the crash, the frames of the crash among them
_EMPTY = Sought(
    r"nil pointer|\bNoneType\b|\bNullPointerException\b|\bnull(?:ptr)? (?:pointer|reference|dereference)"
    r"|of (?:undefined|null)\b|\bon an? `?None`? value|with length 0\b|(?:list|tuple|string) index out of range"
    r"|\bExpecting value: line 1 column 1\b|\bNo columns to parse\b|\bRan out of input\b"
    r"|\b(?:has|have|holds?|contains?) (?:0|no) (?:entries|rows|records|items|elements|lines|words|samples|bytes)\b"
    r"|\bempty (?:file|input|archive)\b|\b(?:host)?(?:name|value|argument|path|address|url) (?:: |(?:is|was|may not be"
    r"|must not be|cannot be|can't be) empty\b)|(?:: |=|\()(?:''|\"\")\W*$"
    r"|\bSegmentation fault\b|\bSIGSEGV\b|\bBus error\b|\bor its return value is not iterable"
)
# What a program dies of that has nothing to work on, and what it says before that of how much it has.
_STARVED = Sought(
    r"\bdivision by zero\b|\bempty (?:sequence|iterable|list|dataset|DataFrame|array|slice)\b"
    r"|\bnon-?empty\b|\bnum_samples=0\b|\bat least (?:one|1)\b|\bgot 0\b|\bindex 0 is out of bounds\b"
    r"|\bwith size 0\b|\breduction of zero elements\b|\bNo data\b"
)
_ITEMS = (
    r"(?:files?|samples?|examples?|rows?|records?|documents?|batch(?:es)?|shards?|images?|steps?|entries|items|elements"
    r"|prompts?|candidates?|tokens?|sequences?|graphs?|trials?|pairs?|matches|layers?|merges|lines|utterances|classes"
    r"|labels?|columns?|features?|checkpoints?|tensors?|results?)"
)
_PLURAL = _ITEMS.replace("(?:es)?", "es").replace("s?", "s")  # of one of them a 0 is its number
_NOTHING = Sought(
    rf"(?i)(?:^|[^\w.,:/-])(?:0|no|zero) (?:[a-z]+ ){{0,2}}{_ITEMS}\b"
    rf"|\b{_PLURAL}(?: found| left| kept)?\W{{1,3}}0(?:$|[^\w.])"
    r"|(?:^|[^\w.,:/-])0 (?:of|/|out of) [1-9]|\b(?:is|are|was|were|became) empty\b|\breturned (?:nothing|none)\b"
    r"|\bnothing (?:was |is )?(?:left|found|matched|selected|returned|loaded|to \w+)\b|\bskipp(?:ed|ing) all\b"
    r"|\b(?:every|all)(?: \d[\d,]*)? [a-z]+ (?:was|were|is|are) (?:filtered|dropped|skipped|rejected|discarded"
    r"|removed)\b"
)
_WHY = frozenset({"INABILITY", "MISSING", "REFUSED", "REASON", "INVALID", "ERRNO", "LIMIT"})
_CALLED = frozenset({"FAILED", "LEVEL", "LABEL"})
_MILD = frozenset({"CALM", "ZERO", "QUOTATION", "SUCCESS", "WARNING", "WARNED", "TEARDOWN", "PROGRESS"})


def stumbled(crash: Claim, claim: Claim, progress: Mapping[str, int] = NOWHERE) -> bool:
    """Whether a program crashed on an empty place soon after this complaint of its own, which says why it is empty.

    `progress`: in which line of each log a step of work was counted last; it is not only the first one begun.
    """
    one, other = claim.event, crash.event
    if (one.evidence.path, one.evidence.rank) != (other.evidence.path, other.evidence.rank):
        return False
    if not 0 < other.evidence.line - claim.last <= _NEAR or not _alike(
        one.process or one.host, other.process or other.host
    ):
        return False
    if worked(claim, progress) or empty(claim):
        return False
    complains = _complaint(claim) and empty(crash) and not remedied(strip(one.evidence.text).payload)
    return complains or (_has_nothing(claim) and (_starved(crash) or empty(crash)))


def _has_nothing(claim: Claim) -> bool:
    """Whether a program says, at whatever level, that it has nothing of what it works on."""
    own = claim.says not in ("exit", "echo", "wrap") and claim.event.said.kind not in ("warned", "exception")
    return own and claim.count == 1 and _NOTHING.search(claim.event.evidence.text) is not None


def _starved(crash: Claim) -> bool:
    """Whether a program died since there was nothing to work on."""
    return "FRAMED" in crash.event.said.words and _STARVED.search(crash.event.evidence.text) is not None


def worked(claim: Claim, progress: Mapping[str, int]) -> bool:
    """Whether work went on below a claim. `progress`: as above; a step that had begun may still be counted."""
    return progress.get(claim.event.evidence.path, 0) > claim.last + _BEGUN


def empty(crash: Claim) -> bool:
    """Whether a crash says that something was not there in the program itself."""
    event = crash.event
    return any(map(_tells_of_nothing, (event.fields.get("message", ""), event.evidence.text)))


@remembered(1024)
def _tells_of_nothing(text: str) -> bool:
    return _EMPTY.search(text) is not None


def _alike(one: str | None, other: str | None) -> bool:
    """Whether two lines may be of the same process: a crash is often reported without its name."""
    return one is None or other is None or one == other


def _complaint(claim: Claim) -> bool:
    """Whether a program calls an error what it could not do or have, even where it says that it goes on without it."""
    said = claim.event.said
    if said.level in CALM or said.kind == "warned" or said.words & _MILD:
        return False
    error = said.level in LOUD or said.kind in ("labelled", "exception") or bool(said.words & _CALLED)
    why = bool(said.words & _WHY) or {"EXCEPTION", "FAILED"} <= said.words
    return (error and why) or {"INABILITY", "REASON"} <= said.words
