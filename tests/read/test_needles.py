"""What is looked for in one pass is what each word finds for itself, before and after the database is made."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.read import needles
from neurontriage.read.needles import Needles, _All

WORDS = (b"abc", b"bca", b"a.c", b"(a", b"\\b", b"[0m", b"ab")
BLOCKS = st.lists(st.sampled_from([*WORDS, b"a", b"b", b"c", b"\n", b"."]), max_size=12).map(b"".join)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> _All:
    """Nobody else looks for anything."""
    every = _All()
    monkeypatch.setattr(needles, "_ALL", every)
    return every


@pytest.mark.parametrize("much", [0, 1 << 30], ids=["made", "not made"])
def test_all_words_that_stand_in_a_block_are_told_in_their_order(much: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needles, "_MUCH", much)
    monkeypatch.setattr(needles, "_ALL", _All())
    some, others = Needles(*WORDS[::2]), Needles(*WORDS[1::2])

    @given(BLOCKS)
    def told(block: bytes) -> None:
        for one in (some, others, some):
            assert one.within(block) == [word for word in one.words if word in block]

    told()


def test_the_database_is_made_when_much_has_gone_by(alone: _All, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needles, "_MUCH", 20)
    one = Needles(b"word")
    for block in (b"ten signs.", b"ten words."):
        assert one.within(block) == [b"word"] * (b"word" in block)
        assert alone._free is None
    assert one.within(b"a word more") == [b"word"]
    assert len(alone._free or ()) == 1


def test_while_another_thread_uses_it_each_word_is_looked_for(alone: _All, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needles, "_MUCH", 0)
    one = Needles(b"word", b"none")
    assert one.within(b"the first word") == [b"word"]
    alone._free = []
    assert one.within(b"another word") == [b"word"]


def test_without_hyperscan_each_word_is_looked_for(alone: _All, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needles, "_MUCH", 0)
    monkeypatch.setitem(sys.modules, "hyperscan", None)
    one = Needles(b"word", b"none")
    assert [one.within(block) for block in (b"a word", b"nothing", b"a word")] == [[b"word"], [], [b"word"]]
    assert alone._free == []
