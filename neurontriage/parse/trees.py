"""Tokens given one by one → the tree of the rules that they are: for records, whose tokens are lines of a log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from neurontriage.parse.moves import END, Move, Node


class Tree(NamedTuple):
    """What a rule made of tokens, which are numbers, and of other trees; rules that start with `_` leave none."""

    rule: str
    parts: list[int | Tree]

    @property
    def tokens(self) -> list[int]:
        """The tokens right below the rule."""
        return [one for one in self.parts if isinstance(one, int)]

    @property
    def trees(self) -> list[Tree]:
        """The trees right below the rule."""
        return [one for one in self.parts if isinstance(one, Tree)]

    def found(self, rule: str) -> Iterator[Tree]:
        """All trees of a rule's name in this one, itself too."""
        if self.rule == rule:
            yield self
        for one in self.trees:
            yield from one.found(rule)


@dataclass(eq=False, repr=False)
class Growing:
    """A tree that is not whole yet: `node` is where the parser stands, `made` what it has so far."""

    node: Node
    made: list[int | Tree | list[int | Tree]] = field(default_factory=list)

    def accepts(self, token: str = END) -> bool:
        """Whether the grammar goes on with a token; without one, whether it may end."""
        return self.node[token] is not None

    def take(self, token: str, number: int) -> None:
        """Go on with a token that is accepted."""
        self._moved(token)
        self.made.append(number)

    def ended(self) -> Tree:
        """The whole tree, where the grammar may end."""
        self._moved(END)
        whole = self.made[0]
        assert isinstance(whole, Tree)
        return whole

    def _moved(self, token: str) -> None:
        move: Move | None = self.node[token]
        assert move is not None, token
        for rule in move.rules:
            start = len(self.made) - rule.size
            parts: list[int | Tree] = []
            for one in self.made[start:]:
                if isinstance(one, list):
                    parts = parts + one if parts else one
                else:
                    parts.append(one)
            self.made[start:] = [parts if rule.of.startswith("_") else Tree(rule.name, parts)]
        self.node = move.node
