"""Hostile text made safe to print."""

from __future__ import annotations

import re

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c\u2028\u2029\ufeff]")


def printable(text: str) -> str:
    """Text without control characters, escape sequences and direction marks; tabs become blanks."""
    return CONTROL.sub("�", text.replace("\t", "    ").replace("\r", ""))
