"""Work that is seen to go on: steps below a complaint, whose numbers rise from line to line.

A program that died counts no further. What counts its own waiting, its tries or its end does no work.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip
from neurontriage.lines.voices import kind, moving
from neurontriage.lines.words import Sought

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
        if (_counted(text) or (kind(text) in known and strip(text).level)) and not _WAITS.search(text):
            kinds.setdefault(kind(text), []).append(text)
    return max((len(lines) for one, lines in kinds.items() if _counts(_on(known.get(one), lines))), default=0)


@lru_cache(maxsize=2048)
def _counted(text: str) -> bool:
    """Whether a line counts what is done; the same lines stand around many claims."""
    return _STEPS.search(text) is not None


def _on(last: str | None, lines: Sequence[str]) -> Sequence[str]:
    return lines if last is None else [last, *lines]


def _counts(lines: Sequence[str]) -> bool:
    """Whether a number that stands at one place of all lines rises."""
    values = [[float(one) for one in _NUMBER.findall(moving(line))[:_NUMBERS]] for line in lines]
    return any(all(a < b for a, b in pairwise(column)) for column in zip(*values, strict=False))
