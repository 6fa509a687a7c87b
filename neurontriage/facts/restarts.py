"""What starts a job again, in the words of launchers: attempts, restarts of torchelastic and systemd, requeues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.read.needles import Needles

JOB = "the job"
_LONGEST = 400
_SIGNS = Needles(
    b"ttempt ",
    b" restart worker group",
    b"restart counter is at ",
    b"REQUEUE",
    b"; resubmitting",
    b"estarting ",
)
_HEADS = Needles(b"nohup: ignoring input", b"=== ", b"### ", b"--- ", b"*** ")
_RULED = (b"nohup", b"===", b"###", b"---", b"***")
# A line that only announces the next try of everything: no object, no reason.
_ATTEMPT = expression(
    rb"(?:\W{0,10}|\W{0,3}\[[\w .-]{1,30}\]:? ?|##\[\w+\])(?:(?:re)?start(?:ing)? )?[Aa]ttempt #?(\d{1,3})"
    rb"(?: ?(?:of|/) ?\d{1,3})?[\W_]*$"
)
_STARTING = expression(rb"\b(?i:(?:re)?starting) attempt #?(\d{1,3})\b")
_SPEAKER = expression(r"(?<![\w.@-])([\w.@-]{1,80}\[\d{1,10}\]): ")
# A line with which the run before it ends.
_RESTARTED = expression(
    rb"attempts? left; will restart worker group\b|: Scheduled restart job, restart counter is at \d"
    rb"|CANCELLED AT \S+ DUE TO JOB REQUEUE|\bexited with [1-9]\d*; resubmitting\b"
    rb"|\b(?:fail|exit|died|crash|lost)[^\n]{0,80}\b[Rr]estarting (?:the )?(?:whole )?"
    rb"(?:worker group|job|training|run|all (?:ranks|workers|processes))\b"
)

# What is written in front of each run that goes into one file: by nohup, or by a script with the date or a number.
_DATE = (
    rb"(?:\d{4}-\d\d-\d\d|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? (?:\d\d? )?[A-Z][a-z]{2}\b|\d\d?/\d\d?/\d{2,4})"
)
_RUN = rb"(?i:runs?|attempt|try|launch(?:ed|ing)?|start(?:ed|ing)?|restart(?:ed)?|resum(?:ed|ing)|begin|job)"
_HEADED = expression(
    rb"nohup: ignoring input\b"
    rb"|[=#*-]{3,40} (?:[\w./-]{1,20} ){0,4}"
    + _RUN
    + rb"\b(?: (?:at|on))?:? (?:#?\d{1,3} )?\(?"
    + _DATE
    + rb"[^\n]{0,60}$"
    rb"|[=#*-]{3,40} " + _DATE + rb"[^\n]{0,30} (?:(?i:start|run|begin)\w*|\S{0,60}\.(?:sh|py)\b[^\n]{0,60})[ =#*-]*$"
    rb"|[=#*-]{3,40} (?i:attempt|try) #?[1-9]\d?[ =#*-]*$"
)

_REFUSED, _SOON = b": Start request repeated too quickly", 400
"""What systemd says, within so many bytes below, of a unit that it does not start once more."""


class Restart(NamedTuple):
    """A line (from 1) at which the job begins once more; `first`: it is the first try.

    `by`: the program and process that said so in a system's log.
    """

    line: int
    first: bool = False
    by: str = ""


def restarts(block: bytes, above: int) -> Iterator[Restart]:
    """Where a launcher says in a block of whole lines that it starts the job; `above` lines stand before it."""
    told = {begin for sign in _SIGNS.within(block) for begin in _lines_with(block, sign)}
    heads = {begin for sign in _HEADS.within(block) for begin in _lines_with(block, sign)}
    number, counted = above + 1, 0
    for begin in sorted(told | {begin for begin in heads if block.startswith(_RULED, begin)}):
        end = block.find(b"\n", begin)
        line = block[begin : end if end >= 0 else len(block)][:_LONGEST].rstrip()
        number += block.count(b"\n", counted, begin)
        counted = begin
        if _HEADED.match(line):
            yield Restart(number)
            continue
        if begin not in told:
            continue
        payload = strip(line.decode("utf-8", "replace")).payload.encode()
        if attempt := _ATTEMPT.match(payload) or _STARTING.search(payload):
            yield Restart(number, int(attempt[1]) < 2)
        elif _RESTARTED.search(line) and block.find(_REFUSED, begin, begin + len(line) + _SOON) < 0:
            by = _SPEAKER.search(line.decode("utf-8", "replace"))
            yield Restart(number + 1, by=by[1] if by else "")


def restarted(text: str) -> bool:
    """Whether the run ends with a line and is started again."""
    return _RESTARTED.search(text.encode("utf-8", "replace")) is not None


def _lines_with(block: bytes, sign: bytes) -> Iterator[int]:
    at = block.find(sign)
    while at >= 0:
        yield block.rfind(b"\n", 0, at) + 1
        end = block.find(b"\n", at)
        at = block.find(sign, end) if end >= 0 else -1
