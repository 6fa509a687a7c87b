"""The answer against the compiler at hand: its own list of operators, and what it says of the graphs themselves.

`neuronx-cc list-operators --framework XLA` and `neuronx-cc compile`, as documented. Without a compiler: not run.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from neurontriage.hlo import files
from neurontriage.model import Diagnosis
from neurontriage.operators.judge import Setting, judge
from neurontriage.operators.table import table
from neurontriage.preflight.capture import Capture, Graph
from neurontriage.preflight.judging import decide
from neurontriage.preflight.model import Agreement

_LIMIT = 300.0
"""Seconds that the list, or one graph, may take."""
_GRAPHS = 3
"""So many graphs are compiled, the smallest first: one may take many minutes."""
_LONGEST = 4_000_000
Explain = Callable[[str], Diagnosis]


def agreement(capture: Capture, setting: Setting, explain: Explain) -> Agreement:
    """Where the compiler and the table disagree: on opcodes, and on whole graphs."""
    path = shutil.which("neuronx-cc")
    if path is None:
        return Agreement(not_run="neuronx-cc is not installed here")
    listed = _listed(path, capture, setting)
    whole = sorted((g for g in capture.graphs if g.module is not None), key=lambda g: g.instructions)
    found = [_compiled(path, graph, capture, setting, explain) for graph in whole[:_GRAPHS]]
    left = len(capture.graphs) - len(found)
    note = f"{left} graphs were not compiled (aten graphs, or more than {_GRAPHS})" if left else ""
    differing = (*listed.disagree, *(line for line in found if line))
    notes = (*listed.notes, *filter(None, [note]))
    return replace(listed, disagree=differing, graphs=len(found), notes=notes)


def _ran(command: Sequence[str], folder: str) -> tuple[int | None, str]:
    """Exit status (None: stopped at the time limit) and output. Raises OSError where it cannot be started."""
    output = Path(folder) / "output.txt"
    with output.open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            status: int | None = process.wait(_LIMIT)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    with output.open("rb") as log:
        log.seek(max(0, output.stat().st_size - _LONGEST))
        return status, log.read().decode("utf-8", "replace")


def _listed(path: str, capture: Capture, setting: Setting) -> Agreement:
    with tempfile.TemporaryDirectory(prefix="neurontriage-accuracy-") as folder:
        try:
            status, text = _ran([path, "list-operators", "--framework", "XLA"], folder)
        except OSError as error:
            return Agreement(not_run=f"neuronx-cc cannot be started: {error.strerror or error}")
    if status != 0 or not text.split():
        how = "was stopped at the time limit" if status is None else f"ended with exit status {status}"
        return Agreement(notes=(f"neuronx-cc list-operators {how} and listed nothing",))
    return _compared(capture, setting, frozenset(text.split()))


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


def _compiled(path: str, graph: Graph, capture: Capture, setting: Setting, explain: Explain) -> str:
    """How the compiler's word on one graph differs from ours; empty where it does not."""
    ours = sorted(_refusals(graph, capture, setting))
    with tempfile.TemporaryDirectory(prefix="neurontriage-accuracy-") as folder:
        module = Path(folder) / "graph.hlo_module.pb"
        assert graph.module is not None
        module.write_bytes(files.dump(graph.module))
        options = ["--target", setting.target, "--output", "graph.neff", *setting.flags]
        try:
            status, text = _ran([path, "compile", "--framework", "XLA", str(module), *options], folder)
        except OSError as error:
            return f"{graph.id}: not compiled, {error.strerror or error}"
    if status is None:
        return f"{graph.id}: not known, the compiler was stopped after {_LIMIT:.0f} s"
    if status == 0:
        return f"{graph.id}: {', '.join(ours)} here, but it compiles" if ours else ""
    theirs = sorted({finding.id for finding in explain(text).roots if finding.severity == "error"})
    if set(theirs) & set(ours):
        return ""
    said = ", ".join(theirs) or f"exit status {status}"
    return f"{graph.id}: {', '.join(ours) or 'nothing unsupported'} here, but the compiler fails with {said}"


def _refusals(graph: Graph, capture: Capture, setting: Setting) -> Iterator[str]:
    found = (decide(use, capture, setting)[0] for use in graph.uses)
    yield from {one.entry or "unsupported" for one in found if one.outcome == "unsupported"}
