"""What a program says right above or below a failure so that it is none: it was expected, caught, or is tried again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from neurontriage.model import Event, Line, Prefix, Said

HANDLED, EXPECTED = "handled", "expected"
"""Kinds of events: the failure directly above was handled; the exception directly below was expected."""
_HANDLES = re.compile(
    r"(?i)\b(?:caught \w*(?:error|exception|timeout)\w*\b[,;.]|(?:handled|swallowed|suppressed|ignored|tolerated)\W*$"
    r"|(?:will )?(?:re-?try(?:ing)?|re-?attempt(?:ing)?|try(?:ing)? again|reconnect(?:ing)?)\b"
    r"|sleeping \d|back(?:ing)?[ -]?off|next attempt|(?:falling|fall) back\b|(?:going|carrying) on\b"
    r"|continu(?:e|ing) (?:without|with|anyway))|^\.*ignoring\W*$|^\+ (?:true|:)\W*$"
)
_GIVES_UP = re.compile(r"(?i)\b(?:giv(?:e|ing) up|gave up|exhausted|no more|failed after|last attempt|not retr)")
_EXPECTS = re.compile(
    r"(?i)\b(?:(?:expected|intended|intentional|deliberate|simulated|injected)|(?:sample|example) of an?) (?:\w+ )?"
    r"(?:exception|error|traceback|failure|crash|abort|fault)s?\b[^\n:]{0,30}:?\W*$"
)
# Of a line that states a failure itself, it is that failure which is tried again.
_OWN = frozenset({"FAILED", "INABILITY", "REFUSED", "INVALID", "MISSING", "LIMIT", "REASON"})
_CALM, _FINE = frozenset({"DEBUG", "TRACE", "INFO"}), frozenset({"DEBUG", "TRACE"})


@dataclass
class Asides:
    """The lines of one process, as far as they may say something of a failure beside them."""

    text: str = ""
    level: str = ""
    told: bool = False
    fine: bool = False

    def read(self, event: Event, line: Line, prefix: Prefix, opens: bool) -> Event | None:
        """The event that a line makes for its neighbour. `opens`: a traceback or an exception begins with it."""
        found = self._says(prefix, opens) if opens or not event.said.words & _OWN else ""
        telling = bool(line.hits) or opens
        self.fine = (opens and self.level in _FINE) or (self.fine and not prefix.level)
        self.text, self.level, self.told = (
            prefix.payload,
            prefix.level or "",
            telling or (self.told and not prefix.level),
        )
        return event._replace(family="follow", kind=found, hits=(), said=Said(), template="") if found else None

    def _says(self, prefix: Prefix, opens: bool) -> str:
        if opens:
            return EXPECTED if _EXPECTS.search(self.text) else ""
        if self.fine and prefix.level in _CALM:
            return HANDLED
        handles = self.told and _HANDLES.search(prefix.payload) and not _GIVES_UP.search(prefix.payload)
        return HANDLED if handles else ""
