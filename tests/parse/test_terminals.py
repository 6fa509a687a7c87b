"""Terminals at a place: one after the other, and as one pattern as soon as that is cheaper, with the same answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurontriage import expressions
from neurontriage.parse import terminals
from neurontriage.parse.terminals import Patterns, Terminals

TABLE = {
    "patterns": {"FAILED": ("(?i:failed|fatal)", "fF"), "FINE": ("fine", "f"), "WORD": (r"\w+", None)},
    "blank": " ",
}
PLACE: tuple[list[str], dict[str, dict[str, str]]] = (["FAILED", "FINE", "WORD"], {})
TEXTS = ("fatal x", "fine  x", "fish", "Failed.", "éfatal", "x")


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache for each test."""
    monkeypatch.setenv("NEURONTRIAGE_CACHE", str(tmp_path))
    monkeypatch.setattr(expressions, "_BOOK", expressions._Book())


def found(place: Terminals, text: str) -> tuple[str | None, int]:
    match = place[text[0]].match(text, 0)
    assert match is not None
    return match.lastgroup, match.end()


def test_it_does_not_matter_how_often_a_place_is_met() -> None:
    place = Terminals(PLACE, Patterns(TABLE))
    first = [found(place, text) for text in TEXTS]
    assert first == [("FAILED", 6), ("FINE", 6), ("WORD", 4), ("FAILED", 6), ("WORD", 6), ("WORD", 1)]
    for _ in range(terminals._OFTEN):
        assert [found(place, text) for text in TEXTS] == first


def test_every_place_gets_the_one_pattern() -> None:
    patterns = Patterns(TABLE)
    early = Terminals(PLACE, patterns)
    assert early["f"] is Terminals(PLACE, patterns)["f"]
    for _ in range(terminals._OFTEN):
        found(early, "fish")
    late = Terminals(PLACE, patterns)
    assert early["f"] is late["f"]
    assert found(late, "fish") == ("WORD", 4)
    assert set(late) == {"f"}


def test_characters_that_are_no_ascii_share_one() -> None:
    place = Terminals(PLACE, Patterns(TABLE))
    assert place["é"] is place["ü"]
    assert set(place) == {""}


def test_one_pattern_that_is_kept_is_taken_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Terminals(PLACE, Patterns(TABLE))
    for _ in range(terminals._OFTEN):
        found(first, "fish")
    monkeypatch.setattr(expressions, "_FEW", 0)
    expressions.keep()
    monkeypatch.setattr(expressions, "_BOOK", expressions._Book())
    monkeypatch.setattr(terminals, "narrowed", None)  # nothing is to be written anew
    again = Terminals(PLACE, Patterns(TABLE))
    for _ in range(terminals._FEW + 1):
        assert found(again, "fish") == ("WORD", 4)
    assert again["f"] == first["f"]
