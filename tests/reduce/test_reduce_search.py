"""Delta debugging finds what is needed, no member of its answer can be left out, and looking ahead changes nothing."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.reduce import ahead
from neurontriage.reduce.ahead import Call, End, Question, Step, Walk
from neurontriage.reduce.predicate import Answer, Stop
from neurontriage.reduce.search import Put, Search, ddmin, prefix, rough, suffix, window

NEEDED = st.sets(st.integers(min_value=0, max_value=199), min_size=1, max_size=6)
WORKERS = st.integers(min_value=1, max_value=5)
WIDTH = st.integers(min_value=1, max_value=9)
Fails = Callable[[Sequence[int]], bool]


class Asked:
    """Answers by a function of the members; counts what is asked, and how much of it at the same time."""

    def __init__(self, fails: Fails, workers: int) -> None:
        self.fails, self.ahead, self.count, self.together, self.most = fails, workers, 0, 0, 0
        self._pool, self._lock = ThreadPoolExecutor(workers), threading.Lock()

    def start(self, question: Question) -> Call:
        self.count += 1
        return Call(self._pool.submit(self._answer, question), Stop())

    def _answer(self, question: Question) -> Answer:
        with self._lock:
            self.together += 1
            self.most = max(self.most, self.together)
        found = Answer("same" if self.fails(list(question.make())) else "passes")
        with self._lock:
            self.together -= 1
        return found


def walked(
    search: Any, members: Sequence[int], fails: Fails, width: int = 1, workers: int = 1
) -> tuple[list[int], Asked]:
    asked = Asked(fails, workers)
    return walked_by(asked, search, members, width), asked


def walked_by(asked: Asked, search: Any, members: Sequence[int], width: int) -> list[int]:
    def ask(hint: str, candidate: Sequence[int], odds: float | None = None) -> Put:
        question = Question(hint, partial(bytes, candidate), odds=odds)
        return lambda then: Step(question, candidate, then)

    return list(Walk(asked).to_the_end(search(members, Search(ask, End, width))))


@settings(deadline=None)
@given(NEEDED, st.integers(min_value=1, max_value=200), WIDTH, WORKERS)
def test_ddmin_keeps_what_is_needed_and_nothing_else(needed: set[int], size: int, width: int, workers: int) -> None:
    needed = {n % size for n in needed}
    found, asked = walked(ddmin, range(size), lambda one: needed <= set(one), width, workers)
    assert sorted(found) == sorted(needed)
    assert asked.most <= workers
    if width == workers == 1:
        assert asked.count <= size * (len(needed) + 4)


@settings(deadline=None)
@given(NEEDED, WIDTH, WORKERS)
def test_the_window_is_the_shortest(needed: set[int], width: int, workers: int) -> None:
    found, _ = walked(window, range(200), lambda one: needed <= set(one), width, workers)
    assert found == list(range(min(needed), max(needed) + 1))


@settings(deadline=None)
@given(NEEDED, WIDTH, st.integers(min_value=0, max_value=5))
def test_a_window_may_be_longer_by_what_is_spared(needed: set[int], width: int, spare: int) -> None:
    found, asked = walked(partial(window, spare=spare), range(200), lambda one: needed <= set(one), width)
    assert needed <= set(found)
    assert len(found) <= max(needed) - min(needed) + 1 + spare
    assert asked.count <= walked(window, range(200), lambda one: needed <= set(one), width)[1].count


@settings(deadline=None)
@given(NEEDED, WIDTH, WORKERS)
def test_prefix_and_suffix(needed: set[int], width: int, workers: int) -> None:
    def fails(one: Sequence[int]) -> bool:
        return needed <= set(one)

    assert walked(prefix, range(200), fails, width, workers)[0] == list(range(max(needed) + 1))
    assert walked(suffix, range(200), fails, width, workers)[0] == list(range(min(needed), 200))


@settings(deadline=None)
@given(st.integers(0, 190), st.integers(0, 190), st.integers(1, 9), WIDTH)
def test_of_two_windows_that_fail_one_is_found(first: int, second: int, length: int, width: int) -> None:
    """A prefix finds the first and a suffix the second: both ends together would fail no more."""

    def fails(one: Sequence[int]) -> bool:
        return any(set(range(start, start + length)) <= set(one) for start in (first, second))

    found, _ = walked(window, range(200), fails, width)
    assert found in (list(range(first, first + length)), list(range(second, second + length)))


@settings(deadline=None)
@given(NEEDED, WIDTH)
def test_the_rough_search_keeps_what_is_needed(needed: set[int], width: int) -> None:
    found, _ = walked(rough, range(200), lambda one: needed <= set(one), width)
    assert needed <= set(found)


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=2**60), WIDTH, WORKERS)
def test_whatever_fails_the_number_of_answers_at_once_changes_nothing(seed: int, width: int, workers: int) -> None:
    """Also where nothing follows from anything: no order of answers may change what is found; it fails."""

    def fails(one: Sequence[int]) -> bool:
        return len(one) == 40 or hash((seed, tuple(one))) % 3 == 0

    for search in (ddmin, window, rough, prefix, suffix):
        found = walked(search, range(40), fails, width, workers)[0]
        assert found == walked(search, range(40), fails, width)[0]
        assert fails(found)


class Late(Asked):
    """Answers after times that have nothing to do with the order of the questions; what is stopped gives none."""

    def __init__(self, fails: Fails, workers: int, seed: int) -> None:
        super().__init__(fails, workers)
        self.times = random.Random(seed)

    def start(self, question: Question) -> Call:
        stop, seconds = Stop(), self.times.choice([0.0, 0.0, 0.002, 0.2])
        late = self._pool.submit(lambda: Answer("stopped") if stop.wait(seconds) else self._answer(question))
        return Call(late, stop)


@pytest.mark.parametrize("seed", range(5))
def test_whichever_answer_comes_first_the_result_is_the_same(monkeypatch, seed: int) -> None:
    monkeypatch.setattr(ahead, "_MOMENT", 0.0)

    def fails(one: Sequence[int]) -> bool:
        return len(one) == 40 or hash((seed, tuple(one))) % 3 == 0

    for search in (ddmin, window, rough):
        first = Late(fails, 4, seed)
        assert walked_by(first, search, range(40), 4) == walked(search, range(40), fails, 4)[0]


def test_what_was_stopped_for_room_is_asked_anew() -> None:
    """A question that cannot be reached is stopped; in another place it is still a question without an answer."""
    question = Question("rest", lambda: b"x")
    asked = Asked(lambda _: True, 1)
    walk = ahead.Walk(asked)
    question.asked = Call(Future(), Stop())
    walk._stop({question})
    assert walk.to_the_end(Step(question, None, End)) is True
    assert asked.count == 1


def test_one_question_in_several_places_is_as_likely_as_all_of_them() -> None:
    """What follows both answers goes before what follows only one, although it stands deeper."""
    first, if_so, if_not, then = (Question(kind, lambda: b"x", odds=0.5) for kind in "abcd")
    both = {True: Step(if_so, None, lambda _: Step(then, None, End))}
    both[False] = Step(if_not, None, lambda _: Step(then, None, End))
    walk = ahead.Walk(Asked(lambda _: True, 4))
    assert walk._wanted(Step(first, None, both.__getitem__))[:2] == [first, then]


@pytest.mark.parametrize("search", [ddmin, rough, window])
def test_nothing_is_left_of_nothing(search: Any) -> None:
    assert walked(search, [], lambda _: True, 4)[0] == []


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_a_failure_that_depends_on_alternatives_is_minimal(width: int) -> None:
    """Each of the forty can go alone, but not all of them together."""
    found, _ = walked(ddmin, range(100), lambda one: len(set(one) & set(range(40))) >= 10, width)
    assert len(found) == 10


@pytest.mark.parametrize("needed", [{77}, {30, 31, 32}, {10, 150}])
def test_eight_workers_ask_in_fewer_turns(needed: set[int]) -> None:
    """A turn: as many questions as there are workers, asked at the same time."""
    turns = []
    for width in (1, 8):
        _, asked = walked(window, range(200), lambda one: needed <= set(one), width)
        turns.append(asked.count / width)
    assert turns[1] * 2 < turns[0]
