"""Secrets of several lines: bodies of private keys, block values of YAML, values on the line after their name."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
_END = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY|Private-MAC:")
_BODY = re.compile(r"(?:^|[\s:|\"'>])(?P<body>[A-Za-z0-9+/=]{4,})\\?[\"']?,?\s*$")
_HEADER = re.compile(
    r"^\S*\s*(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Public-Lines|Private-Lines|Hash)\b|^\s*$"
)
_NAMED = re.compile(
    r"(?i)^(?P<indent>\s*)(?:- )?[\"']?[\w.-]*(?:password|passwd|passphrase|secret|token|api_?key|private_?key|"
    r"credentials?)[\"']?\s?[:=]\s*(?P<how>[|>][+-]?\d?|\\)?\s*$|(?<![\w-])--[\w-]*(?:password|token|secret|key)\s*\\$"
)


def fragments(text: str) -> Iterator[str]:
    """The pieces of secrets that stand on lines of their own, in order."""
    inside, named = False, ""
    for line in text.split("\n"):
        if _BEGIN.search(line):
            inside = True
        elif _END.search(line):
            inside = False
        elif inside:
            body = _BODY.search(line)
            inside = bool(body or _HEADER.match(line))
            if body:
                yield body["body"]
        elif named:
            if value := _value(line, named):
                yield value
            named = named if value and named.endswith(("|", ">")) else ""
        elif found := _NAMED.search(line):
            named = (found["indent"] or "") + " " + (found["how"] or "\\")[0]


def _value(line: str, named: str) -> str:
    """The value on a line that belongs to the name before it: deeper than it, one word, not a name itself."""
    bare = line.strip(" \t\r\\\"',")
    deeper = len(line) - len(line.lstrip()) >= len(named) - 1
    return bare if deeper and len(bare) >= 6 and not re.search(r"\s|:$|^-", bare) else ""
