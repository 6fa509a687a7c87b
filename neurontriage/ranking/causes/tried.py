"""What was tried again and again in vain is why a program then ends, where the words of the end name no reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.claims.tries import OWN
from neurontriage.expressions import expression
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.beneath import ends
from neurontriage.ranking.causes.stumbled import worked
from neurontriage.ranking.features import Scene, particular
from neurontriage.ranking.statements import WHY

_LONG = 60  # lines from the last of several complaints to the end of the wait
_SENTENCE = 5  # words of a message that says more than that it was in vain
_SOON = 30  # lines within which a program ends that has tried in vain
_TOLD = frozenset({"REASON", "LIMIT", "REFUSED", "ERRNO", "STATUS", "ASSERTION", "SIGNALLED"})
_LOST = r"(?:died|dead|failed|lost|killed|restarted|crashed|exited|errored)"
# Waited for in vain, given up, or counted as dead: how it ended, not why.
_WORN = Sought(
    r"(?i)\btime(?:d)?[- ]?out\b|\bdeadline exceeded\b|\bg[ai]v(?:e|en|ing) up\b|\bnot (?:being )?restart(?:ing|ed)\b"
    rf"|\b{_LOST}\b.{{0,40}}\b\d+ (?:times|different)\b"
    rf"|\b(?:\d+|all (?:of )?(?:those|the|its)) \w+ (?:have |had |were )?{_LOST}\b"
    r"|\bdied unexpectedly\b|\btoo many (?:\w+ ){0,3}(?:restarts|retries|failures|deaths|crashes|attempts)\b"
    r"|\bno (?:more )?(?:re)?(?:starts|tries|attempts) (?:are )?(?:left|remain\w*)\b"
    r"|\b(?:restarts|attempts|retries|tries)\b.{0,40}\b(?:used up|exhausted|exceeded|reached|left)\b"
    r"|\bexceed\w* (?:\w+ ){0,3}(?:attempts|restarts|retries|tries)\b|\b(?:replaced|restarted) \d+ times\b",
    expression,
)
# Whoever looks after processes ends one that takes more than it may.
_OVER = Sought(
    r"(?i)\b(?:exceed\w*|over|above|beyond|limit)\b.{0,80}\b(?:kill|restart|terminat|evict)\w*"
    r"|\b(?:kill|restart|terminat|evict)\w*\b.{0,80}\b(?:exceed\w*|over|above|beyond|limit)\b"
)
_BEHIND = Sought(r": (?:[^\s:]+ ){2,}[^\s:]+")  # a sentence behind the count
_FORMS = frozenset({"coded", "status", "located", "assertion"})


def in_vain(tried: Claim, claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim is the end of what was tried: soon below the last try, without a reason of its own.

    An exception that says more than that is the end, too, only where the tries say what is wrong.
    """
    if not _failed(tried) or claim is tried or claim.event.evidence.path != tried.event.evidence.path:
        return False
    said = claim.event.said
    told = said.kind in _FORMS or not said.words.isdisjoint(_TOLD) or particular(claim, briefs)
    told = told or (_speaks(claim) and not wears(claim) and not _tells(tried))
    return not told and 0 <= claim.event.evidence.line - tried.tried <= _SOON


def _speaks(claim: Claim) -> bool:
    """Whether a claim is an exception with a sentence of its own, or with the name of what it met."""
    said, words = claim.event.said, claim.event.fields.get("message", "").split()
    return said.kind == "exception" and (len(words) >= _SENTENCE or "QUOTED" in said.words)


def worn(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim only says that it was in vain, and this one above why; no work was done since."""
    return not worked(claim, scene.progress) and wore_out(likely, claim, scene.briefs)


def wore_out(likely: Claim, claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the likely claim only says that a wait or several tries were in vain, and this one above it why.

    That is what an entry knows as one failure, a signal, an end because of a limit, or what was complained of again and
    again.
    """
    here, there = claim.event.evidence, likely.event.evidence
    if here.path != there.path or not 0 < there.line - claim.last <= _LONG:
        return False
    if particular(likely, briefs) or not wears(likely) or wears(claim):
        return False
    died = claim.says in ("signal", "raise") and ends(claim)
    died = died or (
        _OVER.search(claim.event.evidence.text) is not None and claim.event.said.level not in ("INFO", "DEBUG")
    )
    return particular(claim, briefs) or died or (claim.count > 1 and _tells(claim))


def wears(claim: Claim) -> bool:
    """Whether a claim says that a wait or several tries were in vain, or counts what died."""
    event = claim.event
    return any(_WORN.search(text) for text in (event.evidence.text, event.fields.get("message", "")))


def _tells(claim: Claim) -> bool:
    """Whether a claim says what is wrong, be it as a warning of its program."""
    said = claim.event.said
    mild = said.kind == "warned" or said.level in ("INFO", "DEBUG") or said.words & {"ZERO", "QUOTATION"}
    step = "PROGRESS" in said.words and not said.level
    told = claim.tried > 0 and "FAILED" in said.words and _BEHIND.search(claim.event.evidence.text) is not None
    return not (mild or step) and (told or not said.words.isdisjoint(WHY | {"EXCEPTION", "INABILITY"}))


def _failed(claim: Claim) -> bool:
    """Whether a line that counts tries says, or by its level warns of, what came of them, too."""
    said = claim.event.said
    warned = said.level not in ("", "INFO", "DEBUG") or not said.words.isdisjoint(OWN | _TOLD | {"EXCEPTION"})
    return claim.tried > 0 and warned


def spent(claim: Claim, scene: Scene) -> bool:
    """Whether the last try of something failed, and the log ends soon after it without a sign that the run went on."""
    path = claim.event.evidence.path
    after = max(marks.get(path, 0) for marks in (scene.success, scene.progress, scene.ended))
    return _failed(claim) and claim.tried > after and scene.course(claim).lines - claim.tried <= _SOON
