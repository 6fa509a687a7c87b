"""What is remembered of lines that differ in digits: only what no pattern that is asked of them tells apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.claims import harmless, kinds
from neurontriage.facts import prompts
from neurontriage.lines import prefix
from neurontriage.lines.ambiguity import _signs
from neurontriage.lines.digits import NONE_OR_SOME, folded, unfolded
from neurontriage.lines.patterns import sre

DIGITS = frozenset("0123456789")
SOME = DIGITS - {"0"}
ZERO_APART = {
    **{f"kinds.{name}": getattr(kinds, name)._text for name in ("_EXITED", "_SOURCE", "_SHAPES", "_BETWEEN", "_ASIDE")},
    **{f"kinds.{name}": getattr(kinds, name)._text for name in ("_NAME", "_STATED", "_HEAD")},
    **{f"harmless.{name}": getattr(harmless, name)._text for name in ("_STARTS", "_HOLDS", "_COLUMNS", "_SENTENCE")},
    "prompts._SHOWN": prompts._SHOWN._text,  # type: ignore[attr-defined]
}


def told_apart(tree: Any, at: int = 0) -> Iterator[tuple[int, frozenset[str]]]:
    """The digits that a place of a parsed pattern takes, where not all; before them how far it is from the start."""
    for op, arg in tree:
        name = str(op)
        taken = _signs(name, arg) & DIGITS
        if taken and taken != DIGITS:
            yield at, taken
        for part in _parts(name, arg):
            yield from told_apart(part, at)
        if not name.startswith("ASSERT"):
            at += sre.SubPattern(tree.state, [(op, arg)]).getwidth()[1]


def _parts(name: str, arg: Any) -> list[Any]:
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [arg[2]]
    if name in ("SUBPATTERN", "ASSERT", "ASSERT_NOT"):
        return [arg[-1]]
    return list(arg[1]) if name == "BRANCH" else []


@pytest.mark.parametrize("shape", [*(one for some in prefix._SHAPES.values() for one in some), prefix._BAR])
def test_shapes_of_prefixes_tell_digits_apart_at_their_start_alone(shape: str) -> None:
    assert all(at < prefix._NEAR for at, _ in told_apart(sre.parse(shape)))


@pytest.mark.parametrize("name", ZERO_APART)
def test_what_shows_the_form_of_a_line_tells_only_zero_apart(name: str) -> None:
    assert all(taken >= SOME or not taken & SOME for _, taken in told_apart(sre.parse(ZERO_APART[name])))


def test_patterns_that_tell_digits_apart_are_seen() -> None:
    assert list(told_apart(sre.parse(r"\d{2}(?:x|y[45])"))) == [(3, frozenset("45"))]


@given(st.text())
def test_folding_leaves_all_in_its_place(text: str) -> None:
    for table in ({}, {"table": NONE_OR_SOME}):
        made = unfolded(folded(text, **table))
        assert len(made) == len(text)
        assert all(one == other or (one in DIGITS and other in DIGITS) for one, other in zip(text, made, strict=True))


@pytest.mark.parametrize("clock", ["05:32:07,286", "14:59:40,001"])
@pytest.mark.parametrize("code", ["404", "200"])
def test_what_a_prefix_says_is_of_its_own_line(clock: str, code: str) -> None:
    found = prefix.strip(f"[rank{code}]: 2026-07-24 {clock} - trainer - INFO - {code}: Not a rank")
    assert (found.rank, found.time, found.level) == (int(code), f"2026-07-24 {clock}", "INFO")
    assert prefix.strip(f"{code}: Not Found").rank == (None if code == "404" else 200)
