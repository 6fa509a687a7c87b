"""The scanner for where neither Hyperscan nor RE2 can be installed, such as WebAssembly: looks for literals first.

Of every pattern some literals are known of which each match holds one. Only in lines with one of them is the pattern
itself tried, with `re`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol

from neurontriage.lines.patterns import FLAGS, sre

PIECE = 256 << 10
_AGAIN = 1 << 10
_LEADING_FLAGS = re.compile(r"(?:\(\?[a-zA-Z]+\))+")

Hit = tuple[int, int]


class Text(Protocol):
    """Anything with the text of a pattern."""

    @property
    def text(self) -> str: ...


def as_re(text: str) -> str:
    """A pattern of RE2 as `re` takes it: one group of flags, without RE2's own."""
    found = _LEADING_FLAGS.match(text)
    if not found:
        return text
    flags = "".join(sorted(set(found.group()) & set("ims")))
    return (f"(?{flags})" if flags else "") + text[found.end() :]


class Words:
    """As every engine: for each pattern the first end in each line, in long lines more."""

    def __init__(self, patterns: Sequence[Text]) -> None:
        self._texts = [pattern.text for pattern in patterns]
        self._found: dict[int, re.Pattern[bytes]] = {}
        self._exact: dict[bytes, list[tuple[int, bytes]]] = {}
        self._folded: dict[bytes, list[tuple[int, bytes]]] = {}
        for number, text in enumerate(self._texts):
            kept = self._folded if "(?i" in text else self._exact
            for needle in needles(text):
                literal = needle.lower().encode() if kept is self._folded else needle.encode()
                kept.setdefault(max(literal.split() or [b""], key=len), []).append((number, literal))

    def scan(self, block: bytes) -> list[tuple[int, int]]:
        """All (end offset, pattern number), sorted."""
        hits: list[Hit] = []
        start = 0
        while start < len(block):
            feed = block.rfind(b"\n", start, start + PIECE)
            end = (
                len(block) if len(block) - start <= PIECE else (feed + 1 or block.find(b"\n", start) + 1 or len(block))
            )
            end = end if end > start else block.find(b"\n", start) + 1 or len(block)
            hits += self._piece(block[start:end], start)
            start = end
        return sorted(hits)

    def _piece(self, piece: bytes, offset: int) -> Iterator[Hit]:
        """Distinct words of a piece are few: a literal whose longest word is in none of them is nowhere in it."""
        words = b"\n".join(set(piece.split()))
        folded = words.lower() if self._folded else b""
        lower = piece.lower() if self._folded else b""
        lines: dict[int, set[int]] = {}
        for known, text, where in ((self._exact, piece, words), (self._folded, lower, folded)):
            for word, owners in known.items():
                if word in where:
                    for number, literal in owners:
                        lines.setdefault(number, set()).update(_starts(literal, text))
        for number, starts in lines.items():
            for start in starts:
                yield from self._ends(number, piece, start, offset)

    def _ends(self, number: int, piece: bytes, start: int, offset: int) -> Iterator[Hit]:
        end = piece.find(b"\n", start)
        passed = -1
        for found in self._compiled(number).finditer(piece, start, len(piece) if end < 0 else end):
            if found.end() > passed:
                passed = found.end() + _AGAIN
                yield offset + found.end(), number

    def _compiled(self, number: int) -> re.Pattern[bytes]:
        return self._found.get(number) or self._found.setdefault(
            number, re.compile(as_re(f"(?m){self._texts[number]}").encode())
        )


class Sought:
    """A pattern that is looked for, in linear time, only in texts with a literal of which every match holds one."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _needles(self) -> tuple[str, ...]:
        return needles(self._text)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        from neurontriage.lines.linear import compiled  # which takes its words from here

        return compiled(self._text)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match, None without one."""
        for needle in self._needles:
            if needle in text:
                return self._compiled.search(text)
        return None


def _starts(literal: bytes, text: bytes) -> Iterator[int]:
    """Where the lines start that hold a literal."""
    at = text.find(literal)
    while at >= 0:
        yield text.rfind(b"\n", 0, at) + 1
        end = text.find(b"\n", at)
        at = text.find(literal, end) if end >= 0 else -1


def needles(text: str) -> tuple[str, ...]:
    """Literals of which every match holds one; ("",) where nothing is known."""
    return _needles(sre.parse(as_re(text), FLAGS)) or ("",)


def _needles(tree: Any) -> tuple[str, ...]:
    """The best choice in a sequence: the one whose shortest literal is longest."""
    choices: list[tuple[str, ...]] = []
    run = ""
    for op, argument in [*tree, ("END", None)]:
        name = str(op)
        if name == "LITERAL":
            run += chr(argument)
            continue
        choices += [(run,)] if run else []
        run = ""
        if name == "SUBPATTERN":
            choices.append(_needles(argument[-1]))
        elif name in ("MAX_REPEAT", "MIN_REPEAT") and argument[0] > 0:
            choices.append(_needles(argument[2]))
        elif name == "BRANCH":
            branches = [_needles(branch) for branch in argument[1]]
            choices.append(tuple(dict.fromkeys(one for found in branches for one in found)) if all(branches) else ())
    return max(choices, key=lambda found: min(map(len, found), default=0), default=())
