"""Lines that count tries, `attempt 2/5`: their numbers say whether more of them are left."""

from __future__ import annotations

from neurontriage.expressions import expression
from neurontriage.lines.digits import by_form
from neurontriage.lines.remembered import remembered
from neurontriage.lines.words import Sought

_TEXT = (
    r"(?i)\b(?:attempt|try|retry|trial) (?:number |no\.? ?|#)?({n}) ?(?:/|of|out of) ?({n})\b"
    r"|\b({n}) ?(?:/|of|out of) ?({n}) (?:allowed|permitted|tolerated) (?:failures|errors|tries)\b"
    r"|[(\[]({n})(?:/| of )({n}) (?:attempts|tries|retries)[)\]]"
    r"|\bfailed \[({n})/({n})s\]"  # of so many seconds that it is tried (cloud-init)
)
_COUNTED = Sought(_TEXT.replace("{n}", r"\d{1,4}"))
# The same in a line without its digits, in which words may end where none begin any more.
_WITHOUT = expression(_TEXT.replace("({n})", "").replace(r"\b", "").encode())


def attempt(text: str) -> tuple[int, int] | None:
    """Which try a line counts, of how many."""
    found = _COUNTED.search(text) if _counts(text) else None
    if found is None:
        return None
    this, most = (int(number) for number in found.groups() if number)
    return this, most


@by_form(1024)
def _counts(text: str) -> bool:
    """Whether a line counts tries."""
    return _COUNTED.search(text) is not None


@remembered(4096)
def counts_tries(key: bytes) -> bool:
    """Whether lines of a template, which is without digits, may count tries.

    >>> counts_tries(b"ERROR: attempt /: the ring is closed"), counts_tries(b"could not open attempt.log")
    (True, False)
    """
    return _WITHOUT.search(key) is not None
