"""A stand-in for neuronx-cc: fails by what a module holds, with lines as the compiler prints them. It compiles nothing.

Told by STANDIN: `dot-exp` (fails with TEN404 while a dot and an exponential are there), `sort` (NCC_EVRF029),
`slip` (NCC_EVRF001 of a sort, and of a triangular-solve where no sort is left), `size` (XTP002 while a dimension is
above 60), `hang` (never answers for a module without a dot).
"""

import os
import sys
import time
from pathlib import Path

from neurontriage.hlo import files

module = files.load(Path(sys.argv[1])).module
opcodes = {i.opcode for i in module.entry.instructions}
sizes = [size for i in module.entry.instructions for size in i.shape.dimensions]
play = os.environ["STANDIN"]


def fail(line: str, status: int = 70) -> None:
    sys.stdout.write(f"stand-in compiler, compiles nothing\n{line}\n")
    sys.exit(status)


if play == "hang" and "dot" not in opcodes:
    time.sleep(60)
if play in ("dot-exp", "hang") and {"dot", "exponential"} <= opcodes:
    fail("2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC")
if play == "sort" and "sort" in opcodes:
    fail("[ERROR] [NCC_EVRF029] Operation sort is not supported on trn2.", 1)
if play == "slip":
    if "sort" in opcodes:
        fail("[ERROR] [NCC_EVRF001] Operator sort is not supported.", 1)
    if "triangular-solve" in opcodes:
        fail("[ERROR] [NCC_EVRF001] Operator triangular-solve is not supported.", 1)
if play == "size" and "dot" in opcodes and max(sizes) > 60:
    fail("2025-10-31T07:17:12Z [XTP002] Number of instructions (5100000) is over the threshold (5000000)")
sys.stdout.write("stand-in compiler, compiles nothing\nCompiler status PASS\n")
