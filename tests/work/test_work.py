"""No rule makes logs cost more unseen: for logs that stay the same, no more is called than ceilings.yaml allows."""

from __future__ import annotations

import counting
import pytest

LEAST, LEAST_ELSEWHERE = 0.85, 0.7
"""Of a ceiling: Python 3.12 and later call no comprehensions, so that less is called there."""


@pytest.fixture(scope="module")
def calls(catalog: object) -> dict[str, dict[str, int]]:
    """What is called now; the databases of the catalogue are built."""
    return counting.rooms(counting.counted())


@pytest.mark.parametrize("log", counting.allowed())
def test_no_room_calls_more_than_it_may(calls: dict[str, dict[str, int]], log: str) -> None:
    may = counting.allowed()[log]
    over = {room: (number, may.get(room, 0)) for room, number in calls[log].items() if number > may.get(room, 0)}
    assert not over, "\n".join(
        [
            *(f"{room}: {n:,} calls, {most:,} are allowed" for room, (n, most) in over.items()),
            "Something is asked more often than before: of every line, or of every pair of claims?",
            "`python tests/work/counting.py ROOT` shows which functions, against another checkout (git worktree).",
            "What it is worth is written into tests/work/ceilings.yaml, by hand and in the commit that needs it.",
        ]
    )


def test_ceilings_are_no_higher_than_they_have_to_be(calls: dict[str, dict[str, int]]) -> None:
    """Less was done, and would come back unseen."""
    least = LEAST if counting.of_this_python() else LEAST_ELSEWHERE
    high = [
        f"{log}, {room}: {calls[log].get(room, 0):,} of {most:,}"
        for log, rooms in counting.allowed().items()
        for room, most in rooms.items()
        if calls[log].get(room, 0) < most * least
    ]
    assert not high, "lower these in tests/work/ceilings.yaml:\n" + "\n".join(high)
