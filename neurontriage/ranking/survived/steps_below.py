"""Work that is seen to go on: steps below a complaint, whose numbers rise from line to line.

A program that died counts no further. What counts its own waiting, its tries or its end does no work.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from neurontriage.expressions import expression
from neurontriage.lines.outlook import done, trouble
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import header, kind, moving
from neurontriage.lines.words import Sought
from neurontriage.ranking.onward import idles, leaves
from neurontriage.ranking.survived.reported import within

_LEAST = 3
_NUMBER = expression(r"(?<![\w.])\d{1,12}(?:\.\d{1,6})?(?!\w)")
_NUMBERS = 8  # of a line
# A line that counts what is done: the word of a unit with its number, so many of so many, or a share.
_STEPS = Sought(
    r"(?i)\b(?:step|epoch|it|iter(?:ation)?|batch|round|episode|chunk|shard|block|bucket|file|doc(?:ument)?|example|sample"
    r"|image|utt(?:erance)?|trial|fold|prompt|tile)s?[\"']?[ #:=\[]{1,3}\d"
    r"|\b\d{1,12} ?(?:/|of) ?\d{1,12}\b|\b\d{1,3}(?:\.\d)?%"
    # What is measured of work, and what was made of it.
    r"|\d ?(?:[kMGT]i?B|it|tok(?:en)?s?|samples?|seq(?:uence)?s?|req(?:uest)?s?|rows?|steps?|imgs?|images?)/s(?:ec)?\b"
    r"|\b(?:loss|perplexity|ppl|throughput|learning_rate|lag|offset)[\"']?[ :=]{1,3}\d"
    r"|\b\d{1,12} \w{3,20} (?:written|read|saved|processed|converted|served|done|sent|received|copied)\b"
)
_WAITS = Sought(
    r"(?i)\b(?:wait(?:s|ing|ed)?|pending|heart ?beats?|alive|\w*connect\w*|attempt\w*|try(?:ing)?|tries|again|retry\w*"
    r"|retries|refus\w+|denied|elapsed|unavailable|unreachable|not ready|stalled|blocked|stuck|idle"
    r"|nan|inf|sleep\w*|back-?off|restart\w*|exit\w*"
    r"|fail\w*|errors?|kill\w*|signal|terminat\w+|abort\w*|closing|frame|rank: ?\d)\b"
)


def rises(texts: Sequence[str], least: int = _LEAST, before: Sequence[str] = ()) -> bool:
    """Whether so many of these lines, two or more, are steps of one kind, and count on from one to the next."""
    return rising(texts, before) >= least


def rising(texts: Sequence[str], before: Sequence[str] = ()) -> int:
    """How many of these lines are steps of one kind, and count on from one to the next.

    `before`: lines above: whoever counts from the start again below them was started again.
    """
    kinds: dict[tuple[str, ...], list[str]] = {}
    known = {kind(text): text for text in before}
    for text in texts:
        if (_counted(text) or (kind(text) in known and strip(text).level)) and not _waits(text):
            kinds.setdefault(kind(text), []).append(text)
    return max((len(lines) for one, lines in kinds.items() if _counts(_on(known.get(one), lines))), default=0)


def busy(below: Sequence[str], before: Sequence[str]) -> int:
    """How many lines are of work, without a word of trouble: a logger's, of a kind said above, of what is done."""
    texts = [text for text in below if not (trouble(text) or idles(text) or leaves(text) or within(text))]
    known = set(map(kind, before)) - {()}
    return sum(header(text) != "" or kind(text) in known or done(text) for text in texts)


def overtaken(texts: Sequence[str], before: Sequence[str]) -> int:
    """How many of these lines count beyond all that was counted above them, after they began again at less.

    Whoever was started again and has gone beyond the point at which it failed has survived that, whatever it was.
    """
    above, below = _by_kind(before), _by_kind(texts)
    return max((_beyond(lines, below[one]) for one, lines in above.items() if one in below), default=0)


def _by_kind(texts: Sequence[str]) -> dict[tuple[object, ...], list[str]]:
    """The lines that count, by what they count for whom."""
    kinds: dict[tuple[object, ...], list[str]] = {}
    for text in steps(texts):
        prefix = strip(text)
        kinds.setdefault((kind(text), prefix.rank, prefix.process or prefix.host), []).append(text)
    return kinds


def _beyond(above: Sequence[str], below: Sequence[str]) -> int:
    """How many lines below count beyond all others, after the last that counts less than the one before it.

    What counts is the first number that is not the same in all of them: of an epoch, not of its steps.
    """
    columns = zip(*map(values, [*above, *below]), strict=False)
    counts = next((column for column in columns if len(set(column)) > 1), ())
    drops = [place for place, (one, other) in enumerate(pairwise(counts), 1) if other < one]
    if not drops or drops[-1] < len(above):
        return 0
    most = max(counts[: drops[-1]])
    return sum(one > most for one in counts[drops[-1] :])


def steps(texts: Sequence[str]) -> list[str]:
    """The lines that count what is done, and not only waiting, tries or an end."""
    return [text for text in texts if _counted(text) and not _waits(text)]


@lru_cache(maxsize=2048)
def _counted(text: str) -> bool:
    """Whether a line counts what is done; the same lines stand around many claims."""
    return _STEPS.search(text) is not None


@lru_cache(maxsize=2048)
def _waits(text: str) -> bool:
    """Whether a line that counts only counts waiting, tries or an end."""
    return _WAITS.search(text) is not None


def _on(last: str | None, lines: Sequence[str]) -> Sequence[str]:
    return lines if last is None else [last, *lines]


def _counts(lines: Sequence[str]) -> bool:
    """Whether a number that stands at one place of all lines rises, or one begins again where that before it rises."""
    columns = [*zip(*map(values, lines), strict=False)]
    nested = (zip(one, other, strict=True) for one, other in pairwise(columns))
    return any(all(a < b for a, b in pairwise(column)) for column in (*columns, *map(list, nested)))


@lru_cache(maxsize=2048)
def values(text: str) -> tuple[float, ...]:
    """The numbers of a line, but for its time; the same lines stand below many claims."""
    return tuple(float(one) for one in _NUMBER.findall(moving(text))[:_NUMBERS])
