"""The last sentence of a program, right above what only reports its end: it calls itself no error, and says why.

It says how something is, not what is done, and says it once: a line of the kind of those above it, a step, a good word
or an indented piece of something is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.facts.beyond import beyond
from neurontriage.facts.prompts import prompted
from neurontriage.lines.levels import CALM
from neurontriage.lines.outlook import done, names
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import kind, loud
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import above, idles, leaves
from neurontriage.ranking.statements import record

_NEAR, _FAR = 3, 14  # lines above the report in which it stands: that say something, and of all
_LEAST = 3  # words of a sentence
# How something is, what it is not, or how it stands to something else.
_IS = Sought(
    r"(?i)\b(?:is|are|was|were|has|have|had|does|do|did|can|could|may|might|must|should|would|needs?|wants?|holds?|lists?"
    r"|contains?|belongs?|differs?|takes?|knows?|names?|covers?|asks?|ends?|ended|ran|went|came|left|expects?|gives?|gave"
    r"|not|no|none|never|nobody|nothing|only|before|than|instead|where|while|but|without|already|unexpectedly|overlaps?)"
    r"\b[^=]*$"
    r"|\b(?:problems?|duplicate|conflict\w*|non-?exist\w+|attempt(?:ed|s)? to|overflow|underflow|mismatch)\b"
)
_NONE = frozenset(
    {"SUCCESS", "ENDED", "PROGRESS", "CALM", "QUOTATION", "CONTINUATION", "EXIT", "WRAP", "RULE", "HEADING"}
)

_OTHER = _NONE - {"SUCCESS", "ENDED", "CALM"}
# A frame or a rule; what else one may do; what is put away, written or waited for before the end.
_DRAWN = expression(r"[│┃|║].*[│┃|║]$|\W+$|\W{2,8}.{1,60}\W{2}$|(?:real|user|sys)\s+\d|['\"].{1,200}['\"],?$")
_HELPS = expression(
    r"(?i)(?:see|find|run|use|try|please|for (?:more|help|details|further)|hint|tip|note|usage"
    r"|you (?:can|may|have|need)|to (?:see|fix|list|get|learn)|more (?:at|info\w*|details))\b|.{1,80}:$|https?://\S+$"
)
_TIDIES = expression(
    r"(?i)(?:(?:now|then|finally)[, ] ?)?(?:remov|clos|delet|clean|flush|upload|stopp|shutt|releas|wait|disconnect"
    r"|unmount|leav|exit|terminat|tear|finali[sz]|sync|sav|writ|dump|kill|collect|archiv|copy)(?:ing|ning|ying|ling|ping)\b|bye\b"
    r"|.{1,60}\b(?:written|saved|uploaded|closed|removed|deleted|stopped|released) (?:to|in|at|as)\b"
)


def sentence(reports: Sequence[Claim], scene: Scene) -> Claim | None:
    """The claim that is the last sentence above the first of those that only report the end of a log."""
    first = min(reports, key=lambda one: one.place)
    line, path = first.event.evidence.line, first.event.evidence.path
    at = {c.event.evidence.line: c for c in scene.errors if c.event.evidence.path == path and c.count == 1}
    for number in _spoken(line, scene.course(first)):
        claim = at.get(number)
        if (
            claim is None
            or claim in reports
            or _below(claim, scene)
            or number + _NEAR < scene.progress.get(path, 0) < line
        ):
            continue
        if plain(claim, scene.course(claim)) or _warns(claim, scene.course(claim)):
            return claim
    return None


def _spoken(line: int, course: Course) -> list[int]:
    """The lines right above one, the nearest first, without those that only draw, count, advise or put things away."""
    near = [one for one in course.ends if line - _FAR <= one[0] < line and one[1].strip()]
    return [number for number, text in reversed(near) if not furniture(text)][:_NEAR]


def furniture(text: str) -> bool:
    """Whether a line only draws, counts, tells what else one may do, or what a program does before it leaves.

    >>> furniture("│ score   n/a │"), furniture("removing /tmp/job.17"), furniture("the shard is of another run")
    (True, True, False)
    """
    found = strip(text)
    calm = found.level in CALM - {"WARNING"}
    payload = found.payload.strip()
    if not payload or _DRAWN.match(payload) or prompted(payload) or (found.payload[:1].isspace() and not found.level):
        return True
    return (
        _HELPS.match(payload) is not None
        or names(text)
        or (_TIDIES.match(payload) is not None and not loud(text))
        or (calm and (done(text) or leaves(text)))
    )


def _warns(claim: Claim, course: Course) -> bool:
    """Whether a program warns, and says it once: what it warned of last may be why."""
    said = claim.event.said
    if said.level != "WARNING" or said.words & _OTHER or said.kind == "warned":
        return False
    return _new(claim, course) and len(strip(claim.event.evidence.text).payload.split()) >= _LEAST


def _new(claim: Claim, course: Course) -> bool:
    """Whether no line of the kind stands above a claim, as far as its log is known."""
    text = claim.event.evidence.text
    before = [*above(claim, course.head), *(one for line, one in course.ends if line < claim.event.evidence.line)]
    return kind(text) not in {(), *map(kind, before)}


def _below(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is a warning, below an error that a program recorded."""
    path, warning = claim.event.evidence.path, claim.event.said.level == "WARNING"
    errors = (c for c in scene.errors if c.event.evidence.path == path and c.place < claim.place and record(c))
    return warning and any(not c.handled for c in errors)


def plain(claim: Claim, course: Course) -> bool:
    """Whether a claim is a sentence of its own among the last lines of a log."""
    text, said = claim.event.evidence.text, claim.event.said
    payload = strip(text).payload
    if said.words & _NONE or payload[:1].isspace() or payload.startswith("#") or len(payload.split()) < _LEAST:
        return False
    stated = _IS.search(payload) is not None or beyond(text)
    return stated and _new(claim, course) and not (done(text) or idles(text) or leaves(text))
