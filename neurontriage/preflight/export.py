"""A preflight → the analyze report (result.json, training schema), which `neurontriage report` and others read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from neurontriage.operators.judge import Setting
from neurontriage.preflight.capture import Capture, Use
from neurontriage.preflight.judging import decide, distinct
from neurontriage.preflight.model import Preflight

ELEMENTWISE_ZERO = "0.00%"


@dataclass(frozen=True, slots=True)
class _Split:
    """Distinct instructions of all graphs, by whether they compile today; unknown ones are in neither."""

    supported: list[Use]
    refused: list[Use]


def exported(found: Preflight, verbosity: int) -> dict[str, Any]:
    """The document; verbosity 1 lists HLO instructions too (2 is what analyze writes by default).

    Counts of aten operators are approximate: which one identical instructions belong to differs between versions.
    """
    split = _split(found)
    supported: dict[str, Any] = {"aten": dict(Counter(_aten(use) for use in split.supported))}
    refused: dict[str, Any] = {"aten": list(_refusals(split.refused))}
    if verbosity == 1:
        supported["xla"] = [_text(use) for use in split.supported]
        refused["xla"] = [{"hlo_instruction": _text(use), "aten_op": _aten(use)} for use in split.refused]
    total = len(split.supported) + len(split.refused)
    return {
        "torch_neuronx_version": found.versions.get("torch-neuronx", ""),
        "neuronx_cc_version": found.versions.get("neuronx-cc", ""),
        "support_percentage": f"{100 * len(split.supported) / total:.2f}%" if total else ELEMENTWISE_ZERO,
        "supported_operators": supported,
        "unsupported_operators": refused,
    }


def _split(found: Preflight) -> _Split:
    capture = Capture(found.frontend, "", found.graphs, unsorted=found.unsorted)
    setting = Setting(found.target, found.sdk, found.flags)
    split = _Split([], [])
    for graph in found.graphs:
        for use in distinct(graph):
            outcome = decide(use, capture, setting)[0].outcome
            if outcome == "unsupported":
                split.refused.append(use)
            elif outcome != "unknown":
                split.supported.append(use)
    return split


def _refusals(refused: list[Use]) -> Iterator[dict[str, str]]:
    """One per operator and place, as analyze lists them: `call` is `file.py LINE`."""
    for name, site in dict.fromkeys((_aten(use), use.site) for use in refused):
        file, _, line = site.rpartition(":")
        yield {"kind": name, "failureAt": "neuronx-cc", "call": f"{file} {line}" if file else ""}


def _aten(use: Use) -> str:
    return use.name.replace("aten.", "aten::", 1) if use.name.startswith("aten.") else use.name


def _text(use: Use) -> str:
    """The instruction as analyze prints it; a line of the same form where only the aten operator is known."""
    if use.text:
        return use.text
    i = use.instruction
    results = ", ".join(map(str, i.result))
    results = results if len(i.result) == 1 else f"({results})"
    return f"{results} {i.opcode}({', '.join(map(str, i.operands))})"
