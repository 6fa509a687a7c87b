"""One attempt, inside its own process: build, lower, compile and run one function of one case.

Everything that was found goes into `attempt.json` step by step, so that a process that dies
leaves the stage it died in.
"""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from neurontriage.hlo.module import Module
from neurontriage.hlo.schema import messages
from neurontriage.repro import equality, lowering
from neurontriage.repro.backends import Backend, CompileFailed, Job
from neurontriage.repro.case import Alternative, CannotBuild, Case, Example, Function
from neurontriage.repro.cores import with_settings
from neurontriage.repro.lazy import torch
from neurontriage.repro.lowering import Lowered
from neurontriage.repro.settings import NATIVE

ORIGINAL, LOWERED, NOT_BUILT = "original", "lowered", "not-built"
RECORD, HLO, PROTO = "attempt.json", "graph.hlo.txt", "graph.hlo_module.pb"


class Recorder:
    """Writes the record after every change; `stage` says what is being done right now."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values: dict[str, Any] = {"stage": "build", "seconds": {}}
        self._since = time.monotonic()

    def note(self, **values: Any) -> None:
        """Adds values to the record."""
        self._values.update(values)
        self._path.write_text(json.dumps(self._values, indent=1, default=str))

    def enter(self, stage: str) -> None:
        """Ends the stage that ran, with its seconds, and starts the next."""
        now = time.monotonic()
        self._values["seconds"][self._values["stage"]] = round(now - self._since, 4)
        self._since = now
        self.note(stage=stage)


def attempt(case: Case, variant: str, backend: Backend, job: Job) -> None:
    """Tries one variant (`original` or an alternative's name); raises what the tools raise."""
    recorder = Recorder(job.folder / RECORD)
    torch.manual_seed(lowering.SEED)
    example = case.build()
    function, alternative = pick(case, example, variant)
    os.environ.update(with_settings(alternative.environment if alternative else {}, os.environ))
    recorder.enter("lower")
    try:
        lowered = backend.lower(function, example.inputs, alternative is not None and alternative.kind == "fallback")
    except CannotBuild as error:
        recorder.note(not_built=str(error))
        return recorder.enter(NOT_BUILT)
    _keep(lowered, job.folder)
    recorder.note(**_graph_facts(case, lowered))
    if case.NEEDS.compile_only and "neuronx-cc" not in backend.SHOWS:
        return recorder.enter(LOWERED)
    recorder.enter("compile")
    try:
        recorder.note(**backend.compile(lowered, job))
    except CompileFailed as failed:
        recorder.note(**failed.facts)
        raise
    if case.NEEDS.compile_only:
        return recorder.enter("done")
    recorder.enter("run")
    actual = lowering.read(backend.run(lowered))
    recorder.enter("compare")
    native = backend.NUMBERS_FROM != "device" or NATIVE in job.flags
    recorder.note(**_equality(example, actual, alternative, native))
    return recorder.enter("done")


def pick(case: Case, example: Example, variant: str) -> tuple[Function, Alternative | None]:
    """The function of a variant."""
    if variant == ORIGINAL:
        return example.function, None
    alternative = next(each for each in case.ALTERNATIVES if each.name == variant)
    return alternative.function, alternative


def flags_of(case: Case, variant: str, more: Sequence[str] = ()) -> tuple[str, ...]:
    """The compiler flags of a variant: the case's, the user's, and what the alternative adds or leaves out."""
    alternative = next((each for each in case.ALTERNATIVES if each.name == variant), None)
    if alternative is None:
        return (*case.NEEDS.flags, *more)
    kept = [flag for flag in (*case.NEEDS.flags, *more) if not flag.startswith(alternative.unset or ("\0",))]
    return (*kept, *alternative.flags)


def _graph_facts(case: Case, lowered: Lowered) -> dict[str, Any]:
    if lowered.hlo is None:
        return {}
    module = Module(messages()["HloModuleProto"].FromString(lowered.proto))  # empty where the function cut it itself
    return {
        "trigger_in_hlo": bool(case.trigger(module)),
        "instructions": sum(1 for _ in module.instructions),
        "cpu_operators": list(lowered.cpu_operators),
    }


def _keep(lowered: Lowered, folder: Path) -> None:
    if lowered.hlo is not None:
        (folder / HLO).write_text(lowered.hlo)
        (folder / PROTO).write_bytes(lowered.proto)


def _equality(
    example: Example, actual: tuple[equality.Values, ...], alternative: Alternative | None, native: bool
) -> dict[str, Any]:
    """How equal the numbers are; `native`: whether 64-bit integers are computed as such, not cut to 32 bits."""
    try:
        expected = lowering.reference(example)
    except (RuntimeError, AttributeError, NotImplementedError) as error:
        return {"equality": None, "no_reference": f"{type(error).__name__}: {error}"}
    if not native and any(value.beyond_32_bits for value in expected):
        return {"equality": None, "no_reference": f"the device cuts 64-bit integers to 32 bits without {NATIVE}"}
    found = equality.compare(expected, actual, alternative.tolerance if alternative else None)
    return {"equality": dataclasses.asdict(found)}
