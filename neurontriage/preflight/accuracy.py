"""The answer against the compiler at hand: `neuronx-cc list-operators --framework XLA`. Without a compiler: not run."""

from __future__ import annotations

import shutil
import subprocess

from neurontriage.operators.judge import Setting, judge
from neurontriage.operators.table import table
from neurontriage.preflight.capture import Capture
from neurontriage.preflight.model import Agreement

_LIMIT = 300.0


def agreement(capture: Capture, setting: Setting) -> Agreement:
    """Opcodes on which the compiler's own list and the table disagree."""
    path = shutil.which("neuronx-cc")
    if path is None:
        return Agreement(not_run="neuronx-cc is not installed here")
    try:
        ran = subprocess.run(
            [path, "list-operators", "--framework", "XLA"], capture_output=True, text=True, timeout=_LIMIT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Agreement(not_run=f"neuronx-cc list-operators: {error}")
    names = ran.stdout.split()
    if ran.returncode or not names:
        return Agreement(
            not_run=f"neuronx-cc list-operators ended with exit status {ran.returncode} and listed nothing"
        )
    return _compared(capture, setting, frozenset(names))


def _compared(capture: Capture, setting: Setting, listed: frozenset[str]) -> Agreement:
    by_opcode: dict[str, set[str]] = {}
    for name, opcode in table().supported.items():
        by_opcode.setdefault(opcode, set()).add(name)
    outcomes: dict[str, set[str]] = {}
    for graph in capture.graphs:
        for use in graph.uses:
            outcomes.setdefault(use.instruction.opcode, set()).add(judge(use.instruction, setting).outcome)
    known = {opcode: outcome for opcode, outcome in outcomes.items() if opcode in by_opcode}
    differing = []
    for opcode, outcome in sorted(known.items()):
        compiler = bool(by_opcode[opcode] & listed)
        if not compiler and outcome == {"supported"}:
            differing.append(f"{opcode}: supported here, not in the compiler's list")
        elif compiler and outcome == {"unsupported"}:
            differing.append(f"{opcode}: unsupported here in every use, in the compiler's list")
    return Agreement(len(known), tuple(differing))
