"""Which of many literals may stand in a text: told by one pass of RE2, for all texts of its form at once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from neurontriage.expressions import expression
from neurontriage.lines.digits import form
from neurontriage.lines.remembered import remembered

_PROBE = "\x01 is there memory \x01"
_DIGIT, _ANY = expression(r"[0-9]"), "[07]"  # in a form all digits are one of these


def among(sought: Iterable[str]) -> Callable[[str], Container[int]] | None:
    """What gives the numbers of the patterns that may stand in a text without blanks around it.

    The patterns are of literals, and are looked for with one blank before and behind the text. None where there is no
    RE2, or too little memory, so that it finds nothing.
    """
    try:
        import re2
    except ImportError:
        return None
    found = re2.Set.SearchSet()
    for one in sought:
        found.Add(_DIGIT.sub(_ANY, one))
    probe = found.Add(_PROBE)
    found.Compile()

    if probe not in (found.Match(_PROBE) or ()):
        return None

    @remembered(2048)
    def within(form: bytes) -> Container[int]:
        return tuple(found.Match(b" %b " % form) or ())

    @remembered(2048)
    def within_text(text: str) -> Container[int]:
        return within(form(text))

    return within_text
