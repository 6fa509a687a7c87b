"""What a line says: grammars/payload.lark applied to the payload of one line → its kind, typed words and fields.

The kinds are the grammar's heads (exception, coded, status, labelled, located, assertion, signal, statement, …); the
words are the names of its terminals (INABILITY, LIMIT, WRAP, …), which say what sort of statement it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lark import Token, Tree
from lark.exceptions import LarkError

from neurontriage.model import Said
from neurontriage.parse.family import Grammar

LONGEST = 400
_VALUES = {
    "BRACKETED": "code",
    "CODE": "code",
    "NRT": "status",
    "STATUS": "status",
    "ERRNO": "errno",
    "REASON": "reason",
    "SIGNAL": "signal",
    "SIGNALLED": "signal",
    "SIZE": "size",
    "PATH": "path",
    "URL": "url",
    "QUOTED": "quoted",
    "SYMBOL": "symbol",
    "EXCEPTION": "exception",
    "PLACE": "place",
    "SHAPE": "shape",
}
_LETTER = re.compile(r"[A-Za-z]")
_LEVELS = {"E": "ERROR", "F": "FATAL", "C": "FATAL", "W": "WARNING", "I": "INFO", "U": "INFO", "N": "INFO"}
_PLAIN = frozenset({"WORD", "COPULA", "OTHER", "NUMBER", "COLON"})
# Digits are folded one by one, so that every token stays where it is; a zero that stands alone means "none".
_DIGITS = str.maketrans("123456789", "777777777")


NOTHING = Said()
Spans = tuple[tuple[str, int, int], ...]


class Payload:
    """Applies the payload grammar; what was parsed lately is remembered, because logs repeat themselves."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._kept = lru_cache(maxsize=8192)(self._read)

    def read(self, text: str) -> Said:
        """What a payload says. Lines that differ in digits only say the same, but for the values of their fields."""
        text = text[:LONGEST]
        said, spans = self._kept(text.translate(_DIGITS).replace("70", "77").replace("07", "77"))
        if not spans:
            return said
        fields = {name: text[start:end].strip("[]'\"`") for name, start, end in spans}
        return Said(said.kind, said.words, said.size, said.level, fields)

    def _read(self, text: str) -> tuple[Said, Spans]:
        try:
            return _said(self._grammar.parser.parse(text))
        except LarkError:  # the last terminal takes any character, so that no line is refused
            return NOTHING, ()


def _said(tree: Tree[Token]) -> tuple[Said, Spans]:
    kind, level, size = "", "", 0
    words: set[str] = set()
    spans: dict[str, tuple[int, int]] = {}
    for part in tree.children:
        tokens = [part] if isinstance(part, Token) else list(part.scan_values(lambda value: isinstance(value, Token)))
        head = isinstance(part, Tree) and part.data == "header"
        if isinstance(part, Tree) and not head:
            kind, size = str(part.data), len(tokens)
        for token in tokens:
            if token.type == "LEVEL" and head:
                level = _level(token)
            elif token.type not in _PLAIN and not head:
                words.add(token.type)
            if token.type in _VALUES and token.start_pos is not None and token.end_pos is not None:
                spans.setdefault(_VALUES[token.type], (token.start_pos, token.end_pos))
    return Said(kind, frozenset(words), size, level), tuple((name, *span) for name, span in spans.items())


def _level(text: str) -> str:
    """`ERROR:`, `[WARN ]`, `E0601`, `FATA` → the level's usual name."""
    found = _LETTER.search(text)
    return _LEVELS.get(found[0][0].upper(), "DEBUG") if found else "DEBUG"
