"""`neurontriage.measure/1`: the result of `neurontriage measure`, in seconds. Fields may be added, never change."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from neurontriage.contract.explain import Closed, Count

Seconds = float
Verdict = Literal["slower", "faster", "cannot tell"]


class Summary(Closed):
    """Median of all runs and its 95 % interval over all processes; null where there are too few runs."""

    median: Seconds
    low: Seconds | None
    high: Seconds | None
    mean: Seconds | None = None
    n: Count | None = None
    outliers: tuple[Seconds, ...] = ()


class Counts(Closed):
    """What the runtime counted in one run; `exact`: in every run of every process the same."""

    graphs: Count
    compiles: Count
    executions: Count
    synchronisations: Count
    instructions: Count | None
    to_device: Count
    from_device: Count
    fallbacks: dict[str, Count]
    exact: bool


class Timing(Closed):
    """One timed run; `first_run` is the first of its process, beside trial 1."""

    process: Count
    trial: Count
    first_run: Seconds | None
    cached_run: Seconds
    difference: Seconds | None


class Pattern(Closed):
    """One combination. An imported result has no counts and no parts."""

    graph: str
    pattern: str
    status: Literal["measured", "partial", "failed", "not-run"]
    error: str | None
    finding: str | None
    faults: dict[str, Count]
    parameters: Count | None = None
    layers: Count | None = None
    scan: Literal["native", "manual"] | None = None
    counts: Counts | None
    recompilations: Count
    first_run: Summary | None
    cached_run: Summary | None
    lowering_time: Summary | None = None
    compile_time: Summary | None = None
    load_time: Summary | None = None
    first_execution_time: Summary | None = None
    parts_of_cached_run: dict[str, Seconds] | None = None
    warmup_times: tuple[list[Seconds], ...] = ()
    warmup_mean: Seconds | None = None
    warmup_trend: Seconds | None = None
    warmup_stabilization: Seconds | None = None
    warmup_stable: bool | None = None
    detailed_timings: tuple[Timing, ...] = ()
    true_execution_time: Seconds | None = None
    device_initialization_time: Seconds | None = None
    dominance: dict[str, float] | None = None
    model: dict[str, float] | None = None


class Pair(Closed):
    """`other` against `one`: the ratio of medians with its bounds; how often a run of `other` takes longer."""

    one: str
    other: str
    ratio: float
    low: float | None
    high: float | None
    probability: float
    verdict: Verdict


class Comparison(Closed):
    """All pairs of one graph's patterns; the slowest and the fastest where that is shown."""

    graph: str
    pairs: list[Pair]
    heaviest: str | None
    lightest: str | None


class Model(Closed):
    """The whole measurement from its parts, against the clock: `error` is (expected - measured) / measured."""

    parts: dict[str, Seconds]
    expected: Seconds | None
    measured: Seconds | None
    error: float | None
    per_combination_error: float | None


class Environment(Closed):
    """What the times are times of, the host, and the packages that matter."""

    times_of: str
    host: dict[str, Any]
    versions: dict[str, str]


class Conclusion(Closed):
    """A usual conclusion of an imported result, and whether its numbers carry it."""

    claim: str
    verdict: Literal["shown", "not shown", "cannot tell"]
    why: str


class Result(Closed):
    """The whole document; the last four keys are left out where nothing was imported, compared or given shapes."""

    model_config = ConfigDict(extra="forbid", title="neurontriage.measure/1")

    schema_: Literal["neurontriage.measure/1"] = Field(alias="schema")
    tool: dict[str, str]
    configuration: dict[str, Any]
    environment: Environment
    interrupted: bool
    seconds: Seconds | None
    sync_baseline: Summary | None
    processes: list[dict[str, Any]]
    patterns: list[Pattern]
    comparisons: list[Comparison]
    model: Model
    notes: list[str]
    imported: str | None = None
    conclusions: tuple[Conclusion, ...] = ()
    compared: dict[str, Any] | None = None
    shapes: dict[str, Any] | None = None
