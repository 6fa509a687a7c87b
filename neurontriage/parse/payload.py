"""What a line says: grammars/payload.lark applied to the payload of one line → its kind, typed words and fields.

The kinds are the grammar's heads (exception, coded, status, labelled, located, assertion, signal, statement, …); the
words are the names of its terminals (INABILITY, LIMIT, WRAP, …), which say what sort of statement it is.
"""

from __future__ import annotations

from functools import lru_cache

from neurontriage.expressions import expression
from neurontriage.lines.digits import form, unfolded
from neurontriage.lines.levels import name
from neurontriage.lines.remembered import keeps
from neurontriage.model import Said
from neurontriage.parse.automaton import Parse
from neurontriage.parse.family import Grammar, Spans

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
    "NAMED": "exception",
    "PLACE": "place",
    "SOURCE": "place",
    "SHAPE": "shape",
}
_LETTER = expression(r"[A-Za-z]")
_PLAIN = frozenset({"WORD", "COPULA", "OTHER", "NUMBER", "COLON"})
NOTHING = Said()


class Payload:
    """Applies the payload grammar; what was parsed lately is remembered, because logs repeat themselves."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._kept = lru_cache(maxsize=2048)(self._of_bytes)
        keeps(self)

    def forget(self) -> None:
        """Let go of what was parsed lately."""
        self._kept.cache_clear()

    def read(self, text: str) -> Said:
        """What a payload says. Lines that differ in digits only say the same, but for the values of their fields."""
        return valued(*self.parsed(text), text)

    def parsed(self, text: str) -> tuple[Said, Spans]:
        """The same without the values of its fields, and where these stand."""
        return self._kept(form(text[:LONGEST]))

    def _of_bytes(self, form: bytes) -> tuple[Said, Spans]:
        return self._read(unfolded(form))

    def _read(self, text: str) -> tuple[Said, Spans]:
        found = self._grammar.automaton.parse(text)  # the last terminal takes any character: most lines parse
        return (NOTHING, ()) if found is None else _said(text, found)


def valued(said: Said, spans: Spans, text: str) -> Said:
    """What was said, with the values of its fields."""
    if not spans:
        return said
    fields = {key: text[start:end].strip("[]'\"`: ").rstrip(".,") for key, start, end in spans}
    return Said(said.kind, said.words, said.size, said.level, fields)


def _said(text: str, found: Parse) -> tuple[Said, Spans]:
    kind, level, size, done = "", "", 0, 0
    words: set[str] = set()
    spans: dict[str, tuple[int, int]] = {}
    for rule, upto in found.parts:
        head = rule == "header"
        if not head:
            kind, size = rule, upto - done
        for token, start, end in found.tokens[done:upto]:
            if head and token == "LEVEL":
                level = _level(text[start:end])
            elif not head and token not in _PLAIN:
                words.add("EXCEPTION" if token == "NAMED" else token)
            if token in _VALUES:
                spans.setdefault(_VALUES[token], (start, end))
        done = upto
    return Said(kind, frozenset(words), size, level), tuple((name, *span) for name, span in spans.items())


def _level(text: str) -> str:
    """`ERROR:`, `[WARN ]`, `E0601`, `FATA` → the level's usual name."""
    found = _LETTER.search(text)
    return name(found[0]) if found else "DEBUG"
