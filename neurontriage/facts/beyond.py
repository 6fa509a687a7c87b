"""A value beside the one that it may have, or should: a word tells which of them is the bound, whatever it measures.

`drifted by 412 ppm, allowed are 100 ppm`, `trained at 16 GT/s, wanted 32 GT/s`: two amounts of one unit, of which the
second is a bound, and the first on its wrong side.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip

_LONGEST, _MOST = 400, 6
"""Characters and amounts of a line that says no more than that."""
_NO_UNIT = r"(?!(?:of|in|is|are|and|at|to|for|from|on|after|as|or|by)\b)"
_AMOUNT = expression(
    r"(?<![\w.:/@#=+-])(?P<number>\d{1,15}(?:,\d{3}(?!\d))*(?:\.\d{1,9})?)"
    rf" ?(?P<unit>{_NO_UNIT}[^\W\d_]{{1,12}}(?:/s)?|%)?(?![\w:@/-]|\.\d)"
)
_DIGEST = expression(r"(?<![\w-])(?=[0-9a-f]{0,11}\d)[0-9a-f]{4,64}(?:…|\.\.\.)?[0-9a-f]{0,8}(?![\w-])")
# The word beside a bound says that it may not be passed, has to be reached, or should be the same.
_AT_MOST = (
    r"allow(?:s|ed|ance)?|grant(?:s|ed)?|tolerat(?:es?|ed)|tolerance|permit(?:s|ted)?|(?-i:may|can)|limit(?:s|ed)?"
    r"|max(?:imum)?|at most|no more|up to|cap(?:ped|acity)?|budget(?:ed)?|quota|thresholds?|trips?|cuts?|shuts?"
    r"|rated|ceiling|waits?"
)
_AT_LEAST = (
    r"want(?:s|ed)?|need(?:s|ed)?|expect(?:s|ed)?|requir(?:es?|ed)|min(?:imum)?|at least|ask(?:s|ed)?"
    r"|request(?:s|ed)?|floor|should|must"
)
_SAME = (
    r"says?|speaks?|list(?:s|ed)?|declare[sd]?|announce[sd]?|record(?:s|ed)?|manifest|lock(?:ed)?|pinned|promised"
    r"|(?:built|made|compiled|meant|planned) for|instead|against|index|sum"
)
_BOUND = expression(rf"(?i)\b(?:(?P<most>{_AT_MOST})|(?P<least>{_AT_LEAST})|(?P<same>{_SAME}))\b")
# So much came of so much, and no more.
_SHORT = expression(
    r"(?i)\b(?:only|just|stopped|ended|broke off|short|got|came|left|missing)\b[^.;\n]{0,40}?(?<![\w.])"
    r"(?P<here>\d{1,15}(?:\.\d{1,9})?)(?: ?[a-zA-Z]{1,12})? (?:of|out of) (?:the )?(?P<all>\d{1,15}(?:\.\d{1,9})?)\b"
)
_PAIR = expression(r"(?<![\w=])(?P<name>[A-Za-z_][\w.-]{0,40})=(?P<value>[\w.:/+-]{1,80})")
_PARTS = expression(r"[,;(:]|\b(?:but|while|where|when|than|and)\b")


class _Value(NamedTuple):
    """An amount of a text. `bound`: what sort of bound the words of its clause make of it, "" of none."""

    number: float
    unit: str
    bound: str


@lru_cache(maxsize=1024)
def beyond(text: str) -> bool:
    """Whether a line states a value that is on the wrong side of a bound beside it.

    >>> beyond("clock drifted by 412 ppm, allowed are 100 ppm"), beyond("took 3 s, at most 10 s")
    (True, False)
    """
    said = strip(text).payload
    if len(said) > _LONGEST or not ("=" in said or any(map(str.isdigit, said))):
        return False
    part = _SHORT.search(said)
    return (
        _amounts(said)
        or _digests(said)
        or _pairs(said)
        or (part is not None and float(part["here"]) < float(part["all"]))
    )


def _amounts(said: str) -> bool:
    values = list(_values(said))
    if len(values) > _MOST:
        return False
    bounds = [one for one in values if one.bound]
    return any(_wrong(one, bound) for bound in bounds for one in values if not one.bound)


def _wrong(value: _Value, bound: _Value) -> bool:
    """Whether a value is not what its bound says. One of them may go without a unit."""
    if value.unit != bound.unit and value.unit and bound.unit:
        return False
    if bound.bound == "most":
        return value.number > bound.number
    return value.number < bound.number if bound.bound == "least" else value.number != bound.number


def _values(said: str) -> Iterator[_Value]:
    """The amounts of a text, each with the sort of bound that the words make of it between it and the one before."""
    end = 0
    for found in _AMOUNT.finditer(said):
        word = _BOUND.search(_PARTS.split(said[end : found.start()])[-1])
        sort = word.lastgroup if word else None
        yield _Value(float(found["number"].replace(",", "")), found["unit"] or "", sort or "")
        end = found.end("number")


def _pairs(said: str) -> bool:
    """Whether a text gives two values of one name, in a sentence that has no others."""
    found = [(one["name"], one["value"]) for one in _PAIR.finditer(said)]
    return len(found) == 2 and found[0][0] == found[1][0] and found[0][1] != found[1][1]


def _digests(said: str) -> bool:
    """Whether a text sets two digests beside each other that are not the same."""
    found = [one for one in _DIGEST.finditer(said) if any(map(str.isalpha, one[0]))]
    if len(found) != 2 or found[0][0] == found[1][0]:
        return False
    return _BOUND.search(said, found[0].end(), found[1].start()) is not None
