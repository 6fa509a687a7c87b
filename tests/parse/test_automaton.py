"""The automaton says of every line what Lark's own trees say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token, Tree
from lark.exceptions import LarkError, UnexpectedInput

from neurontriage import resources
from neurontriage.parse import terminals, trees
from neurontriage.parse.automaton import Automaton
from neurontriage.parse.extract import extracted
from neurontriage.parse.family import Grammar, read_families, read_payload, read_record
from neurontriage.parse.payload import LONGEST
from neurontriage.parse.starts import narrowed

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


@pytest.mark.parametrize("often", [0, 10_000], ids=["one pattern for a character", "each terminal for itself"])
def test_samples(grammar: Grammar, often: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminals, "_OFTEN", often)
    automaton = Automaton(grammar.table)
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
    narrow = narrowed(text, sample[0])
    found, expected = re.match(narrow, sample) if narrow else None, re.match(text, sample)
    assert (found and found.group()) == (expected and expected.group())


def test_a_grammar_with_deeper_trees_is_refused() -> None:
    with pytest.raises(ValueError, match="rules of its own"):
        extracted(Lark('start: a | b\na: "x" b\nb: "y"', parser="lalr", maybe_placeholders=False))


RECORD = read_record(resources.grammars())
LINES_OF_RECORDS = sorted(one.name for one in RECORD.parser.terminals) or sorted(
    {one.name for rule in RECORD.parser.rules for one in rule.expansion if one.is_term}
)


def shape(tree: Tree[Token] | trees.Tree) -> object:
    """A tree as nested tuples."""
    if isinstance(tree, trees.Tree):
        return tree.rule, [shape(one) if isinstance(one, trees.Tree) else one for one in tree.parts]
    return str(tree.data), [shape(one) if isinstance(one, Tree) else int(one) for one in tree.children]


@given(st.lists(st.sampled_from(LINES_OF_RECORDS), max_size=20))
def test_records_are_the_trees_of_lark(kinds: list[str]) -> None:
    """Whatever lines come: those that Lark accepts are accepted, and give its tree."""
    theirs, mine = RECORD.parser.parse_interactive(), trees.Growing(RECORD.moves.first)
    for number, kind in enumerate(kinds):
        taken = mine.accepts(kind)
        before = theirs.copy()
        try:
            theirs.feed_token(Token(kind, str(number)))
        except UnexpectedInput:
            assert not taken
            theirs = before  # a record passes by what it does not accept
        else:
            assert taken
            mine.take(kind, number)
    assert mine.accepts() == ("$END" in theirs.accepts())
    if mine.accepts():
        assert shape(mine.ended()) == shape(theirs.feed_token(Token("$END", "")))


@pytest.mark.parametrize("name", sorted(GRAMMARS))
def test_tables_are_the_same_on_every_run(name: str) -> None:
    text = GRAMMARS[name].text
    assert Grammar(text).table == Grammar(text).table


def test_words_of_other_terminals_in_either_case_are_refused() -> None:
    grammar = 'start: a\na: WORD | "if"i\nWORD: /[a-z]+/'
    with pytest.raises(ValueError, match="either case"):
        extracted(Lark(grammar, parser="lalr", maybe_placeholders=False))
