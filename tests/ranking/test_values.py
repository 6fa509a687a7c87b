"""What a title shows of a value: whole words, and no sign that belongs to what stands around it."""

from __future__ import annotations

import pytest

from neurontriage.ranking.values import shown, trimmed


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (":crossed lanes of unit 3", "crossed lanes of unit 3"),
        ('only 3 lanes"', "only 3 lanes"),
        ('lane 3 is off\\n"', "lane 3 is off"),
        ("lane (3 of 4)", "lane (3 of 4)"),
        ("lanes [0, 16)", "lanes [0, 16)"),
        ("lane 3 is off)", "lane 3 is off"),
        ('the lane "a b"', 'the lane "a b"'),
        ("", ""),
    ],
)
def test_signs_of_the_surroundings_go(value: str, expected: str) -> None:
    assert trimmed(value) == expected


def test_what_a_pattern_cut_in_two_is_whole() -> None:
    line = "Error: the widget needs 3 lanes, available lanes: 2. Try another"
    assert shown({"message": "the widget needs 3 lanes, avai"}, line)["message"].startswith(
        "the widget needs 3 lanes, available lanes: 2"
    )
    whole = {"message": "the widget needs 3 lanes, available lanes: 2", "short": "widg"}
    assert shown(whole, line) == whole
