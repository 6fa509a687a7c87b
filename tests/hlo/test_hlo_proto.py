"""Modules keep every field; text and proto say the same; odd files get one clear message."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.errors import TriageError
from neurontriage.hlo import dtypes, files, printing, shapes
from neurontriage.hlo.module import Module
from neurontriage.hlo.schema import messages

SAMPLES = sorted((Path(__file__).parents[2] / "samples" / "hlo").glob("*.hlo_module.pb"))
"""Lowered by torch-xla 2.9 from small models of ours; paths replaced."""


def varint(number: int) -> bytes:
    head, rest = number & 0x7F, number >> 7
    return bytes([head | 0x80]) + varint(rest) if rest else bytes([head])


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_reading_and_writing_gives_the_same_bytes(path: Path) -> None:
    data = path.read_bytes()
    assert files.dump(files.parse("x", data).module) == data


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_text_carries_everything_over(path: Path) -> None:
    module = files.load(path).module
    text = printing.module_text(module)
    again = files.parse("text", text.encode())
    assert not again.lost
    assert printing.module_text(again.module) == text
    for one, other in zip(module.instructions, again.module.instructions, strict=True):
        assert module.view(one) == again.module.view(other)


NUMBERS = st.integers(min_value=0, max_value=2**31 - 1)
INSTRUCTION = st.fixed_dictionaries(
    {
        "name": st.text("abc.1", min_size=1, max_size=6),
        "opcode": st.sampled_from(["add", "dot", "custom-call", "all-reduce", "scatter"]),
        "id": st.integers(min_value=1, max_value=2**50),
        "channel_id": NUMBERS,
        "dimensions": st.lists(NUMBERS, max_size=3),
        "backend_config": st.binary(max_size=20),
        "custom_call_target": st.text(max_size=8),
        "indices_are_sorted": st.booleans(),
    }
)
UNKNOWN = st.tuples(st.integers(min_value=300, max_value=400), st.binary(max_size=30))


@settings(deadline=None)
@given(st.lists(INSTRUCTION, min_size=1, max_size=5), st.lists(UNKNOWN, max_size=3))
def test_every_field_survives_known_or_not(instructions: list[dict], unknown: list[tuple[int, bytes]]) -> None:
    extra = b"".join(varint(number << 3 | 2) + varint(len(value)) + value for number, value in unknown)
    proto = messages()["HloModuleProto"](name="m")
    computation = proto.computations.add(name="c", id=1)
    for fields in instructions:
        made = messages()["HloInstructionProto"](**fields)
        computation.instructions.append(type(made).FromString(made.SerializeToString() + extra))
    data = proto.SerializeToString(deterministic=True) + extra
    module = files.parse("x", data).module
    again = files.parse("x", files.dump(module)).module
    assert again.proto == module.proto
    for found, fields in zip(again.proto.computations[0].instructions, instructions, strict=True):
        kept = found.SerializeToString()
        assert {name: getattr(found, name) for name in fields} == fields
        assert all(value in kept for _, value in unknown)
    assert files.dump(again) == files.dump(module)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress, zstandard.compress])
def test_compressed_and_wrapped(pack) -> None:
    module = files.load(SAMPLES[0]).module
    read = files.parse("x", pack(files.dump(module, wrapped=True)))
    assert read.wrapped
    assert files.dump(read.module) == SAMPLES[0].read_bytes()


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress, zstandard.compress])
def test_a_bomb_is_refused(pack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "UNPACKED", 1 << 20)
    with pytest.raises(TriageError, match="unpacks to more than 1 MiB"):
        files.parse("x", pack(bytes(3 << 20)))


def test_a_file_larger_than_a_message_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.pb"
    with path.open("wb") as file:
        file.truncate(files.LARGEST)
    with pytest.raises(TriageError, match="2 GiB or more"):
        files.load(path)


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "empty"),
        (SAMPLES[0].read_bytes()[:-7], "truncated"),
        (b"\x1f\x8b\x08broken", "damaged"),
        (b"\x28\xb5\x2f\xfdbroken", "damaged"),
        (b"module @jit_f attributes {} {\n", "StableHLO"),
        (b"2025-10-31 ERROR something failed", "no HLO module"),
        (b"HloModule a\n\nENTRY e {\n  x = f32[] frobnicate(\n}\n", "line 5"),
        (b"HloModule a\n\nENTRY e {\n  ROOT x = f32[] add(y, y)\n}\n", "operand y"),
        (b"\x00\x01\x02" * 40, "not an HLO module"),
    ],
)
def test_odd_files_get_one_clear_message(data: bytes, word: str) -> None:
    with pytest.raises(TriageError) as caught:
        files.parse("some.pb", data)
    assert "some.pb" in str(caught.value)
    assert word in str(caught.value)
    assert caught.value.expected


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_answered(data: bytes) -> None:
    try:
        found = files.parse("x", data)
    except TriageError:
        return
    assert isinstance(found.module, Module)


TEXT = """HloModule train, input_output_alias={ {0}: (0, {}, may-alias) }, frontend_attributes={a="b"}

%body (p: (s32[], f32[2])) -> (s32[], f32[2]) {
  ROOT %p = (s32[], f32[2]{0}) parameter(0)
}

%cond (q: (s32[], f32[2])) -> pred[] {
  %q = (s32[], f32[2]{0}) parameter(0)
  ROOT %c = pred[] constant(true)
}

ENTRY %main (x: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0), sharding={devices=[2,1]<=[2] last_tile_dim_replicate}
  %n = s32[] constant(-3)
  %h = bf16[2]{0} constant({1.5, -2})
  %t = (s32[], f32[2]{0}) tuple(%n, %x)
  %w = (s32[], f32[2]{0}) while((s32[], f32[2]{0}) %t), condition=%cond, body=%body
  %g = f32[2]{0} get-tuple-element(%w), index=1
  ROOT %r = f32[2]{0} all-reduce(%g), replica_groups=[2,4]<=[8]T(1,0), to_apply=%cond, control-predecessors={%h}
}
"""


def test_module_text_becomes_a_proto() -> None:
    read = files.parse("t", TEXT.encode())
    module = read.module
    assert not read.lost
    by_name = {i.name: i for i in module.entry.instructions}
    loop = by_name["w"]
    assert [c.name for c in module.called(loop)] == ["body", "cond"]
    assert by_name["r"].collective_device_list.iota_replica_group_list.num_devices_per_group == 4
    assert by_name["r"].control_predecessor_ids == [by_name["h"].id]
    assert by_name["x"].sharding.replicate_on_last_tile_dim
    assert module.view(by_name["h"]).values == ("{1.5, -2}",)
    assert module.proto.input_output_alias.entries[0].kind == 1
    assert shapes.size(module.entry.program_shape.result) == 8


def test_what_a_text_cannot_carry_over_is_counted() -> None:
    text = (
        "HloModule a\n\nENTRY e {\n  c = f32[4]{0} constant({...})\n  ROOT y = f32[4]{0} copy(c), strange_option=7\n}\n"
    )
    assert files.parse("t", text.encode()).lost == {"constant {...}": 1, "strange_option": 1}


def test_element_types() -> None:
    assert len(set(dtypes.NUMBERS.values())) == len(dtypes.NUMBERS)
    assert [dtypes.size(name, 3) for name in ("pred", "s4", "f8e4m3fn", "bf16", "f32", "c128", "token")] == [
        3, 2, 3, 6, 12, 48, 0,
    ]  # fmt: skip


def test_frames_and_names() -> None:
    module = files.load(SAMPLES[-1]).module
    topk = next(i for i in module.entry.instructions if i.opcode == "sort")
    assert any(frame.file == "/home/user/model.py" for frame in module.frames(topk))
    assert module.view(topk).attributes["to_apply"].startswith("%compare")
