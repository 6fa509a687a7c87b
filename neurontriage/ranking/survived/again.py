"""What is done again below a complaint, and then goes well: a row says so, or the lines with which the work began."""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import verdict
from neurontriage.expressions import expression
from neurontriage.lines.outlook import done, trouble
from neurontriage.lines.prefix import strip
from neurontriage.lines.remembered import remembered
from neurontriage.lines.voices import kind, voice
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import STACK, Scene
from neurontriage.ranking.onward import above, idles
from neurontriage.ranking.survived.reported import within
from neurontriage.ranking.survived.steps_below import steps
from neurontriage.ranking.things import names

_FEW, _SOME, _MANY = 2, 3, 5
_START = 12  # lines in which a program starts
_LAST = 3  # lines in which a log says that it is done
_HEAD = 120  # characters in which a header names its process
_PID = Sought(r"[\w)-]\[(\d{1,7})\]: ")
# A manager of services starts one, by its name.
_UNIT = expression(r"\b[\w@.-]{2,60}\.(?:service|socket|mount|timer|target)\b")
_STEP = expression(r"[\s│├└─]*(?P<mark>[✖✔]) (?P<name>[\w.-]{1,80})\(\d{1,4}\)\s")  # of Argo, which numbers its tries
# What somebody types at the prompt of Python, but to leave it.
_PYTHON = expression(r"(?:>>> |In \[\d+\]: )(?!\s*(?:$|exit\b|quit\b|#))")
_STARTS = Sought(r": Start(?:ed|ing) \S")


def again(claim: Claim, below: Sequence[str], scene: Scene) -> bool:
    """Whether it is done again: a row says so, a daemon is started anew, work begins anew, Python's prompt lives."""
    if not below:
        return False
    head = claim.event.evidence.text
    if thing := _row(head)[0]:
        rows = [ill for one, ill in map(_row, below) if one == thing]
        return bool(rows) and not rows[-1]
    if sum(_PYTHON.match(text) is not None for text in below) >= _FEW:
        return True
    if _begun(claim, below, scene) or _made(claim, below, scene):
        return True
    own, pid = voice(head), _pid(head)
    names = set(_UNIT.findall(head))
    named = enumerate(below) if names else ()
    at = next((n for n, text in named if _STARTS.search(text) and names & set(_UNIT.findall(text))), None)
    if at is not None:
        return len([text for text in below[at + 1 :] if not idles(text) and voice(text) != voice(below[at])]) >= _SOME
    anew = [text for text in below if voice(text) == own and _pid(text) not in ("", pid) and not idles(text)]
    return bool(own and pid) and len(anew) >= _SOME


def _begun(claim: Claim, below: Sequence[str], scene: Scene) -> bool:
    """Whether the work in which a claim stands is begun again below it, and then done without a word of trouble.

    Of what died, or that somebody reports as dead, the lines with which it began come again, with numbers of their own.
    """
    if not any(map(done, below[-_LAST:])):
        return False
    if claim.layer in STACK:
        return False  # other modules are compiled, other requests are served
    died = "FRAMED" in claim.event.said.words or claim.says in ("exit", "signal", "wrap")
    before = [text for text in above(claim, scene.course(claim).head) if not (trouble(text) or within(text))]
    counted, said = set(steps(before)) if died else set[str](), _first if died else _words
    starts = {said(text) for text in before[-(_START if died else _SOME) :] if text not in counted} - {()}
    at = next((n for n, text in enumerate(below) if said(text) in starts), len(below))
    rest = below[at + 1 :]
    return len(rest) >= (_MANY if died else 1) and not any(map(trouble, rest))


def _made(claim: Claim, below: Sequence[str], scene: Scene) -> bool:
    """Whether what could not be done with a thing is then done with it, in the word in which it was with others."""
    things = {one for one in names(claim.event.evidence.text) if "/" in one and any(map(str.isalpha, one))}
    if not things or "FRAMED" in claim.event.said.words or claim.layer in STACK:
        return False
    done_before = {_verb(text) for text in above(claim, scene.course(claim).head) if not trouble(text)} - {""}
    return any(_verb(text) in done_before and things & names(text) for text in below if not trouble(text))


def _verb(text: str) -> str:
    """The word with which a line begins."""
    return strip(text).payload.partition(" ")[0]


def _words(text: str) -> tuple[str, ...]:
    """The words of a line behind its headers."""
    return tuple(strip(text).payload.split())


def _first(text: str) -> tuple[str, ...]:
    """The first words of a line, of which ranks that speak at once may break the rest."""
    return kind(text)[:_FEW]


def _row(text: str) -> tuple[str, bool]:
    """The thing of which a line is a row in a table, or a step in a tree of tries, and whether it went wrong there."""
    if step := _STEP.match(text):
        return step["name"], step["mark"] == "✖"
    said = verdict(text)
    return (text.split(None, 1)[0], said.ill) if said is not None and said.row else ("", False)


@remembered(1024)
def _pid(text: str) -> str:
    found = _PID.search(text[:_HEAD])
    return found[1] if found else ""
