"""Which claims quote the message of another one, and whose good word stands below a failure."""

from __future__ import annotations

import pytest
from claimed import claim

from neurontriage.ranking.messages import CORE, Messages, words_of
from neurontriage.ranking.praise import Praise

GONE = "ring 7 is gone"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ring_7:  is GONE!", "ring 7 is gone"),
        ("  [ring-7] ", "ring 7"),
        ("", ""),
        ("Größe: 7_8", "größe 7 8"),
        ("\t--\n", ""),
        ("—ring—", "ring"),
    ],
)
def test_words(text: str, words: str) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("texts", "least", "quoting"),
    [
        ([GONE, f"RuntimeError: {GONE}", "other"], len(GONE), [1]),
        ([GONE, f"RuntimeError: {GONE}", "other"], len(GONE) + 1, []),
        ([GONE, f"RuntimeError: {GONE}", f"{GONE} now", f"x {GONE}, {GONE}"], 4, [1, 3]),
        ([GONE, f"RuntimeError: {GONE.upper()}!"], 4, [1]),
        ([GONE, "ring 7", "is gone"], 4, []),
        (["b " + "a" * (CORE - 2) + "b", "x b " + "a" * (CORE - 2) + "c"], 4, [1]),
        (["b " + "a" * (CORE - 3) + "b", "x b " + "a" * (CORE - 2)], 4, []),
        (["libring7-dev", "x: libring7-dev"], 4, []),  # a name is no message
    ],
)
def test_a_message_is_quoted(texts: list[str], least: int, quoting: list[int]) -> None:
    said = Messages([claim("A", number, text=text) for number, text in enumerate(texts, 1)])
    assert list(said.quoting(0, least)) == quoting


@pytest.mark.parametrize(
    ("text", "more", "line", "below"),
    [
        ("1999-12-31 plan", {"level": "ERROR"}, 3, True),  # of the same shape: of the same logger
        ("1999-12-31 plan", {"level": "ERROR"}, 9, False),
        ("1999-12-31 plan", {}, 3, False),
        ("ring: 1999 plan", {"level": "ERROR"}, 3, False),
        ("[199] plan", {"level": "ERROR"}, 3, False),
        ("1999-12-31 plan", {"level": "ERROR", "rank": 1}, 3, False),
        ("1999-12-31 plan", {"level": "ERROR", "path": "b.log"}, 3, False),
        ("the Loader-7 plan", {}, 3, True),  # names the same
        ("the loader plan", {"rank": 1}, 3, True),
        ("the loader plan", {"path": "b.log"}, 3, False),
        ("the loaders plan", {}, 3, False),
        ("the /opt/loader plan", {}, 3, False),
        ("training plan", {}, 3, False),  # a word of any program
    ],
)
def test_a_good_word_below_is_of_the_same_logger_or_name(text: str, more: dict, line: int, below: bool) -> None:
    praise = Praise()
    praise.note(claim("W", 4, level="INFO", text="2026-01-02 loader is open, training goes on"))
    praise.note(claim("W", 9, level="INFO", text="2026-01-02 loader is open, training goes on"))
    praise.note(claim("W", 7, level="INFO", text="2026-01-02 loader is open, training goes on"))
    assert praise.below(claim("E", line, text=text, **more), line) is below
