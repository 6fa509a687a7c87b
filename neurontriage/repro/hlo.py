"""Questions to HLO text: which operations, types and windows are in it."""

from __future__ import annotations

import re

INSTRUCTION = re.compile(r"^\s+(?:ROOT )?%\S+ = (?P<shape>\([^)]*\)|\S+) (?P<opcode>[a-z0-9-]+)\((?P<rest>.*)$", re.M)


def operations(hlo: str, opcode: str) -> list[str]:
    """Shape, operands and attributes of every instruction with this opcode, as `shape|rest`."""
    return [f"{m['shape']}|{m['rest']}" for m in INSTRUCTION.finditer(hlo) if m["opcode"] == opcode]


def has(hlo: str, opcode: str) -> bool:
    """Whether the opcode is used."""
    return bool(operations(hlo, opcode))


def windows(hlo: str, opcode: str) -> list[dict[str, str]]:
    """The `window={...}` attributes of every instruction with this opcode."""
    found = []
    for operation in operations(hlo, opcode):
        window = re.search(r"window=\{([^}]*)\}", operation)
        found.append(dict(part.split("=", 1) for part in window[1].split()) if window else {})
    return found


def uses_type(hlo: str, *types: str) -> bool:
    """Whether a tensor of one of these element types is in the graph."""
    return re.search(rf"\b(?:{'|'.join(types)})\[", hlo) is not None


def result_types(hlo: str, opcode: str) -> list[str]:
    """Element types of the (first) result of every instruction with this opcode."""
    return [operation.lstrip("(").split("[", 1)[0] for operation in operations(hlo, opcode)]
