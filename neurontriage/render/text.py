"""Hostile text made safe to print."""

from __future__ import annotations

import re
from functools import cache


@cache
def control() -> re.Pattern[str]:
    """Controls, soft hyphens, direction marks, line separators, invisible operators, halves of characters, tags."""
    return re.compile(
        r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
        r"\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
    )


def printable(text: str) -> str:
    """Text without control characters, escape sequences and direction marks; tabs become blanks."""
    if text.isprintable():  # most are, and the expression takes 4 ms to be compiled
        return text
    plain = text.replace("\t", "    ").replace("\r", "")
    return plain if plain.replace("\n", "").isprintable() else control().sub("�", plain)
