"""How many lines count on from one to the next, and which beginning of a log stands above a line."""

from __future__ import annotations

import pytest

from neurontriage.ranking.onward import beginning
from neurontriage.ranking.survived.steps_below import overtaken, rises, rising

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


@pytest.mark.parametrize(
    ("texts", "before", "count"),
    [
        (["epoch 3", "epoch 4", "epoch 5", "epoch 6"], ["epoch 3", "epoch 4"], 2),
        (["epoch 5", "epoch 6", "epoch 7"], ["epoch 3", "epoch 4"], 0),  # others went on
        (["epoch 3", "epoch 4"], ["epoch 3", "epoch 4"], 0),
        (["[rank1] step 7", "[rank1] step 8"], ["[rank0] step 9", "[rank1] step 6"], 0),
        (["epoch 2 step 1", "epoch 2 step 2"], ["epoch 1 step 1", "epoch 1 step 9"], 0),
        (["step 4 retrying", "step 9 retrying"], ["step 8"], 0),
    ],
)
def test_who_was_started_again_and_counts_beyond(texts: list[str], before: list[str], count: int) -> None:
    assert overtaken(texts, before) == count


def test_beginning_leaves_out_the_line_that_is_cut_off() -> None:
    assert beginning(" a\nb \ncu") == ([" a", "b "], ["a", "b"])
    assert beginning("") == ([], [])
