"""Delta debugging finds what is needed, no member of its answer can be left out, and looking ahead changes nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.reduce.ahead import Call, End, Node, Step, Walk
from neurontriage.reduce.predicate import Answer, Stop
from neurontriage.reduce.search import ddmin, shortest_prefix, shortest_suffix

NEEDED = st.sets(st.integers(min_value=0, max_value=199), min_size=1, max_size=6)
WORKERS = st.integers(min_value=1, max_value=5)
Fails = Callable[[Sequence[int]], bool]


class Asked:
    """Answers by a function of the members; counts what is asked, and how much of it at the same time."""

    def __init__(self, fails: Fails, workers: int) -> None:
        self.fails, self.ahead, self.count, self.together, self.most = fails, workers, 0, 0, 0
        self._pool, self._lock = ThreadPoolExecutor(workers), threading.Lock()

    def start(self, step: Step) -> Call:
        self.count += 1
        return Call(self._pool.submit(self._answer, step), Stop())

    def _answer(self, step: Step) -> Answer:
        with self._lock:
            self.together += 1
            self.most = max(self.most, self.together)
        found = Answer("same" if self.fails(step.reached) else "passes")
        with self._lock:
            self.together -= 1
        return found


def walked(search: Any, members: Sequence[int], fails: Fails, workers: int = 1) -> tuple[list[int], Asked]:
    asked = Asked(fails, workers)

    def ask(hint: str, candidate: Sequence[int], then: Callable[[bool], Node]) -> Node:
        return Step(hint, bytes, candidate, then)

    return list(Walk(asked).to_the_end(search(members, ask, End))), asked


@settings(deadline=None)
@given(NEEDED, st.integers(min_value=1, max_value=200), WORKERS)
def test_ddmin_keeps_what_is_needed_and_nothing_else(needed: set[int], size: int, workers: int) -> None:
    needed = {n % size for n in needed}
    found, asked = walked(ddmin, range(size), lambda one: needed <= set(one), workers)
    assert sorted(found) == sorted(needed)
    assert asked.most <= workers
    if workers == 1:
        assert asked.count <= size * (len(needed) + 4)


@settings(deadline=None)
@given(NEEDED, WORKERS)
def test_prefix_and_suffix(needed: set[int], workers: int) -> None:
    def fails(one: Sequence[int]) -> bool:
        return needed <= set(one)

    assert walked(shortest_prefix, range(200), fails, workers)[0] == list(range(max(needed) + 1))
    assert walked(shortest_suffix, range(200), fails, workers)[0] == list(range(min(needed), 200))


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=2**60), WORKERS)
def test_whatever_fails_the_way_is_that_of_one_worker(seed: int, workers: int) -> None:
    """Also where nothing follows from anything: no order of answers may change what is found."""

    def fails(one: Sequence[int]) -> bool:
        return hash((seed, tuple(one))) % 3 == 0

    for search in (ddmin, shortest_prefix, shortest_suffix):
        assert walked(search, range(40), fails, workers)[0] == walked(search, range(40), fails)[0]


def test_a_failure_that_depends_on_two_alternatives_is_minimal() -> None:
    found, _ = walked(ddmin, range(100), lambda one: len(set(one) & set(range(40))) >= 10)
    assert len(found) == 10
