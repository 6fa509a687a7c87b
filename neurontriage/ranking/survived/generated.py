"""What a language model answers to a question at a prompt: text, whatever failure it tells of.

The client shows below the answer how many tokens it had.
"""

from __future__ import annotations

import bisect

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.model import Course
from neurontriage.ranking.onward import known_lines

_COUNTED = Sought(
    r"\"(?:prompt|completion|total|input|output)_tokens\": ?\d|^\W{0,4}(?:usage|tokens(?: used)?): .{0,40}\d"
    r"|^(?:total duration|(?:prompt )?eval (?:rate|count|duration)): +\d|^\W{0,3}\d{1,7} tokens\b"
)
_ASKS = Sought(r"[\"'].{8,}|\?")
"""A question is more than a word."""


def generated(claim: Claim, course: Course) -> bool:
    """Whether a claim stands between a question at a prompt and the count of the tokens that answer it."""
    line = claim.event.evidence.line
    if not course.prompts:
        return False
    at = bisect.bisect_right(course.prompts, line, key=lambda one: one[0]) - 1
    if at < 0 or not _ASKS.search(course.prompts[at][2]):
        return False
    end = course.prompts[at + 1][0] if at + 1 < len(course.prompts) else course.lines + 1
    known = known_lines(course.head, course.ends)
    last = max((at for at, text in known.items() if line < at < end and _COUNTED.search(text)), default=0)
    return claim.last < last
