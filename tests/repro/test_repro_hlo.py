"""Questions to HLO text, and edits of the serialised module."""

from __future__ import annotations

from neurontriage.repro import hlo, wire
from neurontriage.repro.attempt import instructions

TEXT = """HloModule IrToHlo.8

%add.1 (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(f32[] %x, f32[] %y)
}

ENTRY %IrToHlo.8 (p0: f32[1,2,5,5]) -> (s32[2,3]) {
  %p0.1 = f32[1,2,5,5]{3,2,1,0} parameter(0)
  %convolution.6 = f32[1,3]{1,0} convolution(f32[1,2] %a, f32[3,3] %b), window={size=3x3 pad=4_4x4_4 lhs_dilate=2x2}
  %sort.15 = (s32[2,3]{1,0}, s32[2,3]{1,0}) sort(s32[2,3]{1,0} %p0.1, s32[2,3]{1,0} %iota.2), dimensions={1}
  ROOT %tuple.9 = (s32[2,3]{1,0}) tuple(s32[2,3]{1,0} %sort.15)
}
"""


def test_operations_types_and_windows() -> None:
    assert hlo.has(TEXT, "sort")
    assert not hlo.has(TEXT, "convert")
    assert hlo.result_types(TEXT, "sort") == ["s32"]
    assert hlo.result_types(TEXT, "add") == ["f32"]
    assert hlo.windows(TEXT, "convolution") == [{"size": "3x3", "pad": "4_4x4_4", "lhs_dilate": "2x2"}]
    assert hlo.windows(TEXT, "sort") == [{}]
    assert hlo.uses_type(TEXT, "s32")
    assert not hlo.uses_type(TEXT, "s64", "c64")
    assert instructions(TEXT) == 7


def message(*fields: tuple[int, int, bytes]) -> bytes:
    return b"".join(wire.encode(*field) for field in fields)


def module(*opcodes: str) -> bytes:
    """Computations with one instruction per opcode, among fields that must survive."""
    instructions = [
        (wire.INSTRUCTIONS, 2, message((wire.OPCODE, 2, code.encode()), (35, 0, b"\x96\x01"))) for code in opcodes
    ]
    body = message((1, 2, b"entry"), *instructions)
    return message((1, 2, b"name"), (wire.COMPUTATIONS, 2, body), (9, 1, b"8 bytes!"), (10, 5, b"four"))


def test_an_edit_that_changes_nothing_gives_the_same_bytes() -> None:
    for whole in (module("sort", "add"), b""):
        assert wire.edit_instructions(whole, "sort", lambda found: found) == whole


def test_only_instructions_of_the_opcode_are_edited() -> None:
    extra = wire.encode(wire.RNG_ALGORITHM, 0, wire.varint(300))
    edited = wire.edit_instructions(module("sort", "add" * 100), "sort", lambda found: found + extra)
    assert edited.count(extra) == 1
    assert len(edited) == len(module("sort", "add" * 100)) + len(extra)
    assert list(wire.fields(edited))[-1] == (10, 5, b"four")


def test_numbers_are_written_seven_bits_at_a_time() -> None:
    assert [wire.varint(number) for number in (0, 1, 127, 128, 300)] == [b"\0", b"\1", b"\x7f", b"\x80\1", b"\xac\2"]
