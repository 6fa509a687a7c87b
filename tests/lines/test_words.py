"""The scanner without Hyperscan and RE2 finds the same lines by the same patterns."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines import words
from neurontriage.lines.scan import Pattern, Stepwise
from neurontriage.lines.words import Words, as_re

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


@given(
    st.lists(st.sampled_from(["alpha beta", "ALPHA  beta", "beta", "x", "alphabeta gamma", "delta=1", ""]), max_size=30)
)
@settings(max_examples=60)
def test_small_pieces_change_nothing(lines: list[str]) -> None:
    patterns = [Pattern("alpha beta"), Pattern(r"(?i)alpha\s+beta"), Pattern(r"delta=(?P<n>\d)"), Pattern("gamma$")]
    block = "\n".join(lines).encode()
    whole = Words(patterns).scan(block)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "PIECE", 16)
        assert Words(patterns).scan(block) == whole
    assert lines_of(whole, block) == lines_of(Stepwise(patterns).scan(block), block)


@pytest.mark.parametrize(
    ("given_", "expected"), [("(?m)(?U)a.*b", "(?m)a.*b"), ("(?i)x", "(?i)x"), ("(?U)x", "x"), ("x", "x")]
)
def test_flags_of_re2_are_rewritten(given_: str, expected: str) -> None:
    assert as_re(given_) == expected
