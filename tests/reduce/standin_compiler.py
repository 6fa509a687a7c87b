"""A stand-in for neuronx-cc: fails by what a module holds, with lines as the compiler prints them. It compiles nothing.

Told by STANDIN: `dot-exp` (fails with TEN404 while a dot and an exponential are there), `sort` (NCC_EVRF029),
`slip` (NCC_EVRF001 of a sort, and of a triangular-solve where no sort is left), `size` (XTP002 while a dimension is
above 60), `hang` (never answers for a module without a dot). STANDIN_SECONDS: how long an answer takes.
It imports nothing heavy: it is started hundreds of times.
"""

import os
import sys
import time

MODULE_COMPUTATIONS, MODULE_ENTRY, COMPUTATION_ID, INSTRUCTIONS, OPCODE, SHAPE, DIMENSIONS = 3, 6, 5, 2, 2, 3, 3


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at


def fields(data):
    """(number, value) of a message of protocol buffers, in order."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 2:
            size, at = varint(data, at)
            yield tag >> 3, data[at : at + size]
            at += size
        elif tag & 7 == 0:
            value, at = varint(data, at)
            yield tag >> 3, value
        else:
            at += 8 if tag & 7 == 1 else 4


def of(data, number):
    return [value for found, value in fields(data) if found == number]


def numbers(packed):
    at, found = 0, []
    while at < len(packed):
        value, at = varint(packed, at)
        found.append(value)
    return found


def fail(line, status=70):
    sys.stdout.write(f"stand-in compiler, compiles nothing\n{line}\n")
    sys.exit(status)


with open(sys.argv[1], "rb") as file:
    module = file.read()
entry = next(c for c in of(module, MODULE_COMPUTATIONS) if of(c, COMPUTATION_ID) == of(module, MODULE_ENTRY))
instructions = of(entry, INSTRUCTIONS)
opcodes = {of(i, OPCODE)[0].decode() for i in instructions}
play = os.environ["STANDIN"]
time.sleep(float(os.environ.get("STANDIN_SECONDS", "0")))

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
if play == "size" and "dot" in opcodes:
    shapes = [shape for i in instructions for shape in of(i, SHAPE)]
    if any(size > 60 for shape in shapes for packed in of(shape, DIMENSIONS) for size in numbers(packed)):
        fail("2025-10-31T07:17:12Z [XTP002] Number of instructions (5100000) is over the threshold (5000000)")
sys.stdout.write("stand-in compiler, compiles nothing\nCompiler status PASS\n")
