"""Runs a Lark grammar without Lark: its LALR table and terminals, and no trees.

Lark builds a token, a tree and a parser state for every word of a line.  What is asked of a line is less: which rule it
is, and which terminals stand where.
"""

from __future__ import annotations

from typing import NamedTuple

from neurontriage.parse.moves import END, Moves, Table
from neurontriage.parse.terminals import Patterns, Terminals


class Parse(NamedTuple):
    """What a text is. `tokens`: (terminal, start, end) of each that the grammar keeps, in the order of the text.

    `parts`: (rule, number of tokens up to its end) of each rule right below `start`, one after the other.
    """

    tokens: list[tuple[str, int, int]]
    parts: list[tuple[str, int]]


class Automaton:
    """The recogniser of one grammar, whose `start` is a choice or a sequence of other rules."""

    def __init__(self, table: Table) -> None:
        self._moves = Moves(table)
        self._ignored, self._dropped = frozenset(table["ignored"]), frozenset(table["dropped"])
        patterns = Patterns(table)
        places = [Terminals(place, patterns) for place in table["places"]]
        self._terminals = [places[number] for number in table["lexers"]]

    def parse(self, text: str) -> Parse | None:
        """What the text is, None where the grammar refuses it."""
        node, terminals = self._moves.first, self._terminals
        tokens: list[tuple[str, int, int]] = []
        parts: list[tuple[str, int]] = []
        position, end, dropped, ignored = 0, len(text), self._dropped, self._ignored
        while position < end:
            here = terminals[node.stack[-1]]
            found = here[text[position]].match(text, position)
            if found is None:
                return None
            start, position, name = position, found.end(), found.lastgroup or ""
            if name in ignored:
                continue
            stop = found.end(name)
            if name in here.unless:
                name = here.unless[name].get(text[start:stop], name)
            move = node[name]
            if move is None:
                return None
            node = move.node
            for rule in move.ended:
                parts.append((rule, len(tokens)))
            if name not in dropped:
                tokens.append((name, start, stop))
        last = node[END]
        return None if last is None else Parse(tokens, parts + [(rule, len(tokens)) for rule in last.ended])
