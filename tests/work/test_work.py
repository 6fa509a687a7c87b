"""No rule makes logs cost more unseen: for logs that stay the same, no more is called than ceilings.yaml allows."""

from __future__ import annotations

import cProfile
import pstats
from pathlib import Path

import counting
import pytest

from neurontriage.incident.logs import Way, read
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines import remembered

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


SHORT, FEW, TIMES = 1500, 160, 3
"""Characters of a log, how many of them, and how many times as many."""


def test_no_function_is_called_for_every_pair_of_logs(
    catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "resident", lambda: 0)  # what is forgotten for want of memory is made once more
    read_all(catalog, tmp_path / "before", FEW)
    few, many = (read_all(catalog, tmp_path / str(count), count) for count in (FEW, FEW * TIMES))
    steep = {name: (few.get(name, 1), calls) for name, calls in many.items() if calls > 2 * TIMES * few.get(name, 1)}
    assert not {name: both for name, both in steep.items() if both[1] > counting.LEAST}


def read_all(catalog: Catalog, folder: Path, count: int) -> dict[tuple[str, int, str], int]:
    """(file, line, function) → calls, for so many healthy logs of one incident."""
    folder.mkdir()
    text = counting.texts(0)["ranks"][0][:SHORT]
    for number in range(count):
        (folder / f"rank_{number:05}.log").write_text(text)
    profile = cProfile.Profile()
    profile.runcall(read, [str(folder)], catalog, Way(follow=None))
    return {function: numbers[1] for function, numbers in pstats.Stats(profile).stats.items()}  # type: ignore[attr-defined]
