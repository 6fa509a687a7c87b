"""An instruction and a target → the documented limits that it meets, by the table, whatever the version."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from neurontriage.hlo.instruction import Instruction, Shape
from neurontriage.operators.table import Limit, opcode_of, table

_TORCH_TYPES = {
    "ComplexDouble": "c128",
    "ComplexFloat": "c64",
    "BFloat16": "bf16",
    "Double": "f64",
    "Float": "f32",
    "Half": "f16",
    "Long": "s64",
    "Int": "s32",
    "Short": "s16",
    "Char": "s8",
    "Byte": "u8",
    "Bool": "pred",
}
_TORCH_TYPE = re.compile(rf": ({'|'.join(_TORCH_TYPES)})\(")


@dataclass(frozen=True, slots=True)
class Match:
    """Why something is refused: the entry, what was seen, how sure (`instruction`, `graph` or `name`)."""

    entry: str
    seen: str
    basis: str = "instruction"
    since: tuple[tuple[str, str], ...] = ()
    """Versions from which on this very instruction is announced to compile."""


def holds(limit: Limit, i: Instruction, target: str) -> bool:
    """Whether every condition of a row holds for an instruction."""
    first = i.operands[0].dtype if i.operands else ""
    return (
        (not limit.opcode or i.opcode in limit.opcode)
        and (not limit.dtype or bool(limit.dtype.intersection(i.dtypes)))
        and (not limit.target or target in limit.target)
        and (not limit.first or first in limit.first)
        and (not limit.first_not or (first != "" and first not in limit.first_not))
        and _attributes_hold(limit, i)
        and (not limit.dynamic or any(shape.dynamic for shape in i.shapes))
        and (limit.value_from is None or any(v.isdigit() and int(v[:40]) >= limit.value_from for v in i.values))
    )


def _attributes_hold(limit: Limit, i: Instruction) -> bool:
    combiner = i.attributes.get("combiner")
    return (
        all(any(number > 1 for number in i.numbers("window", part)) for part in limit.window)
        and (limit.operands_above is None or len(i.operands) > limit.operands_above)
        and all(i.attributes.get(key, value) != value for key, value in limit.attribute_not.items())
        and (not limit.call or i.call in limit.call)
        and (
            not limit.call_not_known
            or (i.call != "" and i.call not in table().custom_calls | table().partitioner_calls)
        )
        and (not limit.beyond or i.attributes.get("beyond") == limit.beyond)
        and (not limit.combiner or combiner is None or combiner in limit.combiner)
    )


def met(i: Instruction, target: str) -> tuple[Limit, ...]:
    """Every row that holds, in the order of the table."""
    by_opcode = _by_opcode()
    return tuple(limit for limit in by_opcode.get(i.opcode, by_opcode[""]) if holds(limit, i, target))


@lru_cache(maxsize=1)
def _by_opcode() -> dict[str, list[Limit]]:
    """The rows that may hold for each opcode that one of them names, and as "" those for any other."""
    limits = table().limits
    named = {"", *(opcode for limit in limits for opcode in limit.opcode)}
    return {opcode: [limit for limit in limits if not limit.opcode or opcode in limit.opcode] for opcode in named}


def of_instruction(instruction: Instruction, target: str) -> tuple[Match, ...]:
    """Every limit that an instruction meets, said in words."""
    return tuple(
        Match(limit.entry, said(limit, instruction, target), since=since(limit, instruction))
        for limit in met(instruction, target)
    )


def said(limit: Limit, i: Instruction, target: str) -> str:
    """What was found, for the reader."""
    wanted = limit.dtype or limit.first
    dtypes = [d for d in i.dtypes if not wanted or d in wanted]
    reach = i.attributes.get("reach", "").strip('"')
    return limit.seen.format(dtypes=", ".join(dtypes), opcode=i.opcode, call=i.call, target=target, reach=reach)


def since(limit: Limit, i: Instruction) -> tuple[tuple[str, str], ...]:
    """From which versions on this instruction is announced to compile; empty where nothing says so."""
    lifted = limit.lifted
    if lifted is None or i.opcode not in lifted.opcode:
        return ()
    refused = limit.dtype.intersection(i.dtypes)
    return tuple(lifted.since.items()) if refused <= lifted.dtype else ()


def of_graph(kind: str, graph: str, target: str) -> tuple[Match, ...]:
    """The same table asked with the element types of a TorchScript graph (`opGraph`)."""
    return _of_types(kind.rpartition("::")[2], tuple(_TORCH_TYPE.findall(graph)), target)


@lru_cache(maxsize=4096)
def _of_types(name: str, types: tuple[str, ...], target: str) -> tuple[Match, ...]:
    shapes = tuple(Shape(_TORCH_TYPES[found]) for found in types)
    matches = of_instruction(Instruction(opcode_of().get(name, name), operands=shapes), target)
    return tuple(replace(match, basis="graph") for match in matches)


def of_kind(kind: str) -> tuple[Match, ...]:
    """What the operator's name alone tells."""
    name = kind.rpartition("::")[2]
    found = [row for row in table().names if re.fullmatch(row.pattern, name)]
    return tuple(Match(row.entry, f"the operator {kind}", "name") for row in found)
