"""Seconds of runs in several processes → median, interval, outliers; two of them → which is slower, or cannot tell.

Processes differ more than runs within one (memory layout, neighbours on the machine), so the interval spans what
the bootstrap gives in each process: a rerun is a new process. Outliers are shown, never removed: a median does not
mind them.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

RESAMPLES, LEVEL = 2000, 0.95
MODIFIED_Z = 3.5
"""Iglewicz and Hoaglin (1993), How to Detect and Handle Outliers: beyond it a value is an outlier."""
SMALLEST_SCALE = 0.01
"""Of the median: the least spread that is believed, where several values are equal."""
Verdict = Literal["slower", "faster", "cannot tell"]
Runs = Mapping[int, Sequence[float]]
"""Seconds by process."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Median of all values in seconds, the interval (None with fewer than two values), and the outliers."""

    median: float
    low: float | None
    high: float | None
    values: tuple[float, ...]
    outliers: tuple[float, ...]

    @property
    def mean(self) -> float:
        """For models that expect it; it follows every outlier."""
        return statistics.fmean(self.values)

    def to_json(self) -> dict[str, Any]:
        """Plain data, as in the document."""
        return {
            "median": self.median,
            "low": self.low,
            "high": self.high,
            "mean": self.mean,
            "n": len(self.values),
            "outliers": list(self.outliers),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """`other` against `one`: how many times slower its median is, the bounds of that ratio by the two intervals, and

    the probability that a run of `other` takes longer than one of `one` (0.5: no difference).
    """

    ratio: float
    low: float | None
    high: float | None
    probability: float
    verdict: Verdict


def summarise(runs: Runs, seed: int = 0) -> Summary | None:
    """The summary of all runs; None when there are none."""
    values = tuple(value for process in sorted(runs) for value in runs[process])
    if not values:
        return None
    intervals = [_interval(runs[process], seed) for process in sorted(runs) if len(runs[process]) > 1]
    if not intervals and len(values) > 1:  # one run in each process
        intervals = [_interval(values, seed)]
    low = min((interval[0] for interval in intervals), default=None)
    high = max((interval[1] for interval in intervals), default=None)
    return Summary(statistics.median(values), low, high, values, outliers(values))


def _interval(values: Sequence[float], seed: int) -> tuple[float, float]:
    import numpy
    from scipy import stats

    found = stats.bootstrap(
        (numpy.asarray(values),),
        numpy.median,
        n_resamples=RESAMPLES,
        confidence_level=LEVEL,
        method="percentile",
        rng=numpy.random.default_rng(seed),
    )
    low, high = float(found.confidence_interval.low), float(found.confidence_interval.high)
    middle = statistics.median(values)  # rounding may lead a hair beyond the values, or past their median
    return min(max(low, min(values)), middle), max(min(high, max(values)), middle)


def outliers(values: Sequence[float]) -> tuple[float, ...]:
    """Values far from the median, measured in median absolute deviations."""
    if len(values) < 3:
        return ()
    middle = statistics.median(values)
    spread = 1.4826 * statistics.median(abs(value - middle) for value in values)
    scale = max(spread, SMALLEST_SCALE * abs(middle))
    return tuple(value for value in values if scale and abs(value - middle) / scale > MODIFIED_Z)


def compare(one: Summary, other: Summary) -> Comparison:
    """How `other` relates to `one`; `cannot tell` unless both have an interval and these lie apart."""
    ratio = other.median / one.median if one.median else float("inf")
    low = other.low / one.high if other.low is not None and one.high else None
    high = other.high / one.low if other.high is not None and one.low else None
    verdict: Verdict = "cannot tell"
    if low is not None and low > 1:
        verdict = "slower"
    elif high is not None and high < 1:
        verdict = "faster"
    return Comparison(ratio, low, high, _superiority(one.values, other.values), verdict)


def _superiority(one: Sequence[float], other: Sequence[float]) -> float:
    """Mann and Whitney's U over all pairs."""
    from scipy import stats

    return float(stats.mannwhitneyu(other, one).statistic) / (len(one) * len(other))
