"""A command that a script can do without: its trace goes on below the complaint, or it names what is done instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from neurontriage.claims.claim import Claim
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.model import Course

_NEAR = 3  # lines between a command and what it complains of
_FAR = 60  # of a command that prints a traceback
_TRACED = expression(r"\+{1,4} (?!exit\b|return [1-9])(?P<command>\S.*)")
_ASKED = expression(r"\+{1,4} (?:\S{1,80}/)?python[\d.]* -c [\"']import ")
"""A script looks whether there is a module."""
_ENDS = expression(r"\+{1,4} (?:exit\b|return [1-9]|cleanup|on_err|\w*(?:rc|ret|code|status)=[1-9])")
_ELSE = expression(r"(?:##\[group\]Run |[$#>+]+ )?(?P<command>\S[^|]{0,200})\|\| *(?:true|:|echo|printf)\b")
_INSTEAD = expression(r"\|\| *(?:echo|printf) +(?P<sign>[\"'])(?P<words>[^\"'$`]{4,200})(?P=sign)")
_OR = expression(
    r"(?:##\[group\]Run |[$#>+]+ )\S[^|]{0,200}\|\| *(?!(?:exit|die|return|false|fail|abort|err)\b|\{|\()\w"
)
_STEP = expression(r"(?:##\[group\]Run |[$#>+]{1,4} )\S")
_OWN = expression(r"(?:(?:/usr)?(?:/local)?/s?bin/)?(?P<name>[\w.+-]{2,40}): ")
_GIT = frozenset({"fatal", "error"})
"""What git calls its complaints, instead of its name."""


def replaced(claim: Claim, course: Course) -> bool:
    """Whether a claim is the complaint of one command of a script, which does not end with it."""
    if _told_instead(claim, course):
        return True
    if "FRAMED" in claim.event.said.words:
        above, below = _around(claim, course, _FAR)
        return any(map(_ASKED.match, [text for text in above if text.startswith("+")][-1:])) and _goes_on(claim, below)
    above, below = _around(claim, course, _NEAR)
    if _other_run(above, below):
        return True
    own = _OWN.match(strip(claim.event.evidence.text).payload)
    if own is None:
        return False
    if any(_called(_ELSE, text, own["name"]) for text in above):
        return bool(below)
    return any(_called(_TRACED, text, own["name"]) for text in above[-1:]) and _goes_on(claim, below)


def _other_run(above: list[str], below: list[str]) -> bool:
    """Whether the command above a claim has another to run if it fails, and the script goes on to the next one."""
    command = [text for text in above if _STEP.match(text)][-1:]
    if not any(map(_OR.match, command)):
        return False
    steps = [text for text in below if _STEP.match(text)]
    return bool(steps) and not _ENDS.match(steps[0])


def _goes_on(claim: Claim, below: list[str]) -> bool:
    """Whether the trace of a script goes on below the complaints of a command, and does not end there."""
    trace = [text for text in below if text.startswith("+")]
    return bool(trace) and not any(map(_ENDS.match, trace if claim.count > 1 else trace[:1]))


def _told_instead(claim: Claim, course: Course) -> bool:
    """Whether a command above a claim has words to say instead if it fails, and they stand right below the claim."""
    line = claim.event.evidence.line
    words = {one for number, one in _instead(course) if line - _FAR <= number < line}
    if not words:
        return False
    known = dict(chain(_numbered(course.head), course.ends))
    below = [known.get(number, "") for number in range(line + 1, line + 1 + _NEAR)]
    return any(text.strip() in words or strip(text).payload.strip() in words for text in below)


def _instead(course: Course) -> list[tuple[int, str]]:
    """The commands of a log, as far as it is known, that have words to say instead if they fail, each with its line."""
    lines = chain(_with_else(course.head), [one for one in course.ends if "||" in one[1]])
    return [(number, found["words"].strip()) for number, text in lines if (found := _INSTEAD.search(text))]


@lru_cache(maxsize=64)
def _with_else(head: str) -> list[tuple[int, str]]:
    return [(number, text) for number, text in _numbered(head) if "||" in text]


def _called(form: re.Pattern[str], text: str, name: str) -> bool:
    """Whether a line is this command being called, or the one that leaves a part of its work to it (mount.nfs)."""
    found = form.match(text)
    words = found["command"].split() if found else []
    name = "git" if name in _GIT and words[:1] == ["git"] else name
    return not {name, name.partition(".")[0]}.isdisjoint(word.rpartition("/")[2] for word in words)


def _around(claim: Claim, course: Course, near: int) -> tuple[list[str], list[str]]:
    """So many lines above a claim and those below it, as far as they are known: the first and the last of its log."""
    known = dict(chain(_numbered(course.head), course.ends))
    line, end = claim.event.evidence.line, claim.last
    return (
        [strip(known[n]).payload for n in range(line - near, line) if n in known],
        [strip(text).payload for n, text in sorted(known.items()) if n > end],
    )


def _numbered(head: str) -> Iterator[tuple[int, str]]:
    return enumerate(head.splitlines()[:-1], 1)
