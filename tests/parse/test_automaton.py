"""The automaton says of every line what Lark's own trees say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token, Tree
from lark.exceptions import LarkError

from neurontriage import resources
from neurontriage.parse import terminals
from neurontriage.parse.automaton import Automaton
from neurontriage.parse.family import Grammar, read_families, read_payload
from neurontriage.parse.payload import LONGEST

SAMPLES = Path(__file__).parent.parent.parent / "samples"
GRAMMARS = {"payload": read_payload(resources.grammars())[0]} | {
    family.name: family.grammar for family in read_families(resources.grammars())
}
Part = tuple[str, list[tuple[str, int | None, int | None]]]


def lines() -> list[str]:
    found = {
        line.strip()[:LONGEST]
        for path in sorted(SAMPLES.rglob("*.log"))
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
    }
    return sorted(found)


LINES = lines()


def by_tree(parser: Lark, text: str) -> list[Part] | None:
    try:
        tree = parser.parse(text)
    except LarkError:
        return None
    return [_part(one) for one in tree.children]


def _part(one: Token | Tree[Token]) -> Part:
    assert isinstance(one, Tree)
    tokens = one.scan_values(lambda value: isinstance(value, Token))
    return str(one.data), [(token.type, token.start_pos, token.end_pos) for token in tokens]


def by_automaton(automaton: Automaton, text: str) -> list[Part] | None:
    found = automaton.parse(text)
    return None if found is None else list(_parts(found.tokens, found.parts))


def _parts(tokens: list[tuple[str, int, int]], parts: list[tuple[str, int]]) -> Iterator[Part]:
    done = 0
    for rule, upto in parts:
        yield rule, list(tokens[done:upto])
        done = upto


@pytest.fixture(params=sorted(GRAMMARS))
def grammar(request: pytest.FixtureRequest) -> Grammar:
    return GRAMMARS[request.param]


@pytest.mark.parametrize("often", [0, 10_000], ids=["a pattern for each character", "Lark's patterns"])
def test_samples(grammar: Grammar, often: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminals, "_OFTEN", often)
    automaton = Automaton(grammar.parser)
    refused = 0
    for line in LINES[:: 1 if grammar is GRAMMARS["payload"] else 3]:
        expected = by_tree(grammar.parser, line)
        assert by_automaton(automaton, line) == expected, line
        refused += expected is None
    assert refused < len(LINES)


@given(st.lists(st.sampled_from([*"Ee01[]():'.=/- \t", "error: ", "fatal ", "E0601", "ZeroDivisionError", "x" * 9])))
def test_any_text(words: list[str]) -> None:
    text = "".join(words).strip()
    grammar = GRAMMARS["payload"]
    assert by_automaton(grammar.automaton, text) == by_tree(grammar.parser, text)


@given(st.data())
def test_narrowed_patterns_match_the_same(data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(GRAMMARS["payload"].parser.terminals))
    text = one.pattern.to_regexp()
    sample = data.draw(st.from_regex(text).map(lambda found: found.lstrip() or "x").filter(lambda s: s[0].isascii()))
    narrow = terminals.narrowed(text, sample[0])
    found, expected = re.match(narrow, sample) if narrow else None, re.match(text, sample)
    assert (found and found.group()) == (expected and expected.group())


def test_a_grammar_with_deeper_trees_is_refused() -> None:
    with pytest.raises(ValueError, match="rules of its own"):
        Automaton(Lark('start: a | b\na: "x" b\nb: "y"', parser="lalr", maybe_placeholders=False))
