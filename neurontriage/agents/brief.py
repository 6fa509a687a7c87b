"""Short answers: parts in the order of their weight, redacted, as many as fit into what an agent should read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from neurontriage.model import Diagnosis
from neurontriage.render.redaction import Redactor
from neurontriage.render.text import printable
from neurontriage.reports import renderer

TOKENS = 1500
_PIECE = re.compile(r"\d{1,3}|[^\W\d]{1,4}|[^\w\s]|\n")
"""What one token holds at least, for the tokenisers in use: so the count is never too low."""


def tokens(text: str) -> int:
    """An upper estimate of how many tokens a text takes."""
    return len(_PIECE.findall(text))


def fitted(parts: Iterable[str], budget: int = TOKENS) -> str:
    """The parts from the first on, redacted, as long as they fit; what is left out is said."""
    redactor, shown, room, left = Redactor(), [], budget - 30, 0
    for part in parts:
        cleaned = redactor.text(printable(part))
        cost = tokens(cleaned) + 2
        if cost > room:
            left += 1
            continue
        room -= cost
        shown.append(cleaned)
    if left:
        shown.append(f"({left} more parts left out)")
    return "\n".join(shown) + "\n"


def brief(diagnosis: Diagnosis) -> list[str]:
    """A diagnosis, already redacted because long lines are cut here, as the lines that a language model gets."""
    return renderer("llm")(diagnosis).rstrip("\n").split("\n")
