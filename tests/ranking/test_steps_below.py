"""How many lines count on from one to the next, and which beginning of a log stands above a line."""

from __future__ import annotations

import pytest

from neurontriage.ranking.onward import beginning
from neurontriage.ranking.steps_below import rises, rising

STEPS = [f"trainer: step {number} loss 2.5" for number in (1, 2, 3, 4)]
BATCHES = [f"loader: batch {number} of 9 is read" for number in (7, 8)]


@pytest.mark.parametrize(
    ("texts", "before", "count"),
    [
        ([], [], 0),
        (["nothing is counted here"], [], 0),
        (STEPS, [], 4),
        ([*STEPS[:3], *BATCHES], [], 3),
        (STEPS[::-1], [], 0),
        ([*STEPS[::-1], *BATCHES], [], 2),
        (STEPS[:2], [STEPS[3]], 0),  # it counts from the start again
        (STEPS[2:], [STEPS[0]], 2),
        ([f"{line}, waiting for the others" for line in STEPS], [], 0),
    ],
)
def test_rising(texts: list[str], before: list[str], count: int) -> None:
    assert rising(texts, before) == count
    assert rises(texts, 2, before) == (count >= 2)


def test_beginning_leaves_out_the_line_that_is_cut_off() -> None:
    assert beginning(" a\nb \ncu") == ([" a", "b "], ["a", "b"])
    assert beginning("") == ([], [])
