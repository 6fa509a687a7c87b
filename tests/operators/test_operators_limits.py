"""Every row of the table holds for its documented case and not for the nearest case that compiles."""

from __future__ import annotations

import pytest

from neurontriage.hlo.text import parse
from neurontriage.operators import limits
from neurontriage.operators.table import table
from neurontriage.resources import knowledge

CONV = "f32[1,8,8,4] convolution(f32[1,8,8,4], f32[3,3,4,4]), window={{{}}}, dim_labels=b01f_01io->b01f"
WINDOW = "f32[4] reduce-window({}), window={{{}}}, to_apply=%add"
CALL = 'f32[4] custom-call(f32[4]), custom_call_target="{}"'


def indexed(opcode: str, source: str, end: int, size: int) -> tuple[str, str]:
    """An index beyond its table, as the reader of a module notes it, and one in bounds."""
    text = f"f32[{end},4] {opcode}(f32[{size},4], s32[{end}])"
    return f'{text}, beyond={source}, reach="{end} of {size}"', text


CASES = [
    # entry, refused, compiles, target
    ("NCC-EVRF004", "c64[4]{0} multiply(c64[4]{0}, c64[4]{0})", "f32[4]{0} multiply(f32[4]{0}, f32[4]{0})", "trn1"),
    ("NCC-EVRF004", "f64[] real(c128[])", "f64[] abs(f64[])", "trn2"),
    ("NCC-EVRF005", "f8e4m3fnuz[4] convert(f32[4])", "f8e5m2[4] convert(f32[4])", "trn1"),
    ("NCC-EVRF051", "f8e4m3fn[4] convert(f32[4])", "f8e4m3[4] convert(f32[4])", "trn2"),
    ("NCC-ESPP004", "f4e2m1fn[4] convert(f32[4])", "bf16[4] convert(f32[4])", "trn3"),
    ("NCC-EMOD025", "f32[<=4] negate(f32[<=4])", "f32[4] negate(f32[4])", "trn1"),
    (
        "NCC-EVRF001",
        "f32[4,4] triangular-solve(f32[4,4], f32[4,4]), left_side=true",
        "f32[4,4] dot(f32[4,4], f32[4,4])",
        "trn1",
    ),
    ("NCC-EVRF001", "(f32[2], s32[2]) topk(f32[9]), k=2", "f32[9] sort(f32[9]), dimensions={0}", "inf2"),
    ("NCC-EVRF013", "(s32[2], s32[2]) topk(s32[9]), k=2", "(f32[2], s32[2]) topk(f32[9]), k=2", "trn1"),
    ("NCC-EVRF029", "u32[256]{0} sort(u32[256]{0}), dimensions={0}", "u32[256]{0} reverse(u32[256]{0})", "trn2"),
    ("NCC-EHCA005", CALL.format("my_cuda_kernel"), CALL.format("AwsNeuronGelu"), "trn1"),
    (
        "NCC-EVRF006",
        "u32[2] rng-bit-generator(u64[2]), algorithm=rng_philox",
        "u32[2] rng-bit-generator(u64[2]), algorithm=rng_default",
        "trn1",
    ),
    (
        "NCC-EVRF010",
        CONV.format("size=3x3 lhs_dilate=2x2 rhs_dilate=2x2"),
        CONV.format("size=3x3 rhs_dilate=2x2"),
        "trn1",
    ),
    (
        "NCC-EVRF011",
        CONV.format("size=3x3 stride=2x2 lhs_dilate=2x2"),
        CONV.format("size=3x3 stride=2x2 lhs_dilate=1x1"),
        "trn1",
    ),
    (
        "NCC-EVRF016",
        "pred[4] scatter(pred[4], s32[1], pred[1]), to_apply=%or",
        "f32[4] scatter(f32[4], s32[1], f32[1]), to_apply=%add",
        "trn1",
    ),
    (
        "NCC-EVRF060",
        "s32[4] scatter(s32[4], s32[1], s32[1]), to_apply=%add",
        "bf16[4] scatter(bf16[4], s32[1], bf16[1]), to_apply=%add",
        "trn1",
    ),
    (
        "NCC-EVRF017",
        WINDOW.format("f32[4], f32[]", "size=2 lhs_dilate=2"),
        WINDOW.format("f32[4], f32[]", "size=2"),
        "trn1",
    ),
    (
        "NCC-EVRF018",
        WINDOW.format("f32[4], f32[]", "size=2 rhs_dilate=2"),
        WINDOW.format("f32[4], f32[]", "size=2 stride=2"),
        "trn1",
    ),
    (
        "NCC-EVRF019",
        WINDOW.format("f32[4], f32[4], f32[], f32[]", "size=2"),
        WINDOW.format("f32[4], f32[]", "size=2"),
        "trn1",
    ),
    (
        "NCC-EVRF022",
        "s16[4] shift-right-arithmetic(s16[4], s16[4])",
        "s32[4] shift-right-arithmetic(s32[4], s16[4])",
        "trn1",
    ),
    ("NCC-EVRF035", "s64[2,2] dot(s64[2,2], s64[2,2])", "f32[2,2] dot(f32[2,2], f32[2,2])", "trn1"),
    ("NCC-EVRF035", "s32[2,2] dot(s32[2,2], s32[2,2])", "f32[2,2] dot(f32[2,2], f32[2,2])", "trn2"),
    ("NCC-EVRF061", "s32[4] all-reduce(s32[4]), to_apply=%add", "f32[4] all-reduce(f32[4]), to_apply=%add", "trn1"),
    (
        "NCC-EVRF063",
        "s64[4] reduce-scatter(s64[8]), to_apply=%add",
        "bf16[4] reduce-scatter(bf16[8]), to_apply=%add",
        "trn1",
    ),
    ("NCC-EVRF062", "s64[4] power(s64[4], s64[4])", "s32[4] power(s32[4], s32[4])", "trn1"),
    ("NCC-EVRF056", *indexed("gather", "iota", 10, 3), "trn1"),
    ("NCC-EVRF031", *indexed("scatter", "iota", 10, 3), "trn1"),
    ("NCC-ESMP002", *indexed("gather", "constant", 10, 3), "trn1"),
    ("NCC-ESFH002", "u64[] constant(5000000000)", "u64[] constant(4000000000)", "trn1"),
]


def entries(text: str, target: str) -> list[str]:
    instruction = parse(text)
    assert instruction is not None, text
    return [match.entry for match in limits.of_instruction(instruction, target)]


@pytest.mark.parametrize(("entry", "refused", "compiles", "target"), CASES, ids=[f"{c[0]}-{c[3]}" for c in CASES])
def test_row(entry: str, refused: str, compiles: str, target: str) -> None:
    assert entry in entries(refused, target)
    assert entry not in entries(compiles, target)


def test_every_row_is_tried() -> None:
    assert {limit.entry for limit in table().limits} == {case[0] for case in CASES}


def test_target_counts() -> None:
    assert entries("s32[2,2] dot(s32[2,2], s32[2,2])", "trn1") == []
    assert entries("u32[8] sort(u32[8]), dimensions={0}", "inf2") == []
    assert entries("f8e4m3fn[4] convert(f32[4])", "trn3") == []


def test_complex64_is_announced_for_some_opcodes_and_complex128_for_none() -> None:
    found = {
        text: bool(limits.of_instruction(instruction, "trn1")[0].since)
        for text in ("c64[4] multiply(c64[4], c64[4])", "c64[4] convert(f32[4])", "c128[4] multiply(c128[4], c128[4])")
        if (instruction := parse(text))
    }
    assert list(found.values()) == [True, False, False]


def test_graph_and_name() -> None:
    graph = "graph(%x : Long(4, 8, strides=[8, 1])):\n  %1 : Long(2, 8), %2 : Long(2, 8) = aten::topk(%x)"
    assert [m.entry for m in limits.of_graph("aten::topk", graph, "trn1")] == ["NCC-EVRF013"]
    assert [m.basis for m in limits.of_graph("aten::topk", graph, "trn1")] == ["graph"]
    assert [m.entry for m in limits.of_kind("aten::_fft_r2c")] == ["NCC-EVRF004"]
    assert [m.entry for m in limits.of_kind("aten::unfold")] == ["XLA-ViewOperator"]
    assert limits.of_kind("aten::mul") == ()


def test_the_knowledge_base_has_every_entry_that_a_row_names() -> None:
    named = {limit.entry for limit in table().limits} | {name.entry for name in table().names}
    there = {path.stem for path in knowledge().rglob("*.yaml")}
    assert named <= there
