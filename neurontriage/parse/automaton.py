"""Runs a Lark grammar without building trees: its own LALR table and terminals, with every step remembered.

Lark builds a token, a tree and a parser state for every word of a line.  What is asked of a line is less: which rule it
is, and which terminals stand where.  So each stack of parser states that occurs becomes a node, whose moves are learnt
from Lark's table when they are first needed; from then on a word costs one match and one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from lark import Lark, Token
from lark.parsers.lalr_analysis import Shift

from neurontriage.parse.terminals import Terminals, blank

_END = "$END"
_MOST_NODES = 4000


class Parse(NamedTuple):
    """What a text is. `tokens`: (terminal, start, end) of each that the grammar keeps, in the order of the text.

    `parts`: (rule, number of tokens up to its end) of each rule right below `start`, one after the other.
    """

    tokens: list[tuple[str, int, int]]
    parts: list[tuple[str, int]]


class _Node:
    """A stack of parser states. `moves`: terminal → (next node, rules below `start` that end before the terminal)."""

    __slots__ = ("moves", "stack", "terminals")

    def __init__(self, stack: tuple[int, ...], terminals: Terminals) -> None:
        self.stack = stack
        self.terminals = terminals
        self.moves: dict[str, tuple[_Node, tuple[str, ...]] | None] = {}


class Automaton:
    """The recogniser of one grammar, whose `start` is a choice or a sequence of other rules.

    Raises ValueError for a grammar whose trees would say more: where one of these rules occurs deeper too, or where a
    terminal is kept by one rule and left out by another.
    """

    def __init__(self, parser: Lark) -> None:
        inside: Any = parser.parser
        table = inside.parser._parse_table
        self._states: Mapping[int, Mapping[str, tuple[Any, Any]]] = table.states
        self._first, self._last = table.start_states["start"], table.end_states["start"]
        self._below, self._ignored = _below_start(parser.rules), frozenset(inside.lexer_conf.ignore)
        self._dropped = _dropped(parser.rules)
        self._lexers: Mapping[int, Any] = inside.lexer.lexers
        texts = {one.name: one.pattern.to_regexp() for one in inside.lexer_conf.terminals}
        others = [text for name, text in texts.items() if name not in self._ignored]
        self._blank = blank([texts[name] for name in sorted(self._ignored)], others)
        self._terminals: dict[int, Terminals] = {}
        self._nodes: dict[tuple[int, ...], _Node] = {}

    def parse(self, text: str) -> Parse | None:
        """What the text is, None where the grammar refuses it."""
        node = self._node((self._first,))
        tokens: list[tuple[str, int, int]] = []
        parts: list[tuple[str, int]] = []
        position, end, dropped, ignored = 0, len(text), self._dropped, self._ignored
        while position < end:
            found = node.terminals[text[position]].match(text, position)
            if found is None:
                return None
            start, position, name = position, found.end(), found.lastgroup or ""
            if name in ignored:
                continue
            stop = found.end(name)
            if name in node.terminals.unless:
                name = str(node.terminals.unless[name](Token(name, text[start:stop])).type)
            move = node.moves.get(name) or self._learnt(node, name)
            if move is None:
                return None
            node, ended = move
            for rule in ended:
                parts.append((rule, len(tokens)))
            if name not in dropped:
                tokens.append((name, start, stop))
        move = node.moves.get(_END) or self._learnt(node, _END)
        if move is None:
            return None
        return Parse(tokens, parts + [(rule, len(tokens)) for rule in move[1]])

    def _node(self, stack: tuple[int, ...]) -> _Node:
        """The node of a stack. Stacks that grow with the text are forgotten when there are too many."""
        node = self._nodes.get(stack)
        if node is None:
            if len(self._nodes) >= _MOST_NODES:
                self._nodes.clear()
            lexer = self._lexers[stack[-1]]
            if id(lexer) not in self._terminals:
                self._terminals[id(lexer)] = Terminals(lexer, self._blank)
            node = self._nodes[stack] = _Node(stack, self._terminals[id(lexer)])
        return node

    def _learnt(self, node: _Node, name: str) -> tuple[_Node, tuple[str, ...]] | None:
        """The move of a node with a terminal, as Lark's parser makes it: reductions, then the shift."""
        if name in node.moves:
            return node.moves[name]
        stack = list(node.stack)
        ended: list[str] = []
        move: tuple[_Node, tuple[str, ...]] | None = None
        while name in (actions := self._states[stack[-1]]):
            action, argument = actions[name]
            if action is Shift:
                move = self._node((*stack, argument)), tuple(ended)
                break
            del stack[len(stack) - len(argument.expansion) :]
            rule = argument.origin.name
            if rule in self._below:
                ended.append(argument.alias or rule)
            stack.append(self._states[stack[-1]][rule][1])
            if name == _END and stack[-1] == self._last:
                move = node, tuple(ended)
                break
        node.moves[name] = move
        return move


def _below_start(rules: Iterable[Any]) -> frozenset[str]:
    """The rules that `start` is made of."""
    tops = [rule for rule in rules if rule.origin.name == "start" or rule.origin.name.startswith("__start_")]
    below = {one.name for rule in tops for one in rule.expansion if not one.is_term} - {r.origin.name for r in tops}
    deeper = {one.name for rule in rules if rule not in tops for one in rule.expansion}
    loose = {one.name for rule in tops for one in rule.expansion if one.is_term}
    plain = {rule.origin.name for rule in rules if rule.options.expand1 or rule.origin.name.startswith("_")}
    if wrong := (below & (deeper | plain)) | loose:
        raise ValueError(f"start is to be made of rules of its own that keep their names: {sorted(wrong)}")
    return frozenset(below)


def _dropped(rules: Iterable[Any]) -> frozenset[str]:
    """The terminals that leave no token: anonymous ones, and those whose name starts with an underscore."""
    terminals = {(one.name, one.filter_out) for rule in rules for one in rule.expansion if one.is_term}
    dropped = {name for name, left_out in terminals if left_out}
    if both := dropped & {name for name, left_out in terminals if not left_out}:
        raise ValueError(f"kept in one rule and left out in another: {sorted(both)}")
    return frozenset(dropped)
