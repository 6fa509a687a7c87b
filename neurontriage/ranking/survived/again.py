"""What is done again below a complaint, and then goes well: a row says so, or the lines with which the work began."""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import verdict
from neurontriage.expressions import expression
from neurontriage.lines.outlook import done, trouble
from neurontriage.lines.voices import kind, voice
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import STACK, Scene
from neurontriage.ranking.onward import above, idles
from neurontriage.ranking.survived.reported import within
from neurontriage.ranking.survived.steps_below import steps

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
    if sum(_PYTHON.match(text) is not None for text in below) >= _FEW or _begun(claim, below, scene):
        return True
    own, pid = voice(head), _pid(head)
    names = set(_UNIT.findall(head))
    at = next((n for n, text in enumerate(below) if _STARTS.search(text) and names & set(_UNIT.findall(text))), None)
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
    if died:
        counted = set(steps(before))
        starts = {_first(text) for text in before[-_START:] if text not in counted} - {()}
        at = next((n for n, text in enumerate(below) if _first(text) in starts), len(below))
    else:
        at = next((n for n, text in enumerate(below) if text in before[-_SOME:]), len(below))
    rest = below[at + 1 :]
    return len(rest) >= (_MANY if died else 1) and not any(map(trouble, rest))


def _first(text: str) -> tuple[str, ...]:
    """The first words of a line, of which ranks that speak at once may break the rest."""
    return kind(text)[:_FEW]


def _row(text: str) -> tuple[str, bool]:
    """The thing of which a line is a row in a table, or a step in a tree of tries, and whether it went wrong there."""
    if step := _STEP.match(text):
        return step["name"], step["mark"] == "✖"
    said = verdict(text)
    return (text.split(None, 1)[0], said.ill) if said is not None and said.row else ("", False)


def _pid(text: str) -> str:
    found = _PID.search(text[:_HEAD])
    return found[1] if found else ""
