"""Of several logs of one job one stops in the middle: the good end of another does not make the job a good one."""

from __future__ import annotations

import pytest

from neurontriage.model import Course
from neurontriage.ranking.survived.behind import left_behind

ENDED = ("epoch 1 loss 3.1", "epoch 2 loss 2.9", "epoch 3 loss 2.8", "weights saved to out/last")


def course(*lines: str) -> Course:
    return Course(len(lines), ends=tuple(enumerate(lines, 1)))


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (("epoch 1 loss 3.1", "epoch 2 loss 2.9"), True),
        (("epoch 1 loss 3.1", "epoch 2 loss 2.9", "epoch 3 loss 2.8"), False),
        (("epoch 1 loss 3.1", "epoch 2 loss 2.9", "the rest is done by the first rank", "left the group"), False),
        (("chunk 1 of the index", "chunk 2 of the index"), False),
        (("sockets are open",), False),
    ],
)
def test_who_stops_in_the_middle_of_what_others_count_further(lines: tuple[str, ...], left: bool) -> None:
    assert left_behind([course(*ENDED), course(*lines)]) is left
    assert left_behind([course(*lines), course(*ENDED)]) is left
    assert not left_behind([course(*lines)])
