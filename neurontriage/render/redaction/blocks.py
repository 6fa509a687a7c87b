"""Secrets of several lines: bodies of private keys, block values of YAML, values on the line after their name."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator

APART = "\0"
"""A line that ends every block: what follows does not belong to what stands before."""
_LONGEST = 300  # lines of a key
_WORD = re.compile(r"[A-Z]?[a-z]{1,15}")
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
_END = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY|Private-MAC:")
_BODY = re.compile(r"(?:^|[\s:|\"'>])(?P<body>[A-Za-z0-9+/=]{4,})\\?[\"']?,?\s*$")
_HEADER = re.compile(
    r"^\S*\s*(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Public-Lines|Private-Lines|Hash)\b|^\s*$"
)
_NAMED = re.compile(
    r"(?i)^(?P<indent>\s*)(?:- )?[\"']?[\w.-]*(?:password|passwd|passphrase|secret|token|api_?key|private_?key|"
    r"credentials?)[\"']?\s?[:=]\s*(?P<how>[|>][+-]?\d?|\\)?$|(?<![\w-])--[\w-]*(?:password|token|secret|key)\s*\\$"
)


_ENDS = re.compile(r"[:=\\|>+-]\d?\s*\Z")  # what a name ends in whose value stands on the next line


def fragments(*texts: str) -> Iterator[str]:
    """The pieces of secrets that stand on lines of their own in texts that follow one another, in order."""
    if any(_BEGIN.search(text) or _END.search(text) for text in texts):
        yield from _bodies(_lines(texts))
    named = ""
    for line in _lines(texts):
        if line == APART:
            named = ""
        elif named:
            if value := _under(line, named):
                yield value
            named = named if value and named.endswith(("|", ">")) else ""
        elif _ENDS.search(line) and (found := _NAMED.search(line.rstrip())):
            named = (found["indent"] or "") + " " + (found["how"] or "\\")[0]


def _lines(texts: Iterable[str]) -> Iterator[str]:
    return (line for text in texts for line in text.split("\n"))


def _bodies(lines: Iterable[str]) -> Iterator[str]:
    """Lines of private keys: those after a beginning, and those before an end whose beginning is not shown."""
    inside, before = False, deque[str](maxlen=_LONGEST)
    for line in lines:
        body = _body(line)
        if _BEGIN.search(line):
            inside = True
            before.clear()
        elif _END.search(line):
            yield from before
            inside = False
            before.clear()
        elif inside:
            inside = bool(body or (_HEADER.match(line) and line != APART))
            yield from [body] if body else ()
        elif body:
            before.append(body)
        else:
            before.clear()


def _body(line: str) -> str:
    found = _BODY.search(line)
    return "" if found is None or _WORD.fullmatch(found["body"]) else found["body"]


def _under(line: str, named: str) -> str:
    """The value on a line that belongs to the name before it: deeper than it, one word, not a name itself."""
    bare = line.strip(" \t\r\\\"',")
    deeper = len(line) - len(line.lstrip()) >= len(named) - 1
    return bare if deeper and len(bare) >= 6 and not re.search(r"\s|:$|^-", bare) else ""
