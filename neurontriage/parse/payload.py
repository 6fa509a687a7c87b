"""What a line says: grammars/payload.lark applied to the payload of one line → its kind, typed words and fields.

The kinds are the grammar's heads (exception, coded, status, labelled, located, assertion, signal, statement, …); the
words are the names of its terminals (INABILITY, LIMIT, WRAP, …), which say what sort of statement it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lark import Lark, Token, Tree
from lark.exceptions import LarkError

from neurontriage.model import Said
from neurontriage.parse.family import Grammar

LONGEST = 600
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


NOTHING = Said()


class Payload:
    """Applies the payload grammar; what was parsed lately is remembered, because logs repeat themselves."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self.read = lru_cache(maxsize=4096)(self._read)

    def _read(self, text: str) -> Said:
        parser: Lark = self._grammar.parser
        try:
            tree = parser.parse(text[:LONGEST])
        except LarkError:  # the last terminal takes any character, so that no line is refused
            return NOTHING
        return _said(tree)


def _said(tree: Tree[Token]) -> Said:
    kind, level, size = "", "", 0
    words: set[str] = set()
    fields: dict[str, str] = {}
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
            name = _VALUES.get(token.type)
            if name:
                fields.setdefault(name, token.strip("[]'\"`"))
    return Said(kind, frozenset(words), size, level, fields)


def _level(text: str) -> str:
    """`ERROR:`, `[WARN ]`, `E0601`, `FATA` → the level's usual name."""
    found = _LETTER.search(text)
    return _LEVELS.get(found[0][0].upper(), "DEBUG") if found else "DEBUG"
