"""What is parsed once for all instructions of a form is what each would be parsed to by itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.analysis.forms import _NUMBERED, judged
from neurontriage.hlo.text import parse
from neurontriage.operators.limits import of_instruction

PRINTED = [
    "c64[4]{0} convert(f32[4]{0})",
    "%sort.7 = (f32[8,16]{1,0}, s32[8,16]{1,0}) sort(f32[8,16]{1,0} %p.1, s32[8,16]{1,0} %p.2), dimensions={1}",
    "f32[<=4,8] add(f32[<=4,8] %a, f32[?,8] %b)",
    "f32[] constant(5)",
    "s32[2]{0} constant({1, 2})",
    "token[] after-all()",
    'f32[2]{0} custom-call(f32[2]{0} %x), custom_call_target="AwsNeuronTopK", backend_config="f32[3,4]"',
    "f32[1,8]{1,0} convolution(%p.1, %p.2), window={size=3x3 stride=2x2}, dim_labels=b01f_01io->b01f",
    'f32[2]{0} add(f32[2]{0} %a.1, f32[2]{0} %b.2), metadata={op_type="aten__add" op_name="f32[9]" source_line=7}',
    'f32[2]{0} add(f32[2]{0} %a), metadata={op_name="odd } brace" source_line=7}, sharding={replicated}',
    's32[8]{0} all-gather(s32[4]{0} %p), replica_groups=[2,4]<=[8], metadata={source_file="a, b=f32[2].py"}',
    "f32[2,3]{1,0:T(8,128)} copy(f32[2,3]{0,1} %p.1)",
    "f32[12,3 add(",
    "no instruction at all",
    "",
]


@pytest.mark.parametrize("text", PRINTED)
def test_of_one_form(text: str) -> None:
    alone = parse(_NUMBERED.sub(r"\1", text))
    found, matches = judged(text, "trn1")
    assert found == alone
    assert matches == (of_instruction(alone, "trn1") if alone else ())
    if found and alone:
        assert (found.name, found.inputs, found.root) == (alone.name, alone.inputs, alone.root)
        assert list(found.attributes.items()) == list(alone.attributes.items())


DIMS = st.lists(st.sampled_from(["1", "7", "128", "<=4", "?"]), max_size=3).map(",".join)
SHAPE = st.builds(lambda dtype, dims: f"{dtype}[{dims}]", st.sampled_from(["f32", "bf16", "f64", "s64", "pred"]), DIMS)


@settings(max_examples=150, deadline=None)
@given(
    shapes=st.lists(SHAPE, min_size=1, max_size=4),
    opcode=st.sampled_from(["add", "sort", "custom-call", "rng-bit-generator"]),
    line=st.integers(0, 10**9),
)
def test_of_any_sizes(shapes: list[str], opcode: str, line: int) -> None:
    operands = ", ".join(f"{shape} %p.{line + n}" for n, shape in enumerate(shapes[1:]))
    text = f'%x.{line} = {shapes[0]} {opcode}({operands}), metadata={{op_name="a.{line}" source_line={line}}}'
    alone = parse(_NUMBERED.sub(r"\1", text))
    assert judged(text, "trn2") == (alone, of_instruction(alone, "trn2") if alone else ())
