"""An HLO module → a Graph: uses of operators with their aten name and the user's line, inputs, peak of live bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from neurontriage.hlo import shapes
from neurontriage.hlo.module import UNCOUNTED, Module
from neurontriage.hlo.printing import bare
from neurontriage.preflight.capture import Graph, Use
from neurontriage.preflight.child.events import library, site

Proto = Any

_BODIES = frozenset({"while", "conditional", "call", "fusion", "async-start"})
"""Opcodes whose called computations hold work of their own; the others call reducers and comparators."""
_INSERTED = ("xla__", "prim__")
"""torch-xla's own operators (casts, constants): they belong to the aten operator that uses them."""


def graph_of(module: Module, identity: str, place: tuple[str, str, str] = ("", "", "")) -> Graph:
    """`place` is (cause, site, function) of the cut that ended the graph."""
    found: dict[tuple[str, str, str], Use] = {}
    for computation, users, caller in _computations(module):
        for i in computation.instructions:
            if _counted(i):
                use = _use(module, users, i, caller)
                before = found.get((use.name, use.text, use.site))
                found[use.name, use.text, use.site] = replace(use, count=before.count + 1) if before else use
    uses = tuple(found.values())
    inputs = tuple((array.dtype, array.sizes) for p in module.parameters for array in shapes.arrays(p.shape))
    total = sum(len(c.instructions) for c in module.proto.computations)
    return Graph(identity, uses, total, inputs, peak_bytes(module.entry), place[0], place[1], place[2], module)


def _counted(i: Proto) -> bool:
    """Constants count only where a rule could ask about them: 64-bit unsigned ones."""
    return i.opcode not in UNCOUNTED or (i.opcode == "constant" and shapes.arrays(i.shape)[0].dtype == "u64")


def _computations(module: Module) -> Iterator[tuple[Proto, dict[int, Proto], str]]:
    """The entry and the bodies reached from it, each with the first user of every instruction and the caller's line."""
    waiting, seen = [(module.entry, "")], {module.entry.id}
    while waiting:
        computation, caller = waiting.pop()
        users: dict[int, Proto] = {}
        for i in computation.instructions:
            for operand in i.operand_ids:
                users.setdefault(operand, i)
            for called in module.called(i) if i.opcode in _BODIES else ():
                if called.id not in seen:
                    seen.add(called.id)
                    waiting.append((called, place_of(module, i) or caller))
        yield computation, users, caller


def _use(module: Module, users: dict[int, Proto], i: Proto, caller: str) -> Use:
    owner = _owner(users, i)
    view = module.view(i)
    name = _name(owner.metadata.op_type) or _primitive(i.metadata.op_name) or view.call or i.opcode
    place = place_of(module, i) or place_of(module, owner) or caller
    return Use("aten.sort" if _whole_sort(users, i) else name, view, place, bare(module, i))


def _owner(users: dict[int, Proto], i: Proto) -> Proto:
    """The instruction whose aten operator this one belongs to: itself, or what uses an inserted cast."""
    found = i
    for _ in range(4):
        if not found.metadata.op_type.startswith(_INSERTED) or found.id not in users:
            break
        found = users[found.id]
    return i if found.metadata.op_type.startswith(_INSERTED) else found


def _whole_sort(users: dict[int, Proto], i: Proto) -> bool:
    """torch-xla calls a sort a topk; it is one where all of the sorted values are taken, not the first k."""
    if i.opcode != "sort" or i.metadata.op_type != "aten__topk":
        return False
    element = users.get(i.id)
    taken = users.get(element.id) if element is not None else None
    return taken is not None and list(taken.shape.dimensions) == list(i.shape.tuple_shapes[0].dimensions)


def _name(op_type: str) -> str:
    """torch-xla writes `aten__mul` for aten::mul; other frontends write names of their own."""
    return op_type.replace("__", ".", 1) if "__" in op_type[1:] else ""


def _primitive(op_name: str) -> str:
    """JAX writes the way through its transformations: `jit(step)/transpose(jvp())/dot_general`."""
    way, _, primitive = op_name.rpartition("/")
    return f"jax.{primitive}" if way.startswith(("jit(", "pjit(", "pmap(")) and primitive.isidentifier() else ""


def place_of(module: Module, i: Proto) -> str:
    """The user's innermost line, empty where the module carries none."""
    for frame in module.frames(i):
        if not library(frame.file):
            return site(frame.file, frame.line)
    return ""


def peak_bytes(computation: Proto) -> int:
    """The largest sum of values alive at one instruction, in the module's order, without inputs and constants."""
    last: dict[int, int] = {}
    for number, i in enumerate(computation.instructions):
        for operand in i.operand_ids:
            last[operand] = number
    alive = peak = 0
    leaving: Counter[int] = Counter()
    for number, i in enumerate(computation.instructions):
        if i.opcode not in UNCOUNTED:
            size = shapes.size(i.shape)
            alive += size
            peak = max(peak, alive)
            leaving[last.get(i.id, number)] += size
        alive -= leaving.pop(number, 0)
    return peak
