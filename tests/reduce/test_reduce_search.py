"""Delta debugging finds what is needed, and no member of its answer can be left out."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.reduce.search import ddmin, shortest_prefix, shortest_suffix

NEEDED = st.sets(st.integers(min_value=0, max_value=199), min_size=1, max_size=6)


def asking(needed: set[int], counted: list[int]):
    def ask(candidates: Sequence[Sequence[int]]) -> int | None:
        for number, one in enumerate(candidates):
            counted.append(1)
            if needed <= set(one):
                return number
        return None

    return ask


@settings(deadline=None)
@given(NEEDED, st.integers(min_value=1, max_value=200))
def test_ddmin_keeps_what_is_needed_and_nothing_else(needed: set[int], size: int) -> None:
    needed = {n % size for n in needed}
    counted: list[int] = []
    told: list[int] = []
    found = ddmin(range(size), asking(needed, counted), lambda one: told.append(len(one)))
    assert sorted(found) == sorted(needed)
    assert told == sorted(told, reverse=True)
    assert len(counted) <= size * (len(needed) + 4)


@settings(deadline=None)
@given(NEEDED, st.integers(min_value=1, max_value=5))
def test_prefix_and_suffix(needed: set[int], width: int) -> None:
    def all_(candidates: Sequence[Sequence[int]]) -> list[bool]:
        assert len(candidates) <= width
        return [needed <= set(one) for one in candidates]

    assert list(shortest_prefix(range(200), all_, width)) == list(range(max(needed) + 1))
    assert list(shortest_suffix(range(200), all_, width)) == list(range(min(needed), 200))


def test_a_failure_that_depends_on_two_alternatives_is_minimal() -> None:
    def ask(candidates: Sequence[Sequence[int]]) -> int | None:
        return next((n for n, one in enumerate(candidates) if len(set(one) & set(range(40))) >= 10), None)

    assert len(ddmin(range(100), ask, lambda _: None)) == 10
