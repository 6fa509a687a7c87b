"""The scanner without Hyperscan and RE2 finds the same lines by the same patterns."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.scan import Pattern, Stepwise
from neurontriage.lines.words import Words, _one_blank, as_re

SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.log"))


@pytest.fixture(scope="module")
def engines(catalog: Catalog) -> tuple[Words, Stepwise]:
    return Words(catalog.patterns), Stepwise(catalog.patterns)


def lines_of(hits: list[tuple[int, int]], block: bytes) -> set[tuple[int, int]]:
    """(line, pattern number): where in a line a match ends is a matter of the engine."""
    return {(block.count(b"\n", 0, max(end - 1, 0)), number) for end, number in hits}


def test_all_samples_have_the_same_hits(engines: tuple[Words, Stepwise]) -> None:
    block = b"\n".join(path.read_bytes().replace(b"\r", b"\n") for path in SAMPLES)
    found, expected = (lines_of(engine.scan(block), block) for engine in engines)
    assert len(expected) > 3000
    assert found == expected


WORDS = ["alpha", "ALPHA", "beta", "v1", "v12x", "7", "404", "x", "delta=1", " ", "  ", "e5f", "\n", "é"]
PATTERNS = [
    Pattern("alpha beta"),
    Pattern(r"(?i)alpha\s+beta"),
    Pattern(r"delta=(?P<n>\d)"),
    Pattern("gamma$"),
    Pattern(r"v1\d2x"),
    Pattern(r"404|v\d+x"),
    Pattern(r"beta.*(?:alpha|e\df)7"),
    Pattern(r"(?:x|12)x"),
    Pattern(r"é.?4"),
]


@given(st.lists(st.sampled_from([*WORDS, *"0123456789"]), max_size=60))
@settings(max_examples=300, deadline=None)
def test_numbers_beside_literals_change_nothing(words: list[str]) -> None:
    """A literal is looked for in lines whose numbers are masked: none may be missed for that."""
    block = "".join(words).encode()
    assert lines_of(Words(PATTERNS).scan(block), block) == lines_of(Stepwise(PATTERNS).scan(block), block)


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=20), max_size=4))
def test_what_is_remembered_of_earlier_blocks_changes_nothing(blocks: list[list[str]]) -> None:
    engine = Words(PATTERNS)
    for block in ("".join(words).encode() for words in blocks):
        assert engine.scan(block) == Words(PATTERNS).scan(block)


@pytest.mark.parametrize(
    ("given_", "expected"), [("(?m)(?U)a.*b", "(?m)a.*b"), ("(?i)x", "(?i)x"), ("(?U)x", "x"), ("x", "x")]
)
def test_flags_of_re2_are_rewritten(given_: str, expected: str) -> None:
    assert as_re(given_) == expected


@given(st.text(" \n\tab", max_size=6), st.text(" \n\tab", max_size=3), st.text(" \n\tab", max_size=3))
def test_a_literal_stands_in_the_text_between_blanks_that_all_are_sought_in(one: str, above: str, below: str) -> None:
    """So nothing is passed over because a text is remembered without what is blank around it."""
    assert _one_blank(one) in f" {(above + one + below).strip()} "
