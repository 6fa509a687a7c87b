"""An object of JSON that is printed over several lines: what it calls an error is one, its message is what it says.

Command-line tools print what they found wrong in that form: level or severity in one line, summary, message and detail
in lines beside it, or all of them below the name `error`.
"""

from __future__ import annotations

from neurontriage.expressions import expression
from neurontriage.lines.carried import unquoted
from neurontriage.lines.levels import LOUD, name
from neurontriage.model import Line, Prefix

_FIELD = expression(r'(?P<margin> {1,40}|\t{1,10})"(?P<key>[A-Za-z@_]\w{2,30})" ?: ?(?P<value>[^\s].*)')
_LEVELS = frozenset({"level", "severity", "type", "kind", "@level"})
_SAYS = frozenset(
    {"message", "msg", "summary", "detail", "details", "description", "reason", "error", "cause", "title"}
)
_ERRORS = frozenset({"error", "errors", "fatal", "failure", "failures"})
_NEAR = 8  # lines that one object has, from its level to its message


class Objects:
    """The object of a log that was called an error last: its margin, where that stands, what it has said so far."""

    def __init__(self) -> None:
        self._level, self._margin, self._line = "", "", 0
        self._said: set[str] = set()

    def opened(self, line: Line, prefix: Prefix) -> Prefix:
        """A line with what it says in its object as its payload; the prefix itself of any other line."""
        text = line.text[line.own :]
        if text[:1] not in (" ", "\t") or '": ' not in text or (found := _FIELD.match(text)) is None:
            return prefix
        margin, key, value = found["margin"], found["key"].lower(), found["value"].rstrip()
        if value in ("{", "[", "[{"):
            if key in _ERRORS:
                self._begin("ERROR", f"{margin} ", line.number)
            return prefix
        said = unquoted(value)
        if said == value:
            return prefix
        if key in _LEVELS and name(said):
            self._begin(name(said), margin, line.number)
        elif key in _SAYS and self._holds(margin, key, line.number):
            return prefix._replace(payload=said, level=self._level)
        return prefix

    def _begin(self, level: str, margin: str, line: int) -> None:
        self._level, self._margin, self._line, self._said = level, margin, line, set()

    def _holds(self, margin: str, key: str, line: int) -> bool:
        """Whether a line of this margin is one more of the object, and that is an error."""
        below = margin == self._margin or (self._margin.endswith(" ") and margin.startswith(self._margin))
        if self._level not in LOUD or not below or line - self._line > _NEAR or key in self._said:
            return False
        self._said.add(key)
        return True
