"""What happens below a complaint decides: whoever works on to the end of the log has survived what it said before.

What a claim needs to be passed over (`need`) and what is seen below it (`proof`) stand on one scale: somebody speaks on
calmly, works on, works on and to a good end.  Where a log ends soon below a claim, nothing is proved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from enum import IntEnum

from neurontriage.claims.claim import Claim
from neurontriage.claims.commands import of_command
from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM, LOUD, USUAL, name
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import kind, loud, voice
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.headed import of_head
from neurontriage.ranking.causes.sentence import sentence
from neurontriage.ranking.causes.tried import spent
from neurontriage.ranking.features import PROBES, STACK, Scene
from neurontriage.ranking.onward import above, failed, idles, leaves, seen_below
from neurontriage.ranking.statements import WHY
from neurontriage.ranking.survived.again import again
from neurontriage.ranking.survived.linked import in_vain, linked
from neurontriage.ranking.survived.reported import headed, reported, within
from neurontriage.ranking.survived.steps_below import busy, overtaken, rising
from neurontriage.ranking.things import names

_REPORTS = frozenset({"exit", "wrap", "echo", "signal", "note", "state"})
_UNDONE = frozenset({"INABILITY", "FAILED", "MISSING", "REFUSED", "EXIT"})
_REASONS = (WHY - {"MISSING", "REFUSED"}) | {"FRAMED", "SIGNALLED"}
_DIES, _CRITICAL = frozenset({"SIGNALLED", "EXIT", "FRAMED"}), Sought(r"\b(?:CRIT|CRITICAL|crit|critical)\b")
_FEW, _SOME, _MANY = 2, 3, 5
_SENTENCE = 4  # words that say something
_START = 12  # lines in which a program starts
_LAST = 3  # lines of which one who speaks to the end of a log has one
# A server answers what somebody wants of it.
_ANSWERS = Sought(r"\b(?:GET|POST|PUT|PATCH|DELETE)\b.*\b20[0-4]\b|\b20[0-4] (?:GET|POST|PUT|PATCH|DELETE)\b")

Kind = tuple[str, ...]
"""What sort of thing a line says, as its first words tell it."""
# A thing that has a number in its name, of some length.
_NAMED = expression(r"(?<![\w./-])(?=[\w./-]{5})[A-Za-z][\w./-]*[_./-]?\d[\w./-]*\w")
# A compiler, or what makes a build, names the place before the level.
_PLACED = expression(rf"[\w./+-]{{1,200}}:\d{{1,6}}(?::\d{{1,6}})?: \[?(?P<level>{USUAL}|warning|debug|info)\]?[: ]")
# What pytest lists of all that it did, when it is over.
_RESULT = expression(r"(?:PASSED|SKIPPED|XFAIL|XPASS) (?:\[\d+\] )?\S+\.py\b")
_KLOG = expression(r"[IW]\d{4} \d\d:\d\d:\d\d")


class Weight(IntEnum):
    """How much is seen below a claim, or has to be."""

    NOTHING = 0
    SPEAKS = 1
    WORKS = 2
    ENDS_WELL = 3
    NEVER = 4


def outlived(loud: Sequence[Claim], done: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The claims below which it is seen that nobody died of them. `loud`: all that would fail the log, but for `done`.

    From the last one up: what fails a log fails for itself, and above it work may have gone on.
    """
    lived, left, known = list[Claim](), list[Claim](), {one for claim in done for one in _kinds(claim)}
    for claim in sorted(loud, key=lambda one: one.place, reverse=True):
        needed, below = need(claim, scene), _below(claim, left, scene, known)
        alive = needed < Weight.NEVER and proof(claim, left, scene, below) >= needed
        if alive or again(claim, below, scene) or _overtaken(claim, left, scene):
            lived.append(claim)
            known |= _kinds(claim)
        else:
            left.append(claim)
    return lived


def quiet(ranked: Sequence[Claim], loud: Sequence[Claim], scene: Scene) -> list[Claim]:
    """Of the likeliest claims (`ranked`) those that fail nothing by themselves, and that whoever said them outlived.

    `loud`: what fails the log, for itself.
    """
    found, told = list[Claim](), telling(loud, scene)
    if told is None:
        return found
    for claim in ranked:
        needed = need(claim, scene)
        alive = needed < Weight.NEVER and proof(claim, loud, scene) >= needed
        if claim in (*loud, *told) or not (alive or _overtaken(claim, loud, scene)) or led_to(claim, told, scene):
            break
        found.append(claim)
    return found


def led_to(claim: Claim, loud: Sequence[Claim], scene: Scene) -> bool:
    """Whether what fails a log, below a claim, follows from it, or gives no reason; or heads what the claim says."""
    if any(one.place < claim.place for one in loud):
        return any(of_head(one, claim) for one in loud)
    told = [c for c in loud if _states(c) and "HEADING" not in c.event.said.words] or loud  # what it heads says more
    return (
        all(in_vain(one, scene) for one in told)
        or all(map(_unreasoned, told))
        or any(linked(one, claim, scene) for one in told)
    )


def _unreasoned(claim: Claim) -> bool:
    """Whether a claim says that something was not done, or that something is not there, and not what."""
    words, said = claim.event.said.words, strip(claim.event.evidence.text).payload
    if claim.says == "exit" and words.isdisjoint(WHY):
        return True
    told = not words.isdisjoint(("MISSING", "REFUSED")) or ("INABILITY" in words and level(claim) in LOUD)
    if told and (names(said) or any(map(str.isdigit, said))):
        return False
    wraps = "WRAP" in words and len(said.rpartition(": ")[2].split()) < _SENTENCE
    return (wraps or not words.isdisjoint(_UNDONE)) and words.isdisjoint(_REASONS)


def _kinds(claim: Claim) -> set[Kind]:
    """The kinds of lines that state a claim."""
    return {kind(event.evidence.text) for event in (claim.event, *(one.event for one in claim.kept))}


def telling(rest: Sequence[Claim], scene: Scene) -> Sequence[Claim] | None:
    """What of all that is left says why a log failed; None where it is but reports, which may be of anything."""
    if not rest or any(map(_states, rest)):
        return rest
    return [last] if (last := sentence(rest, scene)) is not None else None


def _states(claim: Claim) -> bool:
    """Whether a claim is more than a report: it says what failed, or its program calls it an error."""
    recorded = claim.says in ("state", "note", "wrap") and level(claim) in LOUD and "EXIT" not in claim.event.said.words
    return claim.says not in _REPORTS or recorded


def ends(claim: Claim) -> bool:
    """Whether a claim tells of the end of a process, or calls itself fatal."""
    said = claim.event.said
    return said.level == "FATAL" or claim.says in ("signal", "exit") or not said.words.isdisjoint(("SIGNALLED", "EXIT"))


def _critical(claim: Claim) -> bool:
    """Whether all that may have ended anybody is that a logger calls a claim critical, which is less than fatal."""
    said = claim.event.said
    own = claim.entry is None and claim.says not in ("signal", "exit") and said.words.isdisjoint(_DIES)
    return own and _CRITICAL.search(claim.event.evidence.text) is not None


def need(claim: Claim, scene: Scene) -> Weight:
    """How much has to be seen below a claim: more of what a program dies of than of what it only warns of."""
    called = level(claim)
    if spent(claim, scene):
        return Weight.NEVER
    if ends(claim):
        advice = claim.event.evidence.line <= _FEW and {"ADVICE", "CALM"} <= claim.event.said.words
        if advice:
            return Weight.WORKS
        return Weight.ENDS_WELL if _critical(claim) else Weight.NEVER
    if claim.layer in STACK and claim.entry is not None:
        return Weight.WORKS if called == "WARNING" else Weight.NEVER
    if reported(claim, scene.course(claim)):
        return Weight.SPEAKS
    chain = (one for one in scene.raised if one.event.chain[0] == claim.event.chain[0] > 0)
    mild = called == "WARNING" and all(level(one) == called for one in chain)
    if "FRAMED" in claim.event.said.words and not mild:
        return Weight.WORKS if called or loud(headed(claim, scene.course(claim))) else Weight.ENDS_WELL
    return Weight.SPEAKS if mild or of_command(claim.event.evidence.text) else Weight.WORKS


def proof(claim: Claim, later: Sequence[Claim], scene: Scene, below: Sequence[str] | None = None) -> Weight:
    """What is seen below a claim, above the first of those that fail the log `later`. `below`: the lines, if known."""
    below = _below(claim, later, scene, ()) if below is None else below
    if not below:
        return Weight.NOTHING
    path, last = claim.event.evidence.path, _last(claim)
    calm = [text for text in below if not (loud(text) or PROBES.search(text))]
    calm = [text for text in calm if ".py::" not in text or not _RESULT.match(strip(text).payload)]
    stated = any(map(_states, later))
    well = max(scene.success.get(path, 0), scene.ended.get(path, 0), scene.done_at(claim)) > last
    before = above(claim, scene.course(claim).head)
    served = _served(below)
    most = rising(calm, before)
    work = busy(calm, before) if stated or well else 0
    if most >= _MANY or work >= _MANY or ((well or stated) and most >= _SOME) or served >= (_FEW if well else _SOME):
        return Weight.ENDS_WELL
    some = _FEW if scene.done_at(claim) > last else _SOME
    if most >= some or work >= _SOME or served >= _FEW or _started(claim, calm, before):
        return Weight.WORKS
    same = _voiced(claim, calm)
    if (_same(claim, calm) or (stated and sum(same) >= _MANY)) and _speaks(claim, calm):
        return Weight.WORKS
    spoken = _speaks(claim, calm) or (well and len(calm) >= _FEW)
    warned = level(claim) == "WARNING" and (stated or not claim.event.said.words.isdisjoint(("FRAMED", "HEADING")))
    spoken = spoken or ((warned or reported(claim, scene.course(claim))) and _anybody(calm, warned))
    return Weight.SPEAKS if spoken else Weight.NOTHING


def _anybody(below: Sequence[str], warned: bool) -> bool:
    """Whether somebody speaks on, and neither waits nor leaves. `warned`: below a warning a traceback says nothing."""
    rest = [text for text in below if not (idles(text) or (warned and within(text)))]
    return len(rest) >= _SOME and not any(map(leaves, rest))


def _last(claim: Claim) -> int:
    """Where a claim begins for the last time; of one that came often where its last line stands."""
    if claim.count == 1:
        return claim.event.evidence.line
    return claim.evidence[-1].line if claim.count == len(claim.evidence) else claim.last


def _below(claim: Claim, later: Sequence[Claim], scene: Scene, known: Container[Kind]) -> list[str]:
    """The lines below a claim, above the first that fails the log, and below the last that tells of a failure.

    `known`: the kinds of lines of what was outlived, too.
    """
    path, last = claim.event.evidence.path, _last(claim)
    places = [one.event.evidence.line for one in later if one.event.evidence.path == path]
    end = min([line for line in places if line > last], default=None)
    below = seen_below(claim, last, scene.course(claim), end)
    if not below or any(map(_states, later)):
        return below
    ill = [n for n, text in enumerate(below, 1) if _ill(text) and kind(text) not in known]
    if ill and len(below) - ill[-1] < _SOME:  # what was said often above tells of no failure below
        usual = Counter(map(kind, above(claim, scene.course(claim).head)))
        ill = [n for n in ill if loud(below[n - 1]) or usual[kind(below[n - 1])] < _FEW]
    return below[max(ill, default=0) :]


def _overtaken(claim: Claim, later: Sequence[Claim], scene: Scene) -> bool:
    """Whether what counted above a claim began again below it, and went beyond that point."""
    places = [one.event.evidence.line for one in later if one.event.evidence.path == claim.event.evidence.path]
    course, last = scene.course(claim), _last(claim)
    end = min((line for line in places if line > last), default=None)
    below = seen_below(claim, claim.event.evidence.line, course, end)
    return overtaken(below, above(claim, course.head)) >= _SOME


def _same(claim: Claim, below: Sequence[str]) -> bool:
    """Whether the program of a claim says something calm of the very thing that the claim names by a number."""
    head = claim.event.evidence.text
    names = set(_NAMED.findall(strip(head).payload))
    later = (strip(text).payload for text in below if voice(text) == voice(head) and not idles(text))
    return any(not names.isdisjoint(_NAMED.findall(text)) for text in later)


def level(claim: Claim) -> str:
    """How bad the program calls a claim, in the header of its line or in a field of its family."""
    said = claim.event.said.level or strip(claim.event.evidence.text).level
    warns = "WARNING" if claim.event.kind == "warning" else ""
    text = strip(claim.event.evidence.text).payload
    placed, warns = _PLACED.match(text), "WARNING" if text[:1] == "W" and _KLOG.match(text) else warns
    return said or warns or name(claim.event.fields.get("level", "") or (placed["level"] if placed else ""))


def _ill(text: str) -> bool:
    """Whether a line says that something failed, by its level or by the status of an end."""
    return loud(text) or (failed(text) and strip(text).level not in CALM and not _KLOG.match(text))


def _served(below: Sequence[str]) -> int:
    """How often a server answers, if it does more than say that it is alive."""
    answers = [text for text in below if _ANSWERS.search(text)]
    return 0 if all(map(PROBES.search, answers)) else len(answers)


def _started(claim: Claim, below: Sequence[str], before: Sequence[str]) -> bool:
    """Whether a program that complains while it starts then does one thing after the other."""
    own = voice(claim.event.evidence.text) if claim.event.said.kind != "exception" else ""
    later = [text for text in below if own and voice(text) == own and not idles(text)]
    return len(before) < _START and len(later) >= _SOME and len(set(map(kind, later))) >= _SOME


def _speaks(claim: Claim, below: Sequence[str]) -> bool:
    """Whether the voice of a claim speaks on calmly, to the end of the log."""
    same = _voiced(claim, below)
    return sum(same) >= _FEW and any(same[-_LAST:])


def _voiced(claim: Claim, below: Sequence[str]) -> list[bool]:
    """Which lines are of the voice of a claim, and not only of its waiting."""
    own = voice(claim.event.evidence.text)
    return [bool(own) and voice(text) == own and not idles(text) for text in below]
