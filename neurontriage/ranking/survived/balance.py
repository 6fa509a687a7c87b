"""Whether a run came to its end in spite of its complaints: all that speaks for and against it, weighed in one place.

No single sign decides. What is complained of, how it is called and where it stands speak against; that the log goes on
below, as above, without another word of failure, and what its last line concludes speak for a run that failed nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import verdict
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD
from neurontriage.lines.outlook import done, trouble
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import clock, header, kind, loud, voice
from neurontriage.model import Course
from neurontriage.ranking.features import STACK, Scene, particular
from neurontriage.ranking.onward import above, idles
from neurontriage.ranking.survived.after import ends, level
from neurontriage.ranking.survived.reported import headed, logged
from neurontriage.ranking.survived.steps_below import steps

_EXCERPT = 10
_FEW, _SOME, _MANY = 2, 3, 6
_LAST = 3
_CONTINUES = expression(r"\s|[`}\])|>#*=+-]|at \S+[(.]|\d+ \||File \"|\^+$")
_DIGIT = expression(r"\d")
# What no good end outweighs: a part of the machine complains, a process ended, a traceback stands there that no logger
# printed, somebody typed on, or whoever ran it says that it failed.
_VETOES = ("prompt below", "dies", "ill verdict", "ill word")
_LONG, _DAY = 60, 24 * 3600  # seconds
WEIGHTS: Mapping[str, int] = {
    "below": 1,
    "some below": 1,
    "many below": 1,
    "clean": 2,
    "clean end": 1,
    "done at end": 1,
    "done last": 1,
    "success below": 1,
    "good verdict": 2,
    "same voice below": 1,
    "same work below": 1,
    "much same work below": 1,
    "early": 1,
    "long after": 2,
    "went on": 1,
    "mild": 1,
    "row": 1,
    "particular": -2,
    "reports": -1,
    "excerpt": -1,
}
"""What each sign counts."""
ENOUGH = 6
Signals = dict[str, bool]


def ended_well(claims: Sequence[Claim], scene: Scene) -> list[Claim]:
    """Of the claims that would fail their logs those of the logs that came to their end in spite of them."""
    found: list[Claim] = []
    for path in {claim.event.evidence.path for claim in claims}:
        own = [claim for claim in claims if claim.event.evidence.path == path]
        if outweighed(signals(own, scene)):
            found += own
    return found


def outweighed(seen: Signals) -> bool:
    """Whether what speaks for a good end outweighs what was complained of."""
    if any(seen[name] for name in _VETOES) or not seen["clean end"] or (seen["loud"] and not seen["same voice below"]):
        return False
    if (seen["stack"] or seen["ends"]) and not seen["long after"]:
        return False
    thin = not seen["some below"] and not seen["same work below"]
    if thin and (seen["halted"] or seen["mostly"] or not (seen["success below"] or seen["done last"])):
        return False
    concludes = seen["done at end"] or seen["much same work below"] or seen["good verdict"] or seen["long after"]
    return concludes and sum(weight for name, weight in WEIGHTS.items() if seen[name]) >= ENOUGH


def signals(claims: Sequence[Claim], scene: Scene) -> Signals:
    """What speaks for and against a log in which these claims would be failures."""
    course, path = scene.course(claims[0]), claims[0].event.evidence.path
    last = max(max(claim.last, claim.event.evidence.end_line) for claim in claims)
    below = [text for line, text in course.ends if line > last]
    return {
        **_against(claims, scene),
        **_below(below, _usual(above(min(claims, key=lambda one: one.place), course.head))),
        **_same(claims, below, course),
        "excerpt": course.lines <= _EXCERPT,
        "mostly": sum(claim.count for claim in claims) * 2 > course.lines,
        "early": last < course.lines / 2,
        "long after": _later([_last_time(claim, course) for claim in claims], below),
        "prompt below": any(line > last for line, _, _ in course.prompts),
        "success below": max(scene.success.get(path, 0), scene.ended.get(path, 0)) > last,
        "went on": all(scene.went_on(claim) for claim in claims),
    }


def _against(claims: Sequence[Claim], scene: Scene) -> Signals:
    """How claims are stated."""
    texts, levels = [claim.event.evidence.text for claim in claims], [level(claim) for claim in claims]
    kinds = {claim.event.said.kind for claim in claims}
    raised = [_raised(claim) and not logged(claim, scene.course(claim)) for claim in claims]
    return {
        "dies": any(one and not called for one, called in zip(raised, levels, strict=True)),
        "ends": any(map(ends, claims)) or any(claim.tried for claim in claims),
        "reports": any(claim.says in ("wrap", "echo") for claim in claims),
        "particular": any(particular(claim, scene.briefs) for claim in claims),
        "stack": any(claim.layer in STACK for claim in claims),
        "loud": any(one in LOUD for one in levels) or any(map(loud, texts)) or "labelled" in kinds,
        "mild": all(one and one not in LOUD for one in levels),
        "ill word": any(one is not None and one.ill for one in map(verdict, texts)),
    }


def _raised(claim: Claim) -> bool:
    """Whether a claim stands in a traceback, or is the last line of one as a launcher tells it of a rank."""
    said = claim.event.said
    if "THREAD" in said.words:
        return False  # it ended a thread or a task
    return "FRAMED" in said.words or (said.kind == "exception" and claim.event.evidence.rank is not None)


def _usual(before: Sequence[str]) -> frozenset[tuple[str, ...]]:
    """The kinds of lines that a log says all the time."""
    kinds = Counter(map(kind, before))
    return frozenset(one for one, count in kinds.items() if one and count >= _SOME)


def _below(below: Sequence[str], usual: frozenset[tuple[str, ...]]) -> Signals:
    """What is said below all of them. `usual`: the kinds of lines that stood above them often: these are no trouble."""
    whole = [text for text in below if not _CONTINUES.match(strip(text).payload)]
    real = [text for text in whole if len(text.split()) >= _FEW or done(text)]
    ill, well = [trouble(text) and kind(text) not in usual for text in below], [done(text) for text in below]
    judged = [(place, one) for place, one in enumerate(map(verdict, below)) if one is not None]
    verdicts = [one for _, one in judged]
    mended = len(real) >= _MANY and any(well[-_LAST:]) and not any(ill[-_MANY:])
    return {
        "below": bool(real),
        "some below": len(real) >= _SOME,
        "many below": len(real) >= _MANY,
        "clean": bool(real) and not any(ill),
        "clean end": bool(real) and not any(ill[-_LAST:]),
        "done at end": any(well[-_LAST:]),
        "done last": any(well[-1:]),
        "good verdict": any(not one.ill for one in verdicts),
        "ill verdict": any(one.ill and not (mended and place < len(below) - _MANY) for place, one in judged),
    }


def _same(claims: Sequence[Claim], below: Sequence[str], course: Course) -> Signals:
    """Whether the log goes on below them as above, and whether they are rows among others."""
    first = min(claims, key=lambda one: one.place)
    before, text = above(first, course.head), first.event.evidence.text
    known, own, row = {kind(one) for one in before} - {()}, voice(text), _row(text)
    work, rows = [one for one in below if kind(one) in known], [*before[-_MANY:], *below]
    return {
        "same voice below": (bool(own) and any(voice(one) == own for one in below)) or _headed(text, below),
        "same work below": bool(work),
        "halted": not work and len(steps(before)) >= _SOME,
        "much same work below": len(work) >= _SOME,
        "row": bool(row) and sum(_row(one) == row for one in rows) >= _SOME,
    }


def _headed(text: str, below: Sequence[str]) -> bool:
    """Whether the logger of a line, which gives it a time and a level, speaks on, whichever process it names."""
    own = header(text)
    return bool(own) and any(header(one) == own for one in below)


def _last_time(claim: Claim, course: Course) -> str:
    """The line with which a logger told of a claim; of one that came again the last that is known."""
    known = dict(course.ends) if claim.count > 1 else {}
    return known.get(claim.last) or headed(claim, course)


def _later(texts: Sequence[str], below: Sequence[str]) -> bool:
    """Whether a log still speaks of this and that, long after it complained."""
    speaks = [text for text in below if not idles(text)]
    said, later = ([at for at in map(clock, one) if at is not None] for one in (texts, speaks))
    long = bool(said and later) and (later[-1] - max(said)) % _DAY > _LONG
    return long and len(set(map(kind, speaks))) >= _FEW


def _row(text: str) -> str:
    """How a row begins: its first word, if that holds a number, whatever the number."""
    first = next(iter(strip(text).payload.split(None, 1)), "")
    return _DIGIT.sub("0", first) if _DIGIT.search(first) else ""
