"""How an LALR parser moves, with every step remembered: a stack of its states and a token → the next stack.

Each stack that occurs becomes a node whose moves are learnt from the table when they are first needed; from then on a
token costs one look-up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Table = dict[str, Any]
"""A grammar as plain data, see extract.py.

`states`: for each the actions by name, a state to go to, or ~n to reduce by rule n; `end`: the accepting one.
`rules`: (what it makes, the name of that, number of parts); `below`: those that `start` is made of. `lexers`: for each
state the number of one of `places`, which are (names of terminals in the order in which they are tried, other names by
terminal and text). `patterns`: for each terminal its expression and the ASCII characters it may start with, None for
any. `ignored`, `dropped`: terminals that are skipped, or leave no token; `blank`: what may be skipped behind each.
"""
END = "$END"
_MOST_NODES = 4000


class Rule(NamedTuple):
    """A rule. `of`: what it is an alternative of; `name`: of what it makes; `size`: of how many parts."""

    of: str
    name: str
    size: int


class Move(NamedTuple):
    """To the next node; `rules` end before the token, `ended` are the names of those right below `start`."""

    node: Node
    rules: tuple[Rule, ...]
    ended: tuple[str, ...]


class Node(dict[str, "Move | None"]):
    """A stack of parser states: token → move, None where the grammar refuses it."""

    __slots__ = ("_moves", "stack")

    def __init__(self, stack: tuple[int, ...], moves: Moves) -> None:
        super().__init__()
        self.stack, self._moves = stack, moves

    def __missing__(self, name: str) -> Move | None:
        move = self[name] = self._moves.learnt(self.stack, name)
        return move


class Moves:
    """The moves of one grammar. `first`: where every text begins."""

    def __init__(self, table: Table) -> None:
        self._states: list[dict[str, int]] = table["states"]
        self._end, self._below = table["end"], frozenset(table["below"])
        self._rules = [Rule(*rule) for rule in table["rules"]]
        self._nodes: dict[tuple[int, ...], Node] = {}
        self.first = Node((0,), self)

    def _node(self, stack: tuple[int, ...]) -> Node:
        """The node of a stack. Stacks that grow with the text are forgotten when there are too many."""
        node = self._nodes.get(stack)
        if node is None:
            if len(self._nodes) >= _MOST_NODES:
                self._nodes.clear()
            node = self._nodes[stack] = Node(stack, self)
        return node

    def learnt(self, before: tuple[int, ...], name: str) -> Move | None:
        """The move of a stack with a token, as an LALR parser makes it: reductions, then the shift."""
        stack, rules = list(before), list[Rule]()
        while (action := self._states[stack[-1]].get(name)) is not None:
            if action >= 0:
                return self._move((*stack, action), rules)
            rule = self._rules[~action]
            rules.append(rule)
            del stack[len(stack) - rule.size :]
            stack.append(self._states[stack[-1]][rule.of])
            if name == END and stack[-1] == self._end:
                return self._move(tuple(stack), rules)
        return None

    def _move(self, stack: tuple[int, ...], rules: list[Rule]) -> Move:
        ended = tuple(rule.name for rule in rules if rule.of in self._below)
        return Move(self._node(stack), tuple(rules), ended)
