"""Which processes are ranks of one run: by what their lines say, or by the names of their logs."""

from __future__ import annotations

import pytest

from neurontriage.model import Event, Evidence
from neurontriage.ranking.peers import fellows


def event(path: str, rank: int | None = None, process: str | None = None) -> Event:
    return Event("text", "text", {}, Evidence(path, 7, 7, "lost its peer", None, rank), process=process)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (event("job.log", 1), event("job.log", 2), True),
        (event("job.log", 1), event("job.log", 1), False),
        (event("j/2.out"), event("j/5.out"), True),  # beside each other mere numbers are ranks
        (event("j/2.out"), event("j/2.out"), False),
        (event("j/2.out"), event("j/launcher.log"), False),
        (event("j/2.out"), event("j/all.log", 2), False),  # the same rank in two logs
        (event("a.log"), event("b.log"), False),
        (event("a.log", process="worker-1"), event("a.log", process="worker-2"), True),
    ],
)
def test_fellows(one: Event, other: Event, expected: bool) -> None:
    assert fellows(one, other) is expected
    assert fellows(other, one) is expected
