"""Who goes on: a daemon complains in one record, and then does its work to the end of its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.claims.verdicts import verdict
from neurontriage.expressions import expression
from neurontriage.lines.cut import NEAR
from neurontriage.lines.levels import CALM
from neurontriage.lines.remembered import remembered
from neurontriage.lines.voices import kind, loud, moving, voice
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.messages import names_file
from neurontriage.ranking.statements import record

_LEAST = 5  # of the last lines of a log, so many are of one who goes on
_FLOOD = 10  # so many lines of one kind
_NEARLY = 0.8  # of all lines of a log
_OVER = Sought(r"\bFAILED: ")
_IDLE = 12  # so many of one who only waits
_SAME = 3  # so many of them differ, and are of a kind that came before, too
_START = 12  # lines in which a program starts, before its usual work begins
_LONG = 60  # lines below a complaint after which a daemon is asked to leave for another reason
_ANYBODY = frozenset({"text", "plain", "python", "errno", "kubernetes", "pjrt", "klog", "absl"})
_STACK = frozenset({"compiler", "runtime", "driver", "collectives", "cache"})
# What is said while nothing is done: whatever is waited for, tried again or refused, beats, and numbers that are none.
_WAITS = Sought(
    r"(?i)\b(?:wait(?:s|ing|ed)?|pending|heart ?beats?|alive|reconnect\w*|attempt|retry\w*|refus\w+|reject\w+|denied"
    r"|unavailable|unreachable|not ready|stalled|blocked|stuck|idle|nan|inf|queue(?:d| length))\b"
    r"|\b0(?: of |/)\d|(?:^|[^.,:\d])50[0-4]\b|\bconsumed 0\b"
)
# Whoever ran a process says that it failed.
_FAILED = Sought(
    r"(?i)\b(?:exit(?:ed|ing|s)?|returned|status|(?:ended|finished)\b[^\n\d]{0,16}\b(?:with|code|rc))\b"
    r"[^\n]{0,24}[ :=/]{1,3}"
    r"[1-9]\d{0,2}\b(?!\.\d|%| ?(?:m?s|secs?|seconds|min|minutes|h|hours|steps?|epochs?|items?|rows?|files?)\b)"
    r"|\bFailed with result\b|\bcore dumped\b|\bFAILED\b|\bkilled\b|\b(?:with|[1-9]\d*) (?:errors?|failed)\b",
    expression,
)
# It is going: after a complaint only a short while ago perhaps because of it.
_LEAVES = Sought(
    r"(?i)\b(?:shut(?:ting)? ?down|stopp(?:ed|ing)|exit(?:ing)?|terminat(?:ed|ing)|abort(?:ed|ing)?"
    r"|clean(?:ing|ed)? ?up|bye)\b"
)


def goes_on(claim: Claim, course: Course, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the program of a claim goes on below it to the end of its log, whose last lines report no failure.

    Nobody goes on after a fatal error, an end or a signal; what an entry knows of the Neuron stack is no complaint.
    """
    if not _complains(claim, briefs) or not (own := voice(claim.event.evidence.text)):
        return False
    below = [text for line, text in course.ends if line > claim.last]
    if len(below) < NEAR or any(map(failed, below)):
        return False
    if course.lines - claim.last < _LONG and any(map(leaves, below)):
        return False
    later = [text for text in below if voice(text) == own]
    if len(later) < _LEAST or any(map(loud, later)):
        return False
    return _works(later, [text for text in above(claim, course.head) if voice(text) == own])


@lru_cache(maxsize=2048)
def failed(text: str) -> bool:
    """Whether a line says that a process, or something that was tried, failed."""
    if not _FAILED.search(text):
        return False
    said = verdict(text)  # of a record the field of its status, not the count that stands behind it
    return said is None or said.ill or said.form != "status"


@remembered(1024)
def leaves(text: str) -> bool:
    """Whether a line says that somebody is going."""
    return _LEAVES.search(text) is not None


@remembered(1024)
def idles(text: str) -> bool:
    """Whether a line only says that somebody waits, is refused, or has nothing to do."""
    return _WAITS.search(text) is not None


def known_below(last: int, course: Course, end: int | None = None) -> list[str]:
    """The lines below a line that are known: the last ones of a log, above another line (`end`), of the same file."""
    return _of_file([text for line, text in course.ends if last < line < (end or course.lines + 1)])


def _of_file(texts: list[str]) -> list[str]:
    """These lines, up to the one that names another file, as `tail` prints it above what is in that."""
    for place, text in enumerate(texts):
        if "==> " in text and names_file(text):
            return texts[:place]
    return texts


def seen_below(claim: Claim, last: int, course: Course, end: int | None = None) -> list[str]:
    """The lines below a claim that are known: those at the beginning of its log, too, where it stands among them."""
    lines, stripped = beginning(course.head)
    at, until = claim.event.evidence.line, min(end or course.lines + 1, course.ends[0][0] if course.ends else 1)
    headed = at <= len(lines) and stripped[at - 1] == claim.event.evidence.text.strip()
    first = lines[last : until - 1] if headed else []
    own = _of_file(first)
    return [*filter(str.strip, own), *(known_below(last, course, end) if len(own) == len(first) else ())]


def to_the_end(claim: Claim, course: Course) -> bool:
    """Whether a program had nothing more to say than an error, to the end of its log: it repeats it, or only waits."""
    return stands_still(claim, course) or floods(claim, course) or _nothing_else(claim, course)


def stands_still(claim: Claim, course: Course) -> bool:
    """Whether the program of an error record only waits, refuses, or says one and the same below it, to the end."""
    if not record(claim) or not (own := voice(claim.event.evidence.text)):
        return False
    later = [text for line, text in course.ends if line > claim.last and voice(text) == own]
    if len(later) < _IDLE or any(map(loud, later)):
        return False
    known = {kind(text) for text in above(claim, course.head)}
    idle = len(set(map(moving, later))) == 1 or all(map(_WAITS.search, later))
    return idle and known.isdisjoint(map(kind, later))


def floods(claim: Claim, course: Course) -> bool:
    """Whether a log ends in error records of one kind and nothing else: no flood is noise where nobody ends well."""
    if claim.count < _FLOOD or not record(claim):
        return False
    own, last = kind(claim.event.evidence.text), [text for _, text in course.ends[-_FLOOD:]]
    return bool(own) and len(last) == _FLOOD and all(loud(text) and kind(text) == own for text in last)


def _nothing_else(claim: Claim, course: Course) -> bool:
    """Whether nearly all lines of a log say that one thing failed, over and over."""
    said = claim.event.said
    if claim.count < _FLOOD or claim.count < course.lines * _NEARLY or said.level in CALM:
        return False
    return "FAILED" in said.words or _OVER.search(claim.event.evidence.text) is not None


def _works(later: Sequence[str], before: Sequence[str]) -> bool:
    """Whether lines are of work: the same as before, and not only the same words; near the start, of several kinds."""
    known = {kind(text) for text in before}
    same = {moving(text) for text in later if kind(text) in known}
    if len(same) >= _SAME:
        return True
    kinds = [kind(text) for text in later if not _WAITS.search(text)]
    return len(before) < _START and len(kinds) >= _LEAST and len(set(kinds)) > 1


def above(claim: Claim, head: str) -> list[str]:
    """The lines at the beginning of a log that stand above a claim."""
    lines, stripped = beginning(head)
    first = claim.event.evidence.text
    return lines[: stripped.index(first)] if first in stripped else lines


@lru_cache(maxsize=8)
def beginning(head: str) -> tuple[list[str], list[str]]:
    """The whole lines at the beginning of a log, as they are and without what is blank around them."""
    lines = head.splitlines()[:-1]
    return lines, [text.strip() for text in lines]


def known_lines(head: str, ends: Iterable[tuple[int, str]]) -> dict[int, str]:
    """The lines that are known of a log, by their numbers: those at its beginning, and its last ones."""
    return dict(enumerate(beginning(head)[1], 1)) | dict(ends)


def _complains(claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim is a complaint that any program may survive."""
    event = claim.event
    ended = claim.says == "signal" or (claim.says == "exit" and event.said.level != "ERROR")
    if event.family not in _ANYBODY or event.said.level == "FATAL" or ended:
        return False
    return claim.entry is None or briefs[claim.id]["layer"] not in _STACK
