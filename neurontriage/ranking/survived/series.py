"""One of many: what went wrong with one item of a series is of that item, where the next ones are done below it.

An item is a line that begins like others, but for a number that counts on: a task, a trial, a row, a size of a sweep.
What stands below it, until the next one begins, is of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from neurontriage.claims.claim import Claim
from neurontriage.claims.endings import SCRIPT
from neurontriage.claims.verdicts import verdict
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD
from neurontriage.lines.outlook import trouble
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import moving
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.onward import idles, known_lines
from neurontriage.ranking.survived.accounts import bad
from neurontriage.ranking.survived.after import ends

_FEW, _SOME = 2, 3
_LEAST = 4  # items of a series
_FAR = 40  # lines that one item has, with the tracebacks of two exceptions
_OPENING = 80  # characters at the start of a line in which its number stands
_NUMBER = expression(r"(?<![\d.:,])\d{1,9}(?![\d%]|[.,:]\d)")
# A label or a column, and in it the name of a thing, behind which its value stands apart.
_NAMED = expression(r"(?P<opening>(?:[A-Za-z][\w-]{1,30}:? ){1,2})(?P<name>[A-Za-z][\w./-]{1,60})(?:: |  |\t)")
_DIGITS = expression(r"\d+")
_LETTERS = expression(r"[A-Za-z]{2}")
# What is numbered and is no item that one program does after the other: who does it, tries of one thing, its waiting.
_NO_ITEM = Sought(
    r"(?i)(?:\b|_)(?:ranks?|workers?|nodes?|hosts?|process(?:es)?|pids?|threads?|devices?|nd|nc|cores?|replicas?|instances?"
    r"|peers?|gpus?|local_rank|lines?|frames?|attempts?|tr(?:y|ies)|retr\w+|restarts?|codes?|status|signal|errno|exit\w*"
    r"|port|after|in|for|wait\w*|elapsed|version|v|at|stage|phase)\W{0,3}$"
)

Key = tuple[str, int]


class Item(NamedTuple):
    """One item: its first line, its number, and whether a word of trouble stands in it."""

    line: int
    number: int
    ill: bool


def of_series(claim: Claim, scene: Scene) -> bool:
    """Whether a claim is of an item of a series that goes on below it, with items that went well."""
    if ends(claim) and "EXIT" not in claim.event.said.words:
        return False
    if counts_items(claim, scene.course(claim)):
        return True
    course, path, line = scene.course(claim), claim.event.evidence.path, claim.event.evidence.line
    zero = scene.done.get((path, None, SCRIPT), 0) > claim.last
    return any(_goes_on(items, line, claim.latest, zero) for items in series(course.head, course.ends))


def counts_items(claim: Claim, course: Course) -> bool:
    """Whether a claim only counts the items of a series that went wrong, and the log goes on below it."""
    text, line = claim.event.evidence.text, claim.event.evidence.line
    if claim.entry is not None or claim.event.said.level in LOUD or "FRAMED" in claim.event.said.words:
        return False
    if claim.last >= course.lines or ((said := verdict(text)) is not None and said.ill):
        return False
    numbers = {int(one) for one in _NUMBER.findall(strip(text).payload)}
    found = [items for items in series(course.head, course.ends) if 0 < line - items[-1].line <= _FAR]
    return any(sum(item.ill for item in items) in numbers - {0} for items in found)


def calm_end(course: Course) -> bool:
    """Whether a log does not end in a word of trouble, or of waiting."""
    last = [text for _, text in course.ends[-1:]]
    return bool(last) and not any(bad(text) or trouble(text) or idles(text) for text in last)


def _goes_on(items: tuple[Item, ...], line: int, last: int, zero: bool) -> bool:
    """Whether the lines of a claim, from `line` to `last`, are of items below which others went well.

    `zero`: the script that did them then ended with status 0, so that it is enough that others did above them.
    """
    above = [item for item in items if item.line <= line]
    later = [item for item in items if item.line > last]
    if not above or not (line - above[-1].line <= _FAR or _between(above[-1], later[:1])):
        return False
    if zero and sum(not item.ill for item in above) >= _FEW:
        return True
    between = [item for item in items if line < item.line <= last]
    well = sum(not item.ill for item in later)
    return (len(later) >= _FEW and well >= 1) or (len(between) >= _LEAST and sum(not i.ill for i in between) >= _SOME)


def _between(above: Item, below: Sequence[Item]) -> bool:
    """Whether so many items stand between two that are known that each line between them is of one."""
    return any(one.line - above.line <= _FAR * (one.number - above.number) for one in below)


@lru_cache(maxsize=8)
def series(head: str, last: tuple[tuple[int, str], ...]) -> tuple[tuple[Item, ...], ...]:
    """The series of items of a log, as far as it is known."""
    known = known_lines(head, last)
    of: dict[Key, list[tuple[int, int]]] = {}
    named: dict[str, dict[str, int]] = {}
    for line, text in sorted(known.items()):
        for key, number in _numbered(text):
            of.setdefault(key, []).append((line, number))
        if one := _NAMED.match(strip(text).payload):
            named.setdefault(one["opening"], {}).setdefault(one["name"], line)
    found = [_counted(places) for places in of.values()]
    found += [[(line, place) for place, line in enumerate(lines.values())] for lines in named.values()]
    ill = sorted(line for line, text in known.items() if trouble(text))
    return tuple(_items(places, ill) for places in found if len(places) >= _LEAST)


def _numbered(text: str) -> Iterable[tuple[Key, int]]:
    """What a line may be an item of, by its first two numbers: the words before each, and the number."""
    payload = strip(moving(text)).payload[:_OPENING]
    for place, found in zip(range(_FEW), _NUMBER.finditer(payload), strict=False):
        opening = payload[: found.start()]
        if _LETTERS.search(opening) and not _NO_ITEM.search(opening):
            yield (_DIGITS.sub("0", opening), place), int(found[0])


def _counted(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The first line of each number, where the numbers only rise; none where they do not."""
    firsts = [one for place, one in enumerate(places) if not place or one[1] != places[place - 1][1]]
    return firsts if all(a[1] < b[1] for a, b in pairwise(firsts)) else []


def _items(places: list[tuple[int, int]], ill: list[int]) -> tuple[Item, ...]:
    nexts = [line for line, _ in places[1:]] + [places[-1][0] + 1]
    return tuple(
        Item(line, number, any(line <= at < end for at in ill))
        for (line, number), end in zip(places, nexts, strict=True)
    )
