"""Something fails, and its line names no reason: what above it names one, and more of what is wrong, is why.

A program goes on for a while after the line that says why, and what it says at its end is shorter: a tool and a file, a
class of exceptions, the number of a status.  Who reads it does not know more than that something failed.
"""

from __future__ import annotations

from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.facts.beyond import beyond
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.bounded import gives_up, oversteps
from neurontriage.ranking.causes.provided import DATA, absent
from neurontriage.ranking.causes.stumbled import worked
from neurontriage.ranking.edges.chain import raised_from
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.peers import actor
from neurontriage.ranking.statements import HEADER, WHY, fails
from neurontriage.ranking.things import names

_MOST = 3  # things, and numbers, of a line that are counted
_BOUND = 2  # a value beside its bound is as good as so many
_REASON = WHY - {"EXPECTED"}
_MILD = frozenset({"CALM", "ZERO", "QUOTATION", "SUCCESS", "PROGRESS", "ENDED", "WARNED"})
_EMPTY = frozenset({"FAILED", "INABILITY", "EXIT", "WRAP", "HEADING", "UNHIT", "EXCEPTION"})
_ENDS = frozenset({"FAILED", "INABILITY", "EXIT", "WRAP", "NRT", "TEARDOWN"})
_STRONG = frozenset({"REASON", "ERRNO", "EXCEPTION", "STATUS", "REFUSED", "INVALID", "ASSERTION"})
_REMARK = frozenset({"CALM", "ZERO", "QUOTATION", "SUCCESS", "PROGRESS", "ENDED"})
_CLOSE = 3  # lines from a warning to the error that follows from it
_SENTENCE = 4  # words of an exception's message that says something
_NEAR = 24  # lines from a setting to the exception that its value raised, with the frames of that
_BURST = 4  # lines of which one error of the runtime follows from another
_LONGEST = 60  # characters of a value that is quoted
_SETTING = Sought(
    r"\b[A-Z][A-Z\d]{1,30}(?:_[A-Z\d]{1,30}){1,8}\b|--[a-z][\w-]{2,40}\b|\b[a-z]{2,30}(?:[_.][a-z\d]{1,30}){1,6} ?="
)
_NUMBER = expression(r"(?<![\w.:/-])\d+(?:[.,x]\d+)*(?![\w:/-]|\.\d)")
_CODE = expression(r".*\.(?:py|sh|cc|cpp|c|go|rs)$")


def reasoned(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim names no reason, and this one, above it, names one and more of what is wrong."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or one.rank not in (None, other.rank) or not claim.last < other.line:
        return False
    if particular(likely, scene.briefs) or worked(claim, scene.progress) or scene.survived(claim):
        return False
    if claim.event.said.level in CALM and _knows(likely, scene):
        return False
    if of_setting(likely, claim) or bursts(likely, claim) or (oversteps(claim) and gives_up(likely)):
        return True
    return (more(likely, claim) or _warned(likely, claim)) and not scene.well_below(claim)


def _knows(claim: Claim, scene: Scene) -> bool:
    """Whether an entry explains a claim as a root cause, be it a class of them, but for one of any such exception."""
    brief = scene.briefs[claim.id] if claim.entry is not None else None
    return brief is not None and brief["role"] == "root" and not brief["fallback"]


def _warned(likely: Claim, claim: Claim) -> bool:
    """Whether an error of a program names no reason, and what it warned of right above is one."""
    said = claim.event.said
    if said.level != "WARNING" or likely.event.said.level not in LOUD or claim.handled or said.words & _REMARK:
        return False
    near = likely.event.evidence.line - claim.last <= _CLOSE and actor(claim.event) == actor(likely.event)
    return near and not said.words.isdisjoint(_STRONG) and unreasoned(likely)


def bursts(likely: Claim, claim: Claim) -> bool:
    """Whether the likely claim names nothing, in a burst of errors of the runtime that this one, above it, begins."""
    one, other = claim.event, likely.event
    if not one.family == other.family == "nrt" or claim.handled or actor(one) != actor(other):
        return False
    if other.evidence.line - claim.last > _BURST or one.said.level not in LOUD or one.said.words & _MILD:
        return False
    return not _named(_said(likely)) and _named(_said(claim)) > 1


def of_setting(likely: Claim, claim: Claim) -> bool:
    """Whether an exception only quotes a value, and this one, soon above it, says which setting has it, as an error."""
    said, text = claim.event.said, claim.event.evidence.text
    quoted = _quoted(_message(likely))
    if not quoted or likely.event.evidence.line - claim.last > _NEAR or _SETTING.search(_said(likely)):
        return False
    error = said.level in LOUD or bool(said.words & {"LABEL", "INABILITY", "INVALID"})
    before, found, after = text.partition(quoted)
    whole = found and not before[-1:].isalnum() and not after[:1].isalnum()
    return bool(error and whole) and not said.words & _MILD and _SETTING.search(text) is not None


def more(likely: Claim, claim: Claim) -> bool:
    """Whether the likely claim says that something failed, and this one why, or of what, in more facts."""
    if not unreasoned(likely) or not (says_why(claim) or (raised_from(likely, claim) and bool(_message(claim)))):
        return False
    return _facts(claim) > _facts(likely)


def unreasoned(claim: Claim) -> bool:
    """Whether a claim says that something failed, and not why; a program that stumbles over its own data says that."""
    said = claim.event.said
    if claim.says == "wrap" and "HEADING" in said.words:
        return False
    if (
        not fails(claim)
        or said.words & (WHY | {"SIGNALLED", "INDENTED", "ADVICE"})
        or beyond(claim.event.evidence.text)
    ):
        return False
    if said.words.isdisjoint(_ENDS) and len(_message(claim).split()) >= _SENTENCE:
        return False
    if absent(claim) or _numbers(_said(claim)) > 1 or any("::" in one for one in names(_said(claim))):
        return False
    return claim.event.fields.get("exception", "").rpartition(".")[2] not in DATA


def says_why(claim: Claim) -> bool:
    """Whether a claim says why something failed, and is no remark; or is called an error, and says more than that."""
    said = claim.event.said
    over = beyond(claim.event.evidence.text)
    if claim.handled or said.words & (_MILD | {"INDENTED"}) or said.kind == "warned" or claim.says in ("exit", "echo"):
        return False
    if said.level in CALM:
        return over and said.level == "WARNING"
    called = said.level in LOUD and said.size > HEADER and claim.says != "wrap" and not said.words & _EMPTY
    return over or called or ("UNHIT" not in said.words and bool(said.words & _REASON))


def _facts(claim: Claim) -> int:
    """How much a claim names: things, numbers, a value beside its bound, a reason."""
    return _named(_said(claim)) + bool(claim.event.said.words & _REASON)


def _said(claim: Claim) -> str:
    return _message(claim) or strip(claim.event.evidence.text).payload


def _quoted(text: str) -> str:
    """The value in the quotes with which a text ends; "" without them."""
    head, mark = text.rstrip(" .,;:)]")[:-1], text.rstrip(" .,;:)]")[-1:]
    value = head.rpartition(mark)[2] if mark in ("'", '"') and mark in head else ""
    return value if len(value) <= _LONGEST else ""


def _message(claim: Claim) -> str:
    return claim.event.fields.get("message", "")


@lru_cache(maxsize=1024)
def _named(text: str) -> int:
    found = {one for one in names(text) if not _CODE.match(one)}
    parts = {one.rpartition("/")[2] for one in found if "/" in one}
    return min(len(found - parts), _MOST) + min(_numbers(text), _MOST) + _BOUND * beyond(text)


def _numbers(text: str) -> int:
    return len(set(_NUMBER.findall(text)))
