"""Levels: one name for each, however a logger writes it."""

from __future__ import annotations

import re

import pytest

from neurontriage.lines.levels import ANY, CALM, LOUD, OTHER, USUAL, name

NAMES = {
    "DEBUG": ["trace", "D", "<7>", "10", "отладка"],
    "INFO": ["Notice", "success", "INFOR", "6", "I", "情報"],
    "WARNING": ["warn", "WARNI", "W", "<4>", "40"[:1], "AVISO"],
    "ERROR": ["err", "SEVER", "E", "<3>", "50", "오류"],
    "FATAL": ["critical", "CRITI", "crit", "EMERG", "C", "F", "<0>", "60", "致命的"],
    "USER": ["USER"],
    "": ["loud", "", "99", "ER", "value", "successor"],
}


@pytest.mark.parametrize(("level", "word"), [(level, word) for level, words in NAMES.items() for word in words])
def test_a_level_has_one_name(level: str, word: str) -> None:
    assert name(word) == level


def test_every_word_of_the_patterns_is_a_level() -> None:
    words = ANY.split("|")
    assert set(words) == {*USUAL.split("|"), *OTHER.split("|")}
    assert {name(word) for word in words} == CALM | LOUD
    assert all(re.match(ANY, word)[0] == word for word in words if word.isalpha())  # type: ignore[index]
