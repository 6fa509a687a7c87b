"""Outcomes by target, SDK and flags; a row that is unknown is never called unsupported."""

from __future__ import annotations

import pytest

from neurontriage.hlo.text import parse
from neurontriage.operators.judge import Setting, judge
from neurontriage.operators.table import known_good, lowering_of, opcode_of, table

DOT64 = "s64[2,2] dot(s64[2,2], s64[2,2])"
C64 = "c64[4] multiply(c64[4], c64[4])"

CASES = [
    ("f32[2] add(f32[2], f32[2])", "trn1", "2.31.1", (), "supported", None),
    ("f32[2] some-new-opcode(f32[2])", "trn1", "2.31.1", (), "unknown", None),
    ("f32[8] sort(f32[8]), dimensions={0}", "trn2", "2.31.1", (), "unsupported", "NCC-EVRF029"),
    ("f32[8] sort(f32[8]), dimensions={0}", "trn1", "2.31.1", (), "unknown", None),
    (DOT64, "trn1", "2.31.1", (), "fails-from", "NCC-EVRF035"),
    (DOT64, "trn1", "2.32.0", (), "fails-from", "NCC-EVRF035"),
    (DOT64, "trn1", "2.33.0", (), "unsupported", "NCC-EVRF035"),
    (DOT64, "trn1", "2.32.0", ("--implicit-integer-downcast=none",), "unsupported", "NCC-EVRF035"),
    (DOT64, "trn1", "2.32.0", ("--implicit-integer-downcast", "scatter"), "unsupported", "NCC-EVRF035"),
    (DOT64, "trn1", "2.32.0", ("--implicit-integer-downcast=scatter,dot",), "loses-precision", "NCC-EVRF035"),
    (DOT64, "trn1", "2.33.0", ("--implicit-integer-downcast=all",), "loses-precision", "NCC-EVRF035"),
    (DOT64, "trn2", "2.32.0", ("--native-int64=enabled",), "unknown", "NCC-EVRF035"),
    (DOT64, "trn1", "2.32.0", ("--native-int64=enabled",), "fails-from", "NCC-EVRF035"),
    (C64, "trn1", "2.31.1", (), "unsupported", "NCC-EVRF004"),
    (C64, "trn1", "2.32.0", (), "supported", None),
    ("c64[4] convert(f32[4])", "trn1", "2.32.0", (), "unsupported", "NCC-EVRF004"),
    ("c128[4] multiply(c128[4], c128[4])", "trn1", "2.32.0", (), "unsupported", "NCC-EVRF004"),
    ("f8e4m3fn[4] convert(f32[4])", "trn2", "2.31.1", (), "unsupported", "NCC-EVRF051"),
    (
        "f8e4m3fn[4] convert(f32[4])",
        "trn2",
        "2.31.1",
        ("--experimental-unsafe-fp8e4m3fn-as-fp8e4m3",),
        "loses-precision",
        "NCC-EVRF051",
    ),
    ('f32[4] custom-call(f32[4]), custom_call_target="AwsNeuronTopK"', "trn2", "2.31.1", (), "supported", None),
    (
        's64[4] custom-call(s64[9]), custom_call_target="AwsNeuronTopK"',
        "trn2",
        "2.31",
        (),
        "unsupported",
        "NCC-EVRF013",
    ),
]


@pytest.mark.parametrize(("text", "target", "sdk", "flags", "outcome", "entry"), CASES)
def test_outcome(text: str, target: str, sdk: str, flags: tuple[str, ...], outcome: str, entry: str | None) -> None:
    instruction = parse(text)
    assert instruction is not None
    found = judge(instruction, Setting(target, sdk, flags))
    assert (found.outcome, found.entry) == (outcome, entry)
    assert (found.from_sdk is not None) == (outcome == "fails-from")


def test_the_table_is_consistent() -> None:
    good = known_good()
    known = good | {"sort", "topk", "triangular-solve", "fft"}
    assert set(opcode_of().values()) <= known, (
        "an aten operator is mapped to an opcode that nothing says anything about"
    )
    assert set(lowering_of().values()) <= table().custom_calls
    names = [name for names in table().aten.values() for name in names]
    assert not {name for name in names if names.count(name) > 1} - {"topk", "native_dropout"}
