"""The automaton says of every line what Lark's own trees say of it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache
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
NAMES = sorted(one.stem for one in resources.grammars().glob("*.lark") if "//! " in one.read_text("utf-8"))
Part = tuple[str, list[tuple[str, int | None, int | None]]]


@cache
def grammars() -> dict[str, Grammar]:
    """Read when a test asks for them, so that `make mutate` sees which tests read them."""
    found = {family.name: family.grammar for family in read_families(resources.grammars())}
    return found | {"payload": read_payload(resources.grammars())[0]}


@cache
def record() -> Grammar:
    return read_record(resources.grammars())


@cache
def lines() -> list[str]:
    found = {
        line.strip()[:LONGEST]
        for path in sorted(SAMPLES.rglob("*.log"))
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
    }
    return sorted(found)


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


@pytest.fixture(params=NAMES)
def grammar(request: pytest.FixtureRequest) -> Grammar:
    return grammars()[request.param]


@pytest.mark.parametrize("often", [0, 10_000], ids=["one pattern for a character", "each terminal for itself"])
def test_samples(grammar: Grammar, often: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminals, "_OFTEN", often)
    automaton = Automaton(grammar.table)
    refused = 0
    for line in lines()[:: 1 if grammar is grammars()["payload"] else 3]:
        expected = by_tree(grammar.parser, line)
        assert by_automaton(automaton, line) == expected, line
        refused += expected is None
    assert refused < len(lines())


@given(st.lists(st.sampled_from([*"Ee01[]():'.=/- \t", "error: ", "fatal ", "E0601", "ZeroDivisionError", "x" * 9])))
def test_any_text(words: list[str]) -> None:
    text = "".join(words).strip()
    grammar = grammars()["payload"]
    assert by_automaton(grammar.automaton, text) == by_tree(grammar.parser, text)


@given(st.data())
def test_narrowed_patterns_match_the_same(data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(grammars()["payload"].parser.terminals))
    text = one.pattern.to_regexp()
    sample = data.draw(st.from_regex(text).map(lambda found: found.lstrip() or "x").filter(lambda s: s[0].isascii()))
    narrow = narrowed(text, sample[0])
    found, expected = re.match(narrow, sample) if narrow else None, re.match(text, sample)
    assert (found and found.group()) == (expected and expected.group())


def test_a_grammar_with_deeper_trees_is_refused() -> None:
    with pytest.raises(ValueError, match="rules of its own"):
        extracted(Lark('start: a | b\na: "x" b\nb: "y"', parser="lalr", maybe_placeholders=False))


@cache
def lines_of_records() -> list[str]:
    """The kinds of lines that records are made of."""
    return sorted({one.name for rule in record().parser.rules for one in rule.expansion if one.is_term})


def shape(tree: Tree[Token] | trees.Tree) -> object:
    """A tree as nested tuples."""
    if isinstance(tree, trees.Tree):
        return tree.rule, [shape(one) if isinstance(one, trees.Tree) else one for one in tree.parts]
    return str(tree.data), [shape(one) if isinstance(one, Tree) else int(one) for one in tree.children]


@given(st.lists(st.deferred(lambda: st.sampled_from(lines_of_records())), max_size=20))
def test_records_are_the_trees_of_lark(kinds: list[str]) -> None:
    """Whatever lines come: those that Lark accepts are accepted, and give its tree."""
    theirs, mine = record().parser.parse_interactive(), trees.Growing(record().moves.first)
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


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_the_same_on_every_run(name: str) -> None:
    text = grammars()[name].text
    assert Grammar(text).table == Grammar(text).table


def test_words_of_other_terminals_in_either_case_are_refused() -> None:
    grammar = 'start: a\na: WORD | "if"i\nWORD: /[a-z]+/'
    with pytest.raises(ValueError, match="either case"):
        extracted(Lark(grammar, parser="lalr", maybe_placeholders=False))


def test_every_grammar_is_read() -> None:
    assert sorted(grammars()) == NAMES


# Grammars that say what those of this program may say some day: several ignored terminals, brackets with bars and
# escaped signs in them, alternatives in groups, with and without case, that may be empty, and non-ASCII characters.
COMPOSED = {
    "ignored": ('start: a | b\na: "x" N\nb: "y" N N\nN: /\\d+/\n%ignore / +/\n%ignore /\\t+/\n%ignore /;/', "xy12 \t;"),
    "ignored and kept": ("start: a\na: N (M | N)*\nN: /\\d+/\nM: / {2}-/\n%ignore / +/", "12- "),
    "signs": ("start: a | b\na: P+\nb: Q P?\nP: /[|()]+|\\|\\(/\nQ: /x[^]|]\\]|\\[x/", "|()[]x"),
    "groups": ("start: (a | b)+\na: W\nb: V\nW: /(?:ab|ba|c)+d?/\nV: /(?:d|e(?:f|d))f/", "abcdef"),
    "cases": ("start: (a | b)+\na: W\nb: V\nW: /(?i:ab|cd)/\nV: /(?i:e|f)?x/", "aAbBcCdDeEx"),
    "classes": ('start: a | b\na: W "="\nb: W ":" N?\nW: /[\\]a-c[]+/\nN: /[^\\]a-c]+/', "abc[]=:1é"),
    "priorities": ("start: (a | b)+\na: A\nb: B\nA.2: /a+b?/\nB.-1: /[abé]/", "abé"),
    "renamed": ('start: a | b\na: W\nb: "ab" W\nW: /[a-c]+/\n%ignore " "', "abc "),
    "long": ('start: (a | b)+\na: "(" _a ")"\n_a: N | "(" _a ")"\nb: N\nN: /1+/', "(()))1"),
}


@pytest.mark.parametrize("often", [0, 10_000], ids=["one pattern for a character", "each terminal for itself"])
@pytest.mark.parametrize("name", COMPOSED)
def test_grammars_of_other_forms(name: str, often: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text, signs = COMPOSED[name]
    monkeypatch.setattr(terminals, "_OFTEN", often)
    parser = Grammar(text).parser
    automaton = Automaton(extracted(parser))
    whole = [*map("".join, itertools.chain.from_iterable(itertools.product(signs, repeat=n) for n in range(1, 5)))]
    taken = 0
    for one in (line for line in whole if line == line.strip()):
        expected = by_tree(parser, one)
        assert by_automaton(automaton, one) == expected, one
        taken += expected is not None
    assert taken
