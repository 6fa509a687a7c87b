"""What may fail or cost although every operator compiles: size, constants, dynamic shapes, padding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from neurontriage.hlo import shapes
from neurontriage.operators.judge import Setting
from neurontriage.preflight.capture import Capture, Graph
from neurontriage.preflight.model import Advice, Memory

PARTITIONS = 128
"""Rows of the on-chip memory and of the matrix unit of a NeuronCore."""
DEVICE_LIMIT = 5_000_000
"""Device instructions of one NEFF (entry CC-InstructionLimit: five or ten million, by version)."""
TILE = 128 * 512
"""Elements that one device instruction covers at best: 128 partitions by 512 columns."""
LARGE_CONSTANT = 1024**2
OUTPUT_LIMIT = 4 * 1024**3
_WASTE = 0.25
_SITES = 5
_RANDOM = frozenset({"rng", "rng-bit-generator"})


def advise(capture: Capture, setting: Setting, memory: Memory) -> tuple[Advice, ...]:
    """Everything worth a word, what fails first."""
    return tuple(one for check in _CHECKS for one in check(capture, setting, memory))


def _memory(capture: Capture, setting: Setting, memory: Memory) -> Iterator[Advice]:
    if memory.fits is False:
        short = (memory.needed - (memory.available or 0)) / 1024**3
        yield Advice(
            "Does not fit into the memory of one core",
            f"By this estimate {short:.1f} GiB too much: shard the model (--tp, --pp), or a smaller type or batch.",
            "NCC-EVRF009",
        )


def _size(capture: Capture, setting: Setting, memory: Memory) -> Iterator[Advice]:
    for graph in capture.graphs:
        lowest = _device_instructions(graph)
        if lowest > DEVICE_LIMIT:
            yield Advice(
                "The graph is larger than one NEFF may be",
                f"{graph.id}: at least {lowest:,} device instructions of 128 x 512 elements; the limit is about "
                f"{DEVICE_LIMIT:,}.",
                "CC-InstructionLimit",
            )


def _device_instructions(graph: Graph) -> int:
    """A lower bound: every result is written once, in tiles of at most 128 x 512 elements."""
    total = 0
    for use in graph.uses:
        for shape in use.instruction.result:
            elements = 1
            for size in shape.sizes:
                elements *= size
            total += use.count * -(-elements // TILE)
    return total


def _outputs(capture: Capture, setting: Setting, memory: Memory) -> Iterator[Advice]:
    released = setting.sdk.split(".")[:2] in (["2", "27"], ["2", "28"], ["2", "29"])
    for graph in capture.graphs if released else ():
        if graph.module is None:
            continue
        root = graph.module.by_id[graph.module.entry.root_id]
        parts = root.shape.tuple_shapes or [root.shape]
        if any(shapes.size(part) > OUTPUT_LIMIT for part in parts):
            yield Advice("An output is larger than 4 GB", f"{graph.id}: a limit of SDK 2.27 to 2.29.0.", "NCC-EVRF024")


def _constants(capture: Capture, setting: Setting, memory: Memory) -> Iterator[Advice]:
    for graph in capture.graphs:
        instructions: Any = graph.module.instructions if graph.module else ()
        large = [
            shapes.text(i.shape)
            for i in instructions
            if i.opcode == "constant" and shapes.size(i.shape) > LARGE_CONSTANT
        ]
        if large:
            detail = (
                f"{graph.id}: {', '.join(large[:3])}. They are stored in the graph, and a change of one compiles again."
            )
            yield Advice("Large constants in the graph", detail + " Pass them as inputs.")


def _dynamic(capture: Capture, setting: Setting, memory: Memory) -> Iterator[Advice]:
    places = _places(capture, lambda use: any(shape.dynamic for shape in use.instruction.shapes))
    if places is not None:
        yield Advice(
            "Dimensions without a fixed size", "Pad to buckets, or compile with dynamic=False.", "NCC-EMOD025", places
        )


def _random(capture: Capture, setting: Setting, memory: Memory) -> Iterator[Advice]:
    places = _places(capture, lambda use: use.instruction.opcode in _RANDOM)
    if places is not None:
        yield Advice(
            "Random numbers in the graph", "They differ from those of the CPU for the same seed.", None, places
        )


def _places(capture: Capture, wanted: Callable[[Any], bool]) -> tuple[str, ...] | None:
    """The first lines of yours that hold what is wanted, none where it has no line; None where nothing holds it."""
    found = [use.site for graph in capture.graphs for use in graph.uses if wanted(use)]
    return tuple(dict.fromkeys(filter(None, found)))[:_SITES] if found else None


def _padding(capture: Capture, setting: Setting, memory: Memory) -> Iterator[Advice]:
    """Matrix products whose sizes fill the 128 partitions badly; the share of rows that carry nothing."""
    worst: Counter[tuple[int, str]] = Counter()
    for graph in capture.graphs:
        for use in graph.uses:
            if use.instruction.opcode != "dot":
                continue
            for size in {s for shape in use.instruction.operands for s in shape.sizes if s > PARTITIONS}:
                padded = -(-size // PARTITIONS) * PARTITIONS
                if (padded - size) / padded > _WASTE:
                    worst[size, use.site] += use.count
    for (size, place), count in worst.most_common(_SITES):
        padded = -(-size // PARTITIONS) * PARTITIONS
        waste = 100 * (padded - size) / padded
        yield Advice(
            f"The size {size} fills 128 partitions badly",
            f"In {count:,} matrix products {waste:.0f} % carries nothing; {padded} or {padded - PARTITIONS} fit.",
            None,
            (place,) if place else (),
        )


_CHECKS = (_memory, _size, _outputs, _constants, _dynamic, _padding, _random)
