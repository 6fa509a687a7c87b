"""What several runs carry, and what they do not."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from neurontriage.measure.statistics import compare, outliers, summarise

pytestmark = pytest.mark.xla
TIMES = st.lists(st.floats(1e-6, 10.0), min_size=2, max_size=12)


@example([[5.0, 4.134510681638715]])
@example([[5.216198455450978, 5.216198455450978]])
@example([[1.0, 5.216198455450978, 5.216198455450978]])
@settings(max_examples=30, deadline=None)
@given(st.lists(TIMES, min_size=1, max_size=3))
def test_the_interval_lies_within_the_values_and_around_every_process(processes: list[list[float]]) -> None:
    found = summarise(dict(enumerate(processes)))
    assert found is not None and found.low is not None and found.high is not None
    everything = [value for values in processes for value in values]
    assert min(everything) <= found.low <= found.high <= max(everything)
    assert found.low <= found.median <= found.high


@settings(max_examples=30, deadline=None)
@given(TIMES, TIMES)
def test_comparing_is_antisymmetric(one: list[float], other: list[float]) -> None:
    a, b = summarise({0: one}), summarise({0: other})
    assert a and b
    there, back = compare(a, b), compare(b, a)
    opposite = {"slower": "faster", "faster": "slower", "cannot tell": "cannot tell"}
    assert back.verdict == opposite[there.verdict]
    assert there.probability + back.probability == pytest.approx(1.0)
    assert compare(a, a).verdict == "cannot tell"


def test_equal_seeds_give_equal_intervals() -> None:
    runs = {0: [random.Random(0).random() for _ in range(9)]}
    assert summarise(runs, 1) == summarise(runs, 1)


def test_one_value_has_no_interval_and_decides_nothing() -> None:
    one, ten = summarise({0: [0.1]}), summarise({0: [0.2, 0.21, 0.2]})
    assert one and ten and one.low is None
    assert compare(one, ten).verdict == "cannot tell"
    assert summarise({}) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((11.317, 0.431, 0.386), (11.317,)),
        ((0.300, 0.219, 0.251), ()),
        ((1.0, 1.0, 1.0, 1.5), (1.5,)),
        ((1.0, 9.0), ()),
        ((0.0, 0.0, 0.0), ()),
    ],
)
def test_outliers_are_far_from_the_median(values: tuple[float, ...], expected: tuple[float, ...]) -> None:
    assert outliers(values) == expected


def test_a_clear_difference_is_shown() -> None:
    quick, slow = summarise({0: [1.0, 1.1, 1.05, 1.02]}), summarise({0: [2.0, 2.1, 2.2, 2.05]})
    assert quick and slow
    found = compare(quick, slow)
    assert (found.verdict, found.probability) == ("slower", 1.0)
    assert found.low and found.high and 1 < found.low <= found.ratio <= found.high
