"""Edits an HLO module in its serialised form: for structures that torch cannot express.

Protocol buffers are (tag, value) pairs; a tag is field number * 8 + wire type. Only what lies on the
way to the edited instruction is taken apart, everything else is copied byte for byte.
Field numbers: xla/service/hlo.proto of OpenXLA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

Edit = Callable[[bytes], bytes]
COMPUTATIONS, INSTRUCTIONS = 3, 2
OPCODE, SHAPE, WINDOW, RNG_ALGORITHM = 2, 3, 15, 70
LENGTH_DELIMITED = 2


def edit_instructions(module: bytes, opcode: str, edit: Edit) -> bytes:
    """The module with `edit` applied to every instruction of this opcode."""

    def if_opcode(instruction: bytes) -> bytes:
        is_it = any(number == OPCODE and value == opcode.encode() for number, _, value in fields(instruction))
        return edit(instruction) if is_it else instruction

    return rewrite(module, COMPUTATIONS, lambda body: rewrite(body, INSTRUCTIONS, if_opcode))


def rewrite(message: bytes, field: int, edit: Edit) -> bytes:
    """The message with `edit` applied to every value of one length-delimited field."""
    parts = []
    for number, wire_type, value in fields(message):
        chosen = number == field and wire_type == LENGTH_DELIMITED
        parts.append(encode(number, wire_type, edit(value) if chosen else value))
    return b"".join(parts)


def fields(message: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Field number, wire type and raw value (without its length) of each field in order."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        start, wire_type = at, tag & 7
        if wire_type == LENGTH_DELIMITED:
            size, start = _varint(message, at)
            at = start + size
        elif wire_type == 0:
            _, at = _varint(message, at)
        else:
            at += 8 if wire_type == 1 else 4
        yield tag >> 3, wire_type, message[start:at]


def encode(number: int, wire_type: int, value: bytes) -> bytes:
    """One field with its tag, and its length where it has one."""
    length = varint(len(value)) if wire_type == LENGTH_DELIMITED else b""
    return varint(number << 3 | wire_type) + length + value


def varint(number: int) -> bytes:
    """A number as protocol buffers write it: seven bits per byte, the lowest first."""
    head, rest = number & 0x7F, number >> 7
    return bytes([head | 0x80]) + varint(rest) if rest else bytes([head])


def _varint(message: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = message[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at
