"""Which claim names no reason, which names one, and which of two names more."""

from __future__ import annotations

import pytest
from claimed import claim

from neurontriage.ranking.causes.reasoned import more, says_why, unreasoned

END = claim("E", 9, text="BuildError: neuronx-cc failed for /srv/graphs/decode.hlo", words={"FAILED", "FRAMED"})


@pytest.mark.parametrize(
    ("text", "words", "level", "told"),
    [
        ("window of 65536 rows, the engine walks 16384 in one pass", set(), "ERROR", True),
        ("window of 65536 rows, the engine walks 16384 in one pass", set(), "INFO", False),
        ("ring is corrupt", {"INVALID"}, "", True),
        ("ring is corrupt, continuing", {"INVALID", "CALM"}, "", False),
        ("clock drifted by 412 ppm, allowed are 100 ppm", {"UNHIT"}, "WARNING", True),
        ("cannot open the ring of 9 peers", {"INABILITY"}, "ERROR", False),
    ],
)
def test_who_says_why(text: str, words: set[str], level: str, told: bool) -> None:
    one = claim("C", 3, text=text, words=words, level=level)
    one.event = one.event._replace(said=one.event.said._replace(size=9))
    assert says_why(one) is told


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        ("BuildError: neuronx-cc failed for /srv/graphs/decode.hlo", {"FAILED"}, True),
        ("RuntimeError: cannot multiply 10x9 and 8x4", {"INABILITY"}, False),
        ("RuntimeError: failed to lower aten::sqrt", {"FAILED"}, False),
        ("RuntimeError: the ring is corrupt, failed", {"FAILED", "INVALID"}, False),
        ("ModuleNotFoundError: No module named 'ring'", {"FAILED"}, False),
        ("step 7 of 9", {"PROGRESS"}, False),
    ],
)
def test_who_names_no_reason(text: str, words: set[str], told: bool) -> None:
    assert unreasoned(claim("E", 9, text=text, words=words)) is told


def test_more_is_what_names_more() -> None:
    full = claim("C", 3, text="descriptor of 5 dimensions for gather.14 is bad, 4 fit", words={"INVALID"})
    assert more(END, full) and not more(full, END)
    assert not more(END, claim("C", 3, text="it is bad", words={"INVALID"}))


def test_an_inner_exception_needs_no_word_of_a_reason() -> None:
    inner = claim(
        "I", 3, text="FitError: Couldn't fit", told={"message": "Couldn't fit a: 1 into b: 2, c.d: 3"}, chain=(7, 1)
    )
    outer = claim("O", 9, text="LoadError: failed", words={"FAILED"}, told={"message": "failed"}, chain=(7, 2))
    assert more(outer, inner)
    assert not more(outer, claim("I", 3, text="FitError: Couldn't fit", chain=(7, 3)))
