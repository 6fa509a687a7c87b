"""What a title shows of a value: whole words, and no sign that belongs to what stands around it."""

from __future__ import annotations

import pytest

from neurontriage.ranking.answers.values import both_ends, shown, trimmed


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
    told = "Error: the widget opens no lane! Please set it to the right one"
    assert (
        shown({"message": "the widget opens no lane! Please set it to"}, told)["message"] == "the widget opens no lane"
    )
    assert shown({"message": told[7:]}, told)["message"] == told[7:]


def test_a_long_sentence_keeps_the_end_that_says_what_is_wrong() -> None:
    long = f"the widget of unit 3 {'with all of its lanes ' * 6}should have 8 rings, but it has 5 rings"
    told = both_ends(long, 120)
    assert told.startswith("the widget of unit 3 ") and told.endswith("but it has 5 rings") and " … " in told
    assert len(told) <= 122
    path = f"could not mount {'/a/long/path' * 8} at {'/another/one' * 5}: mount failed: exit status 19"
    assert both_ends(path, 120).startswith("could not mount /a/") and both_ends(path, 120).endswith("exit status 19")
    for same in (long[:110], f"the widget of unit 3 {'with all of its lanes ' * 6}", f"{long[:60]}. {long}"[:150]):
        assert both_ends(same, 120) == same
