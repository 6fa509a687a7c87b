"""Every alternative on other inputs: three seeds, three shapes, bfloat16, zero, NaN, infinities; eager and compiled.

`python wide_check.py FOLDER PART PARTS` leaves one JSON file per case; each case runs in a process of its own.
"""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("PJRT_DEVICE", "CPU")
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")  # machine code need not be fast here

import torch
import torch_xla
import wide_inputs

from neurontriage.repro import lowering, processes
from neurontriage.repro.case import Alternative, Case, Example, Tolerance
from neurontriage.repro.catalogue import all_cases, uses_xla
from neurontriage.repro.equality import compare

SEEDS = (0, 1, 2)
ON_DEVICE_ONLY = {"XLA-InferenceTensorVersion", "XLA-ViewOperator"}
"""Their environment variable must be set before torch-xla is imported: whole cases show them."""
NEED_XLA = {"torch-xla-scan", "weight-in-carry", "weight-per-step", "build-on-the-device"}
"""Alternatives that are written for tensors on an XLA device."""
NO_CLIENT = "AllReduce for datatype 'bf16' is not supported"
"""What XLA's CPU client has no kernel for."""
RAISED = (RuntimeError, IndexError, TypeError, ValueError, NotImplementedError, AttributeError)


@functools.cache
def inputs_of(case_id: str) -> list[tuple[str, tuple[Any, ...]]]:
    """All inputs of a case with a name each."""
    case, made = all_cases()[case_id], []
    for seed in SEEDS:
        torch.manual_seed(seed)
        made.append((f"seed {seed}", tuple(case.build().inputs)))
        made += [(f"seed {seed}, shape {n}", given) for n, given in enumerate(wide_inputs.SHAPES[case_id]())]
    return made + wide_inputs.special(made[0][1])


@functools.cache
def expected_of(case_id: str) -> dict[str, Any]:
    """The reference for each input, None where torch itself refuses it."""
    example = all_cases()[case_id].build()
    values: dict[str, Any] = {}
    for name, given in inputs_of(case_id):
        try:
            values[name] = lowering.reference(Example(example.function, copies(given), example.reference))
        except RAISED:
            values[name] = None
    return values


def copies(given: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(value.clone() if torch.is_tensor(value) else value for value in given)


def ways(case: Case, each: Alternative) -> list[str]:
    eager = (not uses_xla(case.ID) or case.NEEDS.compiler == "xla-cpu") and each.name not in NEED_XLA
    return ["compiled"] * (case.ID not in ON_DEVICE_ONLY) + ["eager"] * eager


def computed(way: str, each: Alternative, given: tuple[Any, ...]) -> Any:
    if way == "eager":
        return lowering.read(lowering.flat(each.function(*copies(given))))
    lowered = lowering.lower(each.function, copies(given))
    lowering.synchronise()
    return lowering.read(lowered.outputs)


def found(case: Case, each: Alternative) -> Iterator[dict[str, Any]]:
    """For every input that has a reference and every way: within the preconditions, equal, and why not.

    bfloat16 carries eight bits through every step, so there sums of many get room.
    """
    for way in ways(case, each):
        for name, given in inputs_of(case.ID):
            expected = expected_of(case.ID)[name]
            if expected is None:
                continue
            within = all(condition.holds(*given) for condition in each.requires)
            said = {"way": way, "input": name, "within": within}
            try:
                actual = computed(way, each, given)
            except RAISED as error:
                if NO_CLIENT in str(error):
                    return
                yield {**said, "equal": False, "why": f"{type(error).__name__}: {error}"[:200]}
                return
            equality = compare(expected, actual, Tolerance(0.05, 0.05) if name == "bf16" else each.tolerance)
            why = equality.reason and f"{equality.reason} (largest error {equality.max_abs_error})"
            yield {**said, "equal": equality.equivalent, "why": why}


def check(case: Case, folder: Path) -> None:
    """Writes what was found for each alternative that is listed as working."""
    torch_xla.device()
    tried = [each for each in case.ALTERNATIVES if each.works and not each.settings_only]
    results = {each.name: list(found(case, each)) for each in tried if each.kind != "semantics-changing"}
    (folder / f"{case.ID}.json").write_text(json.dumps(results))


def main(folder: Path, part: int, parts: int) -> None:
    """Every case of one part, each in a process of its own."""
    cases = [case for case in all_cases().values() if case.ID in wide_inputs.SHAPES]
    for case in cases[part::parts]:
        processes.fork(functools.partial(check, case, folder), folder / f"{case.ID}.log", 120)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
