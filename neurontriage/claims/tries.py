"""Tries that are counted or announced: what is tried again is no failure yet; what the last try failed of is why."""

from __future__ import annotations

from typing import NamedTuple

from neurontriage.lines.attempts import attempt
from neurontriage.lines.digits import by_form
from neurontriage.lines.words import Sought
from neurontriage.model import Event

_GIVES_UP = Sought(
    r"(?i)\b(?:giv(?:e|ing) (?:it )?up|gave up|given up|exhausted|no more|failed after|last attempt|not retr\w*"
    r"|(?:no|out of) (?:tries|retries|attempts)|(?:retries|tries|attempts) (?:used up|exceeded))\b"
)
_WENT_WELL = Sought(r"(?i)\b(?:HTTP|status|code)\W{0,3}2\d\d\b|\b(?:ok|connected|reached|acquired)\W*$")
_WELL = frozenset({"SUCCESS", "ENDED", "PROGRESS"})
# Of a line that states a failure itself, it is that failure which is tried again.
OWN = frozenset({"FAILED", "INABILITY", "REFUSED", "INVALID", "MISSING", "LIMIT", "REASON"})
_INFORMS = frozenset({"INFO", "DEBUG"})
BELOW = 2
"""So many lines below the count of a try may say how it failed."""


class Try(NamedTuple):
    """One of several tries. `last`: no more are left; `line`: where it is counted."""

    last: bool
    line: int


@by_form(512)
def gives_up(text: str) -> bool:
    """Whether a line says that nothing is tried again."""
    return _GIVES_UP.search(text) is not None


class Tries:
    """The tries of one process, line by line."""

    def __init__(self) -> None:
        self._open: Try | None = None

    def of(self, event: Event) -> Try | None:
        """The try that a line belongs to: the one that it counts, or the one counted right above."""
        text, line = event.evidence.text, event.evidence.line
        counted, above = attempt(text), self._open
        if counted is None:
            self._open = None
            below = above is not None and above.line <= line <= above.line + BELOW
            return above if below and event.said.words & OWN else None
        this, most = counted
        well = event.said.words & _WELL or _WENT_WELL.search(text)
        found, stated = Try(this >= most and not well, line), bool(event.said.words & OWN)
        self._open = None if stated or well else found
        return found if stated or not found.last or event.said.level not in _INFORMS else None
