"""Who has the last word: a count, judgement, state or status at the end of a log that says how its run went.

Where work goes on below it, or a better word stands there, it is not the last.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import Form, Verdict, status_asked, verdict
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.lines.voices import kind
from neurontriage.model import Course
from neurontriage.ranking.closing import CLOSING
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import above
from neurontriage.ranking.steps_below import rises

_OFTEN = 3
"""Lines of one wording that are said of a unit each time, not of the whole."""
_EXCERPT = 10
"""Lines of what may be only an excerpt of a log."""
_FAILS = frozenset({"FAILED", "INABILITY", "REFUSED", "LIMIT", "REASON"})
_MILD = frozenset({"SUCCESS", "ENDED", "PROGRESS", "ZERO", "CALM", "QUOTATION", "WARNING", "COMPONENT", "ADVICE"})


def concluded(errors: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The claims that have the last word of their log, and say that the run failed: they report an end."""
    found = [claim for claim in errors if _reports(claim, scene) and _ill(claim, scene)]
    for claim in found:
        reports = form_of(claim, scene) != "sentence"
        if reports and (claim.says in ("state", "note") or claim.event.said.kind == "statement"):
            claim.says = "exit"
    return found


def form_of(claim: Claim, scene: Scene) -> Form:
    """How a claim that has the last word of its log says so."""
    found = verdict(claim.event.evidence.text) or _asked(claim, scene.course(claim))
    return found.form if found is not None else "sentence"


def good(claim: Claim) -> bool:
    """Whether a claim that no entry knows only counts none, or says that all went well."""
    said = verdict(claim.event.evidence.text)
    return claim.entry is None and claim.event.said.level not in LOUD and said is not None and not said.ill


def breaks_off(claim: Claim, scene: Scene) -> bool:
    """Whether a claim states a failure in plain words, and what was done above it is not done any more below."""
    said, course = claim.event.said, scene.course(claim)
    plain = not said.words & _MILD and said.level not in CALM and claim.says not in ("note", "exit", "echo")
    states = said.words & _FAILS or said.level in LOUD or said.kind == "labelled"
    if not plain or not states or course.lines <= _EXCERPT or claim.count >= _OFTEN:
        return False
    path = claim.event.evidence.path
    if max(marks.get(path, 0) for marks in (scene.success, scene.ended, scene.progress)) > claim.last:
        return False
    below = _below(claim, course)
    return below is not None and len(below) <= CLOSING and not _praised(below) and stops(claim, course, below)


def stops(claim: Claim, course: Course, below: Sequence[str]) -> bool:
    """Whether nothing of the kind that is said above a claim is said below it."""
    before = {kind(text) for text in above(claim, course.head)}
    before |= {kind(text) for line, text in course.ends if line < claim.event.evidence.line}
    return bool(before) and before.isdisjoint(map(kind, below))


def _reports(claim: Claim, scene: Scene) -> bool:
    """Whether a claim may be a report: no entry knows it, or only as one."""
    whole = scene.course(claim).lines > _EXCERPT
    return claim.entry is None or (claim.says == "exit" and whole) or scene.briefs[claim.entry]["role"] == "wrapper"


def _ill(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is the last word on its run, and a bad one."""
    course, last = scene.course(claim), claim.last
    if not course.ends or last < course.ends[0][0] or claim.event.said.words & {"QUOTATION", "FRAMED"}:
        return False
    text = next((text for line, text in course.ends if line == last), claim.event.evidence.text)
    said = verdict(text.strip()) or _asked(claim, course)
    below = _below(claim, course)
    if said is None or not said.ill or below is None or _undone(said, below):
        return False
    if said.row:
        return True
    if said.calm and below:
        return False
    short = claim.count < _OFTEN and len(below) <= CLOSING and not rises(below)
    return short and (not below or stops(claim, course, below))


def _below(claim: Claim, course: Course) -> list[str] | None:
    """The last lines of a log that stand below a claim; None where it is not among them."""
    last = claim.last
    below = [text for line, text in course.ends if line > last]
    return below if len(below) < len(course.ends) else None


def _asked(claim: Claim, course: Course) -> Verdict | None:
    """What a status says that a person, or a script, had the shell print."""
    number = claim.event.evidence.text.strip()
    if not number.isdigit():
        return None
    before = [text for line, text in course.ends if line < claim.event.evidence.line]
    if not before or not status_asked(before[-1].strip()):
        return None
    return verdict(f"exit status {number}")


def _undone(said: Verdict, below: Sequence[str]) -> bool:
    """Whether a better word stands below: of anything but another part of the same job."""
    better = [one for text in below if (one := verdict(text)) is not None and not one.ill]
    return any(not said.row or one.row != said.row for one in better)


def _praised(below: Sequence[str]) -> bool:
    return any(one is not None and not one.ill for one in map(verdict, below))
