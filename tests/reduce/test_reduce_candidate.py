"""Candidates stand alone: operands become parameters, aliases keep both ends, ids fit, attributes come off."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.hlo import files, printing
from neurontriage.hlo.module import Module
from neurontriage.model import Diagnosis
from neurontriage.reduce import edits
from neurontriage.reduce.candidate import Original, build
from neurontriage.reduce.identity import identities, normal
from neurontriage.triage import explain_text

SAMPLES = sorted((Path(__file__).parents[2] / "samples" / "hlo").glob("*.pb"))
TEXT = """HloModule m, input_output_alias={ {0}: (1, {}, must-alias), {1}: (0, {}, may-alias) }

%body (p: (s32[], f32[2])) -> (s32[], f32[2]) {
  %p = (s32[], f32[2]{0}) parameter(0)
  %g = s32[] get-tuple-element(%p), index=0
  %h = f32[2]{0} get-tuple-element(%p), index=1
  %e = f32[2]{0} exponential(%h)
  ROOT %t = (s32[], f32[2]{0}) tuple(%g, %e)
}

%cond (q: (s32[], f32[2])) -> pred[] {
  %q = (s32[], f32[2]{0}) parameter(0)
  ROOT %c = pred[] constant(false)
}

ENTRY %main (x: f32[2], y: f32[2]) -> (f32[2], f32[2]) {
  %x = f32[2]{0} parameter(0), sharding={replicated}
  %y = f32[2]{0} parameter(1)
  %n = s32[] constant(1)
  %i = (s32[], f32[2]{0}) tuple(%n, %x)
  %w = (s32[], f32[2]{0}) while(%i), condition=%cond, body=%body
  %a = f32[2]{0} get-tuple-element(%w), index=1
  %b = f32[2]{0} add(%a, %y), sharding={replicated}, frontend_attributes={k="v"}
  %k = f32[2]{0} negate(%b)
  ROOT %r = (f32[2]{0}, f32[2]{0}) tuple(%b, %k)
}
"""


def module(text: str = TEXT) -> Module:
    return files.parse("m", text.encode()).module


def kept(original: Original, *names: str) -> frozenset[int]:
    return original.closed(i.id for i in original.module.entry.instructions if i.name in names)


def names(found: Module) -> list[str]:
    return [i.name for i in found.entry.instructions]


def test_operands_become_parameters_and_unused_values_outputs() -> None:
    original = Original(module())
    found = build(original, kept(original, "b"))
    assert names(found) == ["in.0", "y", "b", "result.0"]
    assert [i.parameter_number for i in found.parameters] == [0, 1]
    assert found.proto.input_output_alias.entries[0].parameter_number == 1
    assert len(found.proto.computations) == 1, "bodies that nothing calls are gone"
    found = build(original, kept(original, "k"))
    assert not found.proto.input_output_alias.entries


def test_aliases_make_outputs_of_what_is_used_inside() -> None:
    original = Original(module())
    found = build(original, kept(original, "b", "k"))
    result = found.by_id[found.entry.root_id]
    assert [found.by_id[n].name for n in result.operand_ids] == ["b", "k"]
    assert [e.output_shape_index[0] for e in found.proto.input_output_alias.entries] == [0]


def test_the_element_of_a_tuple_that_is_gone_is_a_parameter() -> None:
    original = Original(module())
    found = build(original, kept(original, "a", "b"))
    assert [i.opcode for i in found.entry.instructions] == ["parameter", "parameter", "add", "tuple"]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_the_whole_is_the_original(path: Path) -> None:
    original = Original(files.load(path).module)
    found = build(original, frozenset(original.order))
    before = [
        original.module.view(i) for i in original.module.entry.instructions if i.opcode not in ("parameter", "tuple")
    ]
    after = [found.view(i) for i in found.entry.instructions if i.opcode not in ("parameter", "tuple")]
    assert before == after


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_any_choice_is_a_sound_module(data: st.DataObject) -> None:
    original = Original(files.load(data.draw(st.sampled_from(SAMPLES))).module)
    chosen = original.closed(data.draw(st.sets(st.sampled_from(original.order), max_size=30)))
    found = build(original, chosen)
    ids = [i.id for i in found.instructions]
    assert len(ids) == len(set(ids))
    assert max(ids) < 2**31
    for computation in found.proto.computations:
        seen: set[int] = set()
        for i in computation.instructions:
            assert set(i.operand_ids) <= seen, "operands come before their users"
            seen.add(i.id)
        assert computation.root_id in seen
    assert files.dump(files.parse("x", files.dump(found)).module) == files.dump(found)
    if chosen:
        printing.module_text(found)


def test_edits() -> None:
    found = module()
    done = dict(edits.attributes(found))
    assert not done["drop alias 1"].proto.input_output_alias.entries[1:]
    assert {
        "drop every attribute",
        "drop input_output_alias",
        "drop every sharding",
        "drop frontend_attributes of b",
    } <= set(done)
    bodies = dict(edits.bodies(found))
    assert [i.opcode for i in bodies["take the body body"].entry.instructions][-2:] == ["exponential", "tuple"]
    bypassed = dict(edits.bypasses(found))["bypass k"]
    assert "k" not in names(bypassed)
    assert (
        bypassed.by_id[bypassed.entry.root_id].operand_ids
        == [bypassed.by_id[i.id].id for i in bypassed.entry.instructions if i.name == "b"] * 2
    )
    smaller = dict(edits.smaller_shapes(found))["size 2 becomes 1"]
    assert {d for i in smaller.entry.instructions for d in i.shape.dimensions} == {1}


def identity(line: str) -> object:
    found: Diagnosis = explain_text(line + "\n", path="x")
    return identities(found)[0]


def test_identity_holds_over_names_and_shapes_but_not_over_operators() -> None:
    one = identity("[ERROR] [NCC_EVRF029] Operation sort is not supported on trn2. %sort.0 = u32[256]{0} sort(%p.3)")
    same = identity("[ERROR] [NCC_EVRF029] Operation sort is not supported on trn2. %sort.17 = u32[4]{0} sort(%in.0)")
    other = identity("[ERROR] [NCC_EVRF029] Operation cholesky is not supported on trn2. %c.1 = f32[4]{0} cholesky(%p)")
    target = identity("[ERROR] [NCC_EVRF029] Operation sort is not supported on trn3. %sort.0 = u32[256]{0} sort(%p.3)")
    assert one == same
    assert len({one, other, target}) == 3


def test_normal_messages() -> None:
    assert (
        normal("2025-10-31T07:17:12Z [TEN404] (op_12) in /tmp/u/x.pb took 3.5 s")
        == "<time> [TEN404] (op_#) in <path> took #.# s"
    )
