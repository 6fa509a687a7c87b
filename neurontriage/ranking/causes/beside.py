"""Errors beside a root cause that tell nothing new of the same event: they are its consequences.

What failed is decided before, and does not change. A line that states a fact of its own stays an error of its own, and
so does what stands far away or names another object: two failures of one log are not made one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.model import Why
from neurontriage.ranking.messages import words_of
from neurontriage.ranking.peers import actor

FRAME = "it is a line of the stack of this failure"
PART = "it is part of this message"
UP = "the same thread says it right after this failure"
EMPTY = "it names no reason, and stands right below this failure"
HEAD = "it introduces this message, which stands below it"
BELOW = "it only reports that something below it failed, after this"
AGAIN = "it tells the same once more"
OTHER = "it tells the same of another one"
_STACK, _NEAR, _BELOW, _LEAST = 60, 12, 3, 10
_FACTS = frozenset({"REASON", "MISSING", "LIMIT", "REFUSED", "INVALID", "ASSERTION", "ERRNO", "EXPECTED", "SIGNALLED"})
_TOLD = _FACTS | {"EXCEPTION"}
_INNER = frozenset({"CONTINUATION", "INDENTED"})
_GOES_ON = expression(r"^[^\w:]*[a-z(%]")
_OBJECT = expression(r"(?<![\w./:@-])(?:[A-Za-z][\w./:@-]*?\d[\w./:@-]*|/\w[\w./-]{2,})")
_COMPARED = expression(
    r"(?i)\b(?:mismatch\w*|expected|want(?:ed)?|got|differ\w*|diff|tolerance|atol|rtol|not close|deviat\w+|off by)\b"
)
_TOKEN = expression(r"\x22[^\x22]*\x22|'[^']*'|[\w./:%+-]+")
_NAME = expression(r"[\x22'\d_]|::|[+-]?(?i:nan|inf|infinity|true|false|none):?$")
_PLAIN = ("text", "plain")
_ENDED = expression(r"[.!?]\s*$")


def beside(root: Claim, claims: Sequence[Claim]) -> None:
    """Make those claims consequences of the root that belong to its event and tell nothing new of it."""
    chain = (one for one in claims if one.caused_by == root.id and one.why is not None and one.why.kind == "chain")
    whole = "\n".join(words_of(one.event.evidence.text) for one in (root, *chain))
    for claim in claims:
        here = claim.event.evidence.path == root.event.evidence.path
        apart = here and claim.role == "context" and claim.severity == "error"
        if apart and (why := next(_reasons(root, claim, whole), None)):
            claim.role, claim.caused_by, claim.why = "consequence", root.id, why


def _reasons(root: Claim, claim: Claim, whole: str) -> Iterator[Why]:
    """Why a claim belongs to the event of the root; nothing where nothing shows it."""
    said, raised = claim.event.said, root.event.said.kind == "exception" and root.says != "wrap" and _one(root, claim)
    apart = claim.event.evidence.line - root.event.evidence.end_line
    if claim.known:
        yield from _passed_on(root, claim, apart, raised)
        return
    if _COMPARED.search(claim.event.evidence.text) and _form(claim) == _form(root):
        yield Why("exit_of", OTHER)
    above = -_NEAR <= apart < 0
    if _stacked(claim, apart, raised):
        yield Why("nesting", FRAME)
    if _within(root, claim) or _quoted(claim, whole):
        yield Why("nesting", PART if apart <= _BELOW else AGAIN)
    own = claim.event.family in (*_PLAIN, root.event.family) and not claim.event.fields.get("exception")
    mute = own and not said.words & _FACTS
    inner = "INDENTED" in root.event.said.words and "INDENTED" not in said.words
    if above and (said.words & {"HEADING"} or not said.size or (mute and (raised or inner))):
        yield Why("nesting", HEAD)
    if 0 < apart <= _NEAR and _thread(claim) and _thread(claim) == _thread(root):
        yield Why("exit_of", UP)
    if (
        0 < apart <= _NEAR
        and mute
        and _tells(root)
        and ("INABILITY" not in said.words or _objects(claim) & _objects(root))
    ):
        yield Why("exit_of", EMPTY)
    if 0 < apart <= _BELOW and _goes_on(root, claim):
        yield Why("nesting", PART)
    if 0 < apart <= _STACK and said.kind == "exception" and not claim.event.fields.get("message", ""):
        yield Why("exit_of", EMPTY)


def _passed_on(root: Claim, claim: Claim, apart: int, raised: bool) -> Iterator[Why]:
    """The same of a claim of an entry: it says no more than the root, or only that something failed."""
    plain = claim.event.said.kind != "exception"
    if claim.id == root.id and plain and apart <= _BELOW and _same(root, claim):
        yield Why("nesting", AGAIN)
    if claim.says == "wrap" and plain and raised and -_STACK <= apart < 0:
        yield Why("nesting", HEAD)
    if claim.says in ("wrap", "echo") and root.says not in ("wrap", "echo", "exit") and 0 < apart <= _STACK:
        yield Why("exit_of", BELOW)


def _stacked(claim: Claim, apart: int, raised: bool) -> bool:
    """Whether a claim is a frame, or a line of code that a traceback shows above its exception."""
    words = claim.event.said.words
    frame = claim.event.said.kind == "frame" or ("FRAME" in words and "EXCEPTION" not in words)
    code = raised and -_STACK <= apart <= 0 and "INDENTED" in words and "EXCEPTION" not in words
    return (frame and abs(apart) <= _STACK) or code


def _within(root: Claim, claim: Claim) -> bool:
    return root.event.evidence.line <= claim.event.evidence.line <= root.event.evidence.end_line


def _quoted(claim: Claim, whole: str) -> bool:
    """Whether the root says what a claim says."""
    own = words_of(claim.event.fields.get("message", "") or claim.event.evidence.text)
    return len(own) >= _LEAST and own in whole


def _goes_on(root: Claim, claim: Claim) -> bool:
    """Whether a claim goes on with the sentence of the root, or is set in below it."""
    said, text = claim.event.said, root.event.evidence.text
    if "EXCEPTION" in said.words or said.level not in ("", root.event.said.level):
        return False
    broken = _GOES_ON.match(claim.event.evidence.text) is not None and not _ENDED.search(text)
    return broken or bool(said.words & _INNER) or text.rstrip().endswith(":")


def _same(root: Claim, claim: Claim) -> bool:
    """Whether a claim of the entry of the root names nothing that the root does not name."""
    values = [value for name, value in claim.fields.items() if name not in ("message", "reason")]
    return _within(root, claim) or all(value in root.event.evidence.text for value in values)


def _form(claim: Claim) -> str:
    """A line without the names and values in it: rows of one comparison are alike."""
    text = strip(claim.event.evidence.text).payload
    return " ".join(_TOKEN.sub(lambda one: "#" if _NAME.search(one[0]) else one[0], text).split())


def _one(root: Claim, claim: Claim) -> bool:
    """Whether one process says both, as far as their lines tell."""
    return actor(root.event) == actor(claim.event)


def _thread(claim: Claim) -> tuple[str, str] | None:
    """Who says a claim, where its line names process and thread."""
    pid, tid = claim.event.fields.get("pid", ""), claim.event.fields.get("tid", "")
    return (pid, tid) if pid and tid else None


def _objects(claim: Claim) -> frozenset[str]:
    """What a line names: words that hold a digit, or are put together with other signs."""
    return frozenset(_OBJECT.findall(claim.event.evidence.text))


def _tells(root: Claim) -> bool:
    """Whether the root says more than that something failed."""
    return root.known or bool(root.event.said.words & _TOLD)
