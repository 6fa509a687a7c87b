"""Preflight and reduce on real models: seconds, memory, calls, what several workers bring. Needs the extra `xla`.

python benchmarks/graphs.py     prints two tables; nothing is asserted
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measuring import TOOL, Program, run

from neurontriage.hlo import files
from neurontriage.hlo.module import Module
from neurontriage.reduce.asking import Asker, Budget
from neurontriage.reduce.predicate import Answer, Stop
from neurontriage.reduce.session import Reduction, size

MODELS = Path(__file__).parent / "models"
PREFLIGHTS = {
    "132M training step, torch-xla": ["training_step.py", "--target", "trn2"],
    "6.7B training step, torch.compile": ["llama:training_step", "--meta", "--target", "trn2", "--tp", "8"],
    "Llama block, torch.compile": ["llama:block", "--target", "trn2"],
}
SLEEP = 1.0
WORKERS = (2, 4, 8)


def preflights() -> None:
    print("| preflight | seconds | seconds of a core | peak memory of one process, MB |\n|---|---|---|---|")
    for name, arguments in PREFLIGHTS.items():
        cost = run(Program([*TOOL, "preflight", *arguments], (0, 1), "Graphs and their instructions", MODELS))
        print(f"| {name} | {cost.wall:.1f} | {cost.cpu:.1f} | {cost.memory:.0f} |")


def training_step(folder: Path) -> Module:
    """The first graph of the training step, captured as preflight does."""
    environment = {**os.environ, "PJRT_DEVICE": "CPU", "XLA_IR_DEBUG": "1"}
    command = [sys.executable, "-m", "neurontriage.preflight.child", str(folder), "xla", "dry", "training_step.py"]
    subprocess.run(
        command, cwd=MODELS, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return files.load(folder / "graph-0001.hlo_module.pb").module


def opcodes(module: Module) -> list[str]:
    return [i.opcode for i in module.entry.instructions]


def softmax_of_a_dot(module: Module) -> bool:
    """A division of an exponential, fed by a dot, by the broadcast of a reduction."""

    def reaches(i: object, opcode: str, depth: int) -> bool:
        if i.opcode == opcode:  # type: ignore[attr-defined]
            return True
        return depth > 0 and any(reaches(operand, opcode, depth - 1) for operand in module.operands(i))

    for i in module.entry.instructions:
        if i.opcode == "divide":
            above, below = module.operands(i)
            sums = below.opcode == "broadcast" and module.operands(below)[0].opcode == "reduce"
            if above.opcode == "exponential" and sums and reaches(above, "dot", 6):
                return True
    return False


FAILURES: dict[str, Callable[[Module], bool]] = {
    "softmax fed by a dot": softmax_of_a_dot,
    "one rng-bit-generator": lambda m: "rng-bit-generator" in opcodes(m),
    "scatter and rsqrt": lambda m: {"scatter", "rsqrt"} <= set(opcodes(m)),
    "ten dots": lambda m: opcodes(m).count("dot") >= 10,
}
"""Stand-ins for a compiler: what must be in a module for it to fail."""


def reduced(module: Module, fails: Callable[[Module], bool], workers: int, pause: float) -> tuple[int, int, float]:
    """Operators left, calls, seconds."""

    def predicate(data: bytes, stop: Stop) -> Answer:
        if stop.wait(pause):
            return Answer("stopped")
        return Answer("same" if fails(files.parse("candidate", data).module) else "passes")

    with tempfile.TemporaryDirectory() as folder:
        asker = Asker(predicate, Path(folder), Budget(workers=workers))
        started = time.monotonic()
        found = Reduction(module, asker, None, False, lambda _: None).run()
        asker.close()
        return size(found), asker.calls, time.monotonic() - started


def main() -> None:
    preflights()
    with tempfile.TemporaryDirectory() as folder:
        module = training_step(Path(folder))
    print(f"\n| reduce {len(module.entry.instructions):,} instructions | operators left | calls | own seconds |")
    print("|---|---|---|---|")
    for name, fails in FAILURES.items():
        print("| {} | {} | {} | {:.1f} |".format(name, *reduced(module, fails, 1, 0.0)))
    print(
        "\n| predicate of 1 s | one worker, s | "
        + " | ".join(f"{n} workers, times faster | calls" for n in WORKERS)
        + " |"
        + "\n|---|---"
        + "|---|---" * len(WORKERS)
        + "|"
    )
    for name, fails in FAILURES.items():
        alone = reduced(module, fails, 1, SLEEP)[2]
        several = [reduced(module, fails, workers, SLEEP) for workers in WORKERS]
        print(f"| {name} | {alone:.0f} | " + " | ".join(f"{alone / s:.2f} | {calls}" for _, calls, s in several) + " |")


if __name__ == "__main__":
    main()
