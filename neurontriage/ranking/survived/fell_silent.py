"""One of several speakers whose last word is a failure: whatever the others go on to do, and say of themselves.

A container, pod, rank or worker is known by what stands before its lines; those without a speaker are of a launcher.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM, LOUD, USUAL
from neurontriage.lines.outlook import done
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import kind, loud
from neurontriage.model import Event
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import above, leaves, seen_below
from neurontriage.ranking.peers import actor
from neurontriage.ranking.survived.after import level

_LEVEL = expression(rf"\b(?:{USUAL})\b")
_HEADER = 80  # characters in which whoever speaks is named
_DIGITS = expression(r"\d+")
_BESIDE = " \t:|>)]"
_SOME, _MANY = 3, 5  # lines
_FELL = frozenset({"FRAMED", "SIGNALLED"})
_LIVES = frozenset({"THREAD", "QUOTATION", "CALM", "ZERO", "SUCCESS"})
# What a crash goes on with: frames, threads, registers, and how to see more of them.
_REST = expression(
    r"\s|$|at \S|\d+: |#\d+ |note: |goroutine \d|created by |(?:Current )?[Tt]hread 0x|exit(?:ed)? |Node\.js v"
    r"|what\(\):|\*\*\* |[\w.*/()<>$-]+\(.*\)$|Extension modules: |File \"|\[[\w.-]+:\d+\] |[\w./-]+:\d+(?:$|[ :])"
    r"|[0-9a-f]{4,16}[ -]|r\w\w? +0x|Caused by: |\.\.\. "
)

Speaker = tuple[str | None, int | None, str | None]
"""Host, rank and process."""
_NOBODY: Speaker = (None, None, None)
Says = Callable[[str], str | None]
"""What a line says if it is of a certain speaker; "" if it is of another one, None where it shows none."""


def silent(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is the last word of its speaker, where others speak on calmly, and no launcher praises."""
    if actor(claim.event)[1:] == _NOBODY or len(claim.speakers) > 1 or not _falls(claim):
        return False
    if _logger(claim.event) or scene.vouched(claim):
        return False
    says, course = _speaker(claim.event), scene.course(claim)
    below = [(says(text), text) for text in seen_below(claim, claim.latest, course)]
    others = [text for said, text in below if said == "" and not loud(text)]
    if not others or any(said is None and done(text) for said, text in below):
        return False
    last = max(claim.last, claim.event.evidence.end_line)
    mine = [said for text in seen_below(claim, last, course) if (said := says(text))]
    rest = [text for text in mine if not (loud(text) or leaves(text))]
    if any(done(text) or not _REST.match(strip(text).payload) for text in rest):
        return False
    dies = _dies(claim)
    before = [said for text in above(claim, course.head) if (said := says(text))] if rest or not dies else []
    if not dies and (len(before) < _SOME or len(others) < _MANY):
        return False  # who seldom speaks need not be dead
    return ({*map(kind, before)} - {()}).isdisjoint(map(kind, rest))


def _dies(claim: Claim) -> bool:
    """Whether a claim is what a process dies of, by its form."""
    said = claim.event.said
    return said.kind == "exception" or not said.words.isdisjoint(_FELL) or claim.event.family in ("crash", "python")


def _falls(claim: Claim) -> bool:
    """Whether a speaker may end in a claim."""
    said = claim.event.said
    falls = claim.says in ("raise", "signal") or claim.known or said.level in LOUD or not said.words.isdisjoint(_FELL)
    return falls and said.words.isdisjoint(_LIVES) and not claim.handled and level(claim) not in CALM


def _logger(event: Event) -> bool:
    """Whether it is but a logger of a program that is named: behind the level of its line."""
    text, (_, *own) = event.evidence.text, actor(event)
    before, found, _ = text.partition(name := _name(own))
    return _LEVEL.search(before if found else name) is not None


def _name(own: Sequence[object]) -> str:
    return next(str(one) for one in reversed(own) if one is not None)


def _speaker(event: Event) -> Says:
    """What the speaker of an event says, who is known by his lines, or by his name where their log proves it."""
    _, *own = actor(event)
    name = _name(own)
    alike, shows = _DIGITS.sub("0", name), _shown(event.evidence.text) == tuple(own)
    lettered = alike[:1].isalpha()

    def behind(text: str) -> str:
        return text.partition(name)[2].lstrip(_BESIDE) or " "

    def says(text: str) -> str | None:
        if not shows and not lettered:
            return None
        if not shows:
            return behind(text) if name in text[:_HEADER] else ""
        if (said := _shown(text)) is not None:
            return text if _may_be(said, own) else ""
        if not lettered or not _DIGITS.sub("0", text[:_HEADER]).startswith(alike):
            return None
        return behind(text) if text.startswith(name) else ""

    return says


def _may_be(said: Speaker, own: Sequence[object]) -> bool:
    """Whether what one line shows of its speaker, and another, may be one: a container, and a process in it."""
    return all(one in (None, other) or other is None for one, other in zip(said, own, strict=True))


def _shown(text: str) -> Speaker | None:
    """The speaker that a line shows; None where it shows none."""
    said = strip(text)
    found = said.host, said.rank, said.process
    return None if found == _NOBODY else found
