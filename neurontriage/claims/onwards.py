"""Whether a message goes on in the next line: an unfinished sentence does, what somebody else says does not."""

from __future__ import annotations

from collections.abc import Set

from neurontriage.claims.prose import written
from neurontriage.expressions import expression
from neurontriage.lines.prefix import strip

# What goes on below: a line that ends so. What does not go on: a path, an item, what a program says it does next.
_OPEN = expression(r"(?:[:,;(\[{=+|/-]|\b(?:and|or|of|to|the|in|is|with|following|below))\s*$")
_NEXT = expression(
    r"\s*(?:/[\w.@+-]+(?:/[\w.@+-]*)*\s*$|\* \w|(?!(?i:missing|using|existing|expecting|following|according))"
    r"(?i:[a-z]{3,12}ing) (?:up|down|off|on|out|the|all|a|an|for|job|run|[a-z]{3,12})\b[^:=]{0,60}$)"
)
# Who speaks, in front of what is said; and what reports on tests, below the last traceback of one.
_SPEAKER = expression(r"([a-z][\w./-]{1,30}(?:\[\d{1,8}\])?): (?=\S)")
_REPORTS = expression(
    r"Ran \d{1,9} tests? in \d|(?:FAILED|OK) \(\w|\d{1,9} (?:tests? |passed|failed)"
    r"|\S[^\n]{0,80} \.\.\. ?(?:ok|done|passed|skipped|FAIL\w*|ERROR)\W*$|\[[A-Z]{4,8}/[\w-]{1,40}\] "
)


def told(above: str, payload: str, voices: Set[str]) -> bool:
    """Whether a line is complete, and the one below it (`payload`) says what is done next, or stands for itself.

    `voices`: who spoke before in the same stream.
    """
    if unfinished(above):
        return False
    if (speaks := speaker(payload)) and speaks in voices:
        return True
    says_next = _NEXT.match(payload) is not None and not _NEXT.match(above)
    return says_next or _REPORTS.match(payload) is not None or written(payload) or _logged(payload)


def _logged(payload: str) -> bool:
    """Whether an indented line is the record of a logger: whoever pasted it indented all."""
    return payload[:1].isspace() and strip(payload.lstrip()).level is not None


def alone(payload: str) -> bool:
    """Whether an exception was raised without words: Python puts a colon behind the name of one that has some below."""
    name = payload.strip()
    return name[-1:] != ":" and " " not in name


def unfinished(payload: str) -> bool:
    """Whether a line ends as one does that goes on below."""
    return _OPEN.search(payload) is not None


def speaker(payload: str) -> str:
    """Who speaks in a line, by the name in front of what is said; "" where it names nobody."""
    found = _SPEAKER.match(payload)
    return found[1] if found else ""
