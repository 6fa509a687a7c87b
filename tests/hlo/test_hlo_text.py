"""Printed HLO instructions → opcode, shapes, layouts, attributes; odd ones are None, never an exception."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.hlo.instruction import Instruction, Shape
from neurontriage.hlo.text import LONGEST, parse

F4 = Shape("f32", ("4",), "{0}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f32[] multiply(f32[], f32[])", Instruction("multiply", (Shape("f32"),), (Shape("f32"), Shape("f32")))),
        (
            "f32[4]{0} broadcast(f32[]), dimensions={}",
            Instruction("broadcast", (F4,), (Shape("f32"),), (), {"dimensions": "{}"}),
        ),
        (
            "c64[4]{0} convert(f32[4]{0})",
            Instruction("convert", (Shape("c64", ("4",), "{0}"),), (F4,)),
        ),
        (
            "%t.3 = (f32[4]{0}, /*index=1*/token[]) tuple(f32[4]{0} %a.1, token[] b)",
            Instruction("tuple", (F4, Shape("token")), (F4, Shape("token"))),
        ),
        (
            "ROOT c = f32[<=4,?]{1,0:T(8,128)S(1)} copy(f32[4]{0} %x)",
            Instruction("copy", (Shape("f32", ("<=4", "?"), "{1,0:T(8,128)S(1)}"),), (F4,)),
        ),
        (
            "f32[4]{0} constant({1, -2.5e-10, inf, {3}})",
            Instruction("constant", (F4,), (), ("{1, -2.5e-10, inf, {3}}",)),
        ),
        ("c64[] constant((1, 0))", Instruction("constant", (Shape("c64"),), (), ("(1, 0)",))),
        ("u64[] constant(5000000000)", Instruction("constant", (Shape("u64"),), (), ("5000000000",))),
        (
            'f32[4]{0} custom-call(f32[4]{0}), custom_call_target="a\\"b, c", api_version=API_VERSION_UNSPECIFIED',
            Instruction(
                "custom-call",
                (F4,),
                (F4,),
                (),
                {"custom_call_target": '"a\\"b, c"', "api_version": "API_VERSION_UNSPECIFIED"},
            ),
        ),
        (
            "f32[8]{0} all-gather(f32[4]{0}), replica_groups=[2,4]<=[8], dimensions={0}",
            Instruction(
                "all-gather",
                (Shape("f32", ("8",), "{0}"),),
                (F4,),
                (),
                {"replica_groups": "[2,4]<=[8]", "dimensions": "{0}"},
            ),
        ),
        (
            'pred[] compare(f32[], f32[]), direction=GT, metadata={op_type="aten__gt" op_name="x{y}" source_line=3}',
            Instruction(
                "compare",
                (Shape("pred"),),
                (Shape("f32"), Shape("f32")),
                (),
                {"direction": "GT", "metadata": '{op_type="aten__gt" op_name="x{y}" source_line=3}'},
            ),
        ),
    ],
)
def test_parse(text: str, expected: Instruction) -> None:
    assert parse(text) == expected


def test_window_numbers() -> None:
    found = parse(
        "f32[1,8,8,4]{3,2,1,0} convolution(f32[1,8,8,4]{3,2,1,0}, f32[3,3,4,4]{3,2,1,0}), "
        "window={size=3x3 stride=2x1 pad=0_1x-1_1}, dim_labels=b01f_01io->b01f"
    )
    assert found is not None
    assert found.numbers("window", "size") == (3, 3)
    assert found.numbers("window", "stride") == (2, 1)
    assert found.numbers("window", "lhs_dilate") == ()
    assert found.attributes["dim_labels"] == "b01f_01io->b01f"


@pytest.mark.parametrize(
    "text",
    ["", "hello", "f32[4]{0} add(f32[4]{0}", "f32[4] (f32[4])", "add(f32[4])", "f32[4]{0} add(f32[4]{0}) junk"],
)
def test_other_text_is_no_instruction(text: str) -> None:
    assert parse(text) is None


def test_deep_nesting_does_not_crash() -> None:
    deep = "{" * 30_000 + "}" * 30_000
    assert parse(f"f32[] constant({deep})") is not None
    assert parse("f32[] constant(" + "{" * LONGEST) is None
    assert parse("(" * 20_000 + "f32[] x()") is None


@given(st.text(max_size=80))
def test_any_text_is_answered(text: str) -> None:
    found = parse(text)
    assert found is None or isinstance(found, Instruction)
