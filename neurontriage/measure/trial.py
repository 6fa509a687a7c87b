"""One run of a program under the clock, and whether it did what it claims."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from neurontriage.measure.device import Counters, Device, Program, Step


@dataclass(frozen=True, slots=True)
class Trial:
    """One run in seconds of wall time: `tracing` on the host, in calls of `cut`, then waiting for the device."""

    seconds: float
    tracing: float
    cutting: float
    waiting: float
    cuts: int
    counted: Counters

    def to_json(self) -> dict[str, Any]:
        """Plain data for the parent process."""
        return asdict(self)


def run(device: Device, step: Step) -> Trial:
    """Runs the step once, waits for the device, and only then lets go of the outputs.

    An output that is dropped before the cut is not computed at all; a run without a wait leaves its work to the next.
    """
    cuts: list[float] = []

    def cut(outputs: Any) -> None:
        began = device.now()
        device.cut(outputs)
        cuts.append(device.now() - began)

    before = device.counters()
    with _no_collection():
        started = device.now()
        outputs = step(cut)
        returned = device.now()
        device.wait()
        ended = device.now()
    counted = device.counters().since(before)
    del outputs
    tracing = returned - started - sum(cuts)
    return Trial(ended - started, tracing, sum(cuts), ended - returned, len(cuts), counted)


@contextmanager
def _no_collection() -> Iterator[None]:
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def fault(trial: Trial, program: Program, cold: bool) -> str:
    """Why a run did not do what it claims, in words; empty when it did. `cold`: its graphs are new to the process."""
    counted = trial.counted
    if counted.executions == 0:
        return "nothing was executed: no output was alive when the graph ended"
    if program.cuts is None:
        return ""  # a user's own step claims nothing: what it compiles is what is asked
    claims = [("executions", program.cuts, counted.executions), ("synchronisations", program.cuts, trial.cuts)]
    if not cold:
        claims.append(("compilations", 0, counted.compiles))
    elif counted.compiles == 0:
        return "nothing was compiled in the first run"
    elif program.compiles is not None:
        claims.append(("compilations", program.compiles, counted.compiles))
    wrong = [f"{found} {what}, not {claim}" for what, claim, found in claims if claim not in (None, found)]
    return "; ".join(wrong)
