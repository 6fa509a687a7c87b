"""A program says that it leaves a part out, or could not make it, and goes on; at the end that part is missing.

That it went on proves nothing then, and neither does how far above it said so: the name that both lines have decides.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePosixPath

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM, LOUD
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import kind
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.causes.provided import DATA, DEEP, FAILED, PATH, absent
from neurontriage.ranking.causes.stumbled import empty
from neurontriage.ranking.features import Scene
from neurontriage.ranking.messages import words_of
from neurontriage.ranking.onward import beginning, known_lines
from neurontriage.ranking.things import names

_OWN = frozenset({"REASON", "LIMIT", "STATUS", "SIGNALLED", "ASSERTION"})
_NEVER = frozenset({"ZERO", "QUOTATION", "PROGRESS", "UNHIT", "TEARDOWN"})
_OMITS = Sought(
    r"(?i)\b(?:skip\w*|left out|leav\w+ out|omitt\w+|exclud\w+|dropp\w+|disabl\w+|give\w* up on|go\w* on without"
    r"|(?:not|n't)(?: be)? (?:built|compiled|installed|written|made|created|generated|uploaded|copied|saved|loaded"
    r"|exported))\b"
)
_LACKS = Sought(
    r"(?i)\b(?:no \w+|none|not (?:find|(?:be )?found|there|available|built|a (?:member|part)|in|known"
    r"|registered|exist\w*|present)|n't (?:find|exist)|nothing|missing|without|neither|unknown|incomplete|lacks?)\b"
)
_MADE = Sought(
    r"(?i)\b(?:wrote|written|done|saved|built|created|restored|recovered|ok|succe\w+|finished|complete[d]?|uploaded|installed|loaded)\b"
)
_MANY = 12  # names in a line that tells of one thing
_TRACED = 60  # lines of a traceback
_RARE, _MOST = 4, 400  # lines of claims that have a name of one thing, not of who speaks, and claims that are looked at
_PART, _MARKED = expression(r"[A-Za-z][\w-]*"), expression(r"[_\d-]")
_ANYWHERE = expression(
    r"(?i).*\.py\b|python\d|site-packages|dist-packages|lib(?:64)?$|x86_64|linux|aarch64|\d+$|v?\d[\d.]*$|.{0,3}$|(?:ip|trn|inf)\d*-\d"
)


def omitted(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim misses by its name what this one, above it, could not make or left out."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or claim.last >= other.line or one.rank not in (None, other.rank):
        return False
    if not _misses(likely) or not _left_out(claim) or _again(likely, claim) or _heads(claim, likely, scene):
        return False
    texts = [c.event.evidence.text for c in scene.claims[:_MOST] if c.event.evidence.path == one.path]
    shared = frozenset(name for name in _shared(one.text, other.text) if sum(name in text for text in texts) <= _RARE)
    return bool(shared) and not _made(shared, claim.last, other.line, scene.course(claim))


def _heads(claim: Claim, likely: Claim, scene: Scene) -> bool:
    """Whether a claim only heads the traceback of the likely one: what it names is what was to be done."""
    course, below = scene.course(claim), claim.last + 1
    near = likely.event.evidence.line - below <= _TRACED and "FRAMED" in likely.event.said.words
    return near and "Traceback (most" in known_lines(course.head, course.ends).get(below, "")


def _again(likely: Claim, claim: Claim) -> bool:
    """Whether one of two lines says what the other says, or both tell of a try of the same kind."""
    one, other = (words_of(strip(each.event.evidence.text).payload) for each in (claim, likely))
    return one in other or other in one or kind(claim.event.evidence.text) == kind(likely.event.evidence.text)


def _misses(claim: Claim) -> bool:
    """Whether something is not there for a program that fails for it."""
    said = claim.event.said
    if absent(claim) or claim.event.fields.get("exception", "") in DATA | {"ModuleNotFoundError", "FileNotFoundError"}:
        return True
    fails = claim.says == "raise" or said.kind == "labelled" or said.level in LOUD or "LABEL" in said.words
    lacks = empty(claim) or _LACKS.search(claim.event.evidence.text) is not None
    return fails and lacks and said.words.isdisjoint(_OWN)


def _left_out(claim: Claim) -> bool:
    """Whether a program says that it could not do something, or leaves it out; that it is not there says no more."""
    said, text = claim.event.said, claim.event.evidence.text
    if said.level in CALM - {"WARNING"} or said.kind == "warned" or said.words & _NEVER:
        return False
    if claim.says not in ("raise", "state", "note"):
        return False
    omits = _OMITS.search(text) is not None
    failed = not said.words.isdisjoint(FAILED) or (omits and ("MISSING" in said.words or said.level in LOUD))
    return failed and (omits or not (absent(claim) or said.level in CALM)) and len(_parts(text)) <= _MANY


def _shared(step: str, lost: str) -> frozenset[str]:
    """The names that both lines have, and the places that lie one in the other."""
    places = {path for path in PATH.findall(step) for other in PATH.findall(lost) if _within(path, other)}
    return (_parts(step) & _parts(lost)) | places


def _within(one: str, other: str) -> bool:
    """Whether one of two paths lies in the other, or is it, and both are more than where everything is."""
    short, long = sorted((PurePosixPath(one), PurePosixPath(other)), key=lambda path: len(path.parts))
    return len(short.parts) >= DEEP and short in (long, *long.parents)


def _made(shared: frozenset[str], above: int, below: int, course: Course) -> bool:
    """Whether a line between two says, by the name, that it was made after all; as far as the lines are known."""
    known = [*enumerate(beginning(course.head)[0], 1), *course.ends]
    told = (text for line, text in known if above < line < below and _MADE.search(text))
    return any(shared & _parts(text) for text in told)


@lru_cache(maxsize=1024)
def _parts(text: str) -> frozenset[str]:
    """What a line names: things, and the parts of a name that are one themselves, by a digit or a line in them."""
    found = {part for name in (*names(text), strip(text).payload) for part in _PART.findall(name)}
    marked = frozenset(part.rstrip("-") for part in found if _MARKED.search(part))
    return frozenset(one for one in marked | names(text) if not _ANYWHERE.match(one))
