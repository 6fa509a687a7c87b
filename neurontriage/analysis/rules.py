"""Instruction and target → ids of the knowledge entries that say why neuronx-cc refuses it: one table.

Each row restates a documented compiler error so far as it can be decided from one printed instruction.
https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/index.html
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from neurontriage.hlo.instruction import Instruction, Shape

Test = Callable[[Instruction], bool]

COMPLEX = frozenset({"c64", "c128"})
INTEGERS = frozenset({"s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"})
INT64 = frozenset({"s64", "u64"})
WIDE = frozenset({"s32", "u32", "s64", "u64"})
FNUZ = frozenset({"f8e4m3fnuz", "f8e4m3b11fnuz", "f8e5m2fnuz"})
NARROW = frozenset({"s8", "s16", "u8", "u16", "pred"})
BEFORE_TRN3 = ("trn1", "trn1n", "inf2", "trn2")
U32_END = 2**32
C64_SINCE = {"sdk": "2.32.0", "neuronx-cc": "2.27.5334.0"}
"""First release that announces complex64 (release-notes/components/compiler.html), for these opcodes."""
C64_OPCODES = frozenset(
    """abs add broadcast compare complex concatenate cosine divide dot dynamic-slice dynamic-update-slice
    exponential exponential-minus-one imag iota log log-plus-one logistic multiply negate pad power real
    reshape reverse rsqrt select sign sine slice sqrt subtract tan tanh transpose""".split()  # noqa: SIM905
)
CUSTOM_CALLS = frozenset(
    """AwsNeuronErf AwsNeuronGelu AwsNeuronGeluApprxTanh AwsNeuronGeluBackward AwsNeuronSilu
    AwsNeuronSiluBackward AwsNeuronRmsNorm AwsNeuronSoftmax AwsNeuronSoftmaxBackward
    AwsNeuronCollectiveMatmul AwsNeuronIntMatmult AwsNeuronArgMax AwsNeuronArgMin AwsNeuronTopK
    AwsNeuronDropoutMaskV1 AwsNeuronCustomNativeKernel AwsNeuronCustomOp AwsNeuronDevicePrint
    ResizeNearest ResizeBilinear ResizeNearestGrad AwsNeuronLNCShardingConstraint
    AwsNeuronTransferWithStaticRing AwsNeuronModuleMarkerStart-Forward AwsNeuronModuleMarkerStart-Backward
    AwsNeuronModuleMarkerEnd-Forward AwsNeuronModuleMarkerEnd-Backward NeuronBoundaryMarker-Start
    NeuronBoundaryMarker-End __op$block_scaled_dot""".split()  # noqa: SIM905
)
"""Documented at compiler/error-codes/EHCA005.html."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A row: all conditions given must hold. `seen` says what was found; `only` limits it to targets."""

    entry: str
    seen: str
    opcodes: frozenset[str] = frozenset()
    dtypes: frozenset[str] = frozenset()
    test: Test = lambda _: True
    only: tuple[str, ...] = ()

    def holds(self, instruction: Instruction, target: str) -> bool:
        return (
            (not self.opcodes or instruction.opcode in self.opcodes)
            and (not self.dtypes or bool(self.dtypes.intersection(instruction.dtypes)))
            and (not self.only or target in self.only)
            and self.test(instruction)
        )


def _ops(*names: str) -> frozenset[str]:
    return frozenset(names)


def _dilated(*parts: str) -> Test:
    """Every named part of `window={…}` has a number above 1."""
    return lambda i: all(any(n > 1 for n in i.numbers("window", part)) for part in parts)


def _first_in(dtypes: frozenset[str]) -> Test:
    return lambda i: bool(i.operands) and i.operands[0].dtype in dtypes


def _first_not_in(dtypes: frozenset[str]) -> Test:
    return lambda i: bool(i.operands) and i.operands[0].dtype not in dtypes


def _call(i: Instruction) -> str:
    return i.attributes.get("custom_call_target", "").strip('"')


def _unknown_call(i: Instruction) -> bool:
    return bool(_call(i)) and _call(i) not in CUSTOM_CALLS and "QuantizeMX" not in _call(i)


def _other_rng(i: Instruction) -> bool:
    return i.attributes.get("algorithm", "rng_default") != "rng_default"


def _too_large(i: Instruction) -> bool:
    return any(value.isdigit() and int(value[:40]) >= U32_END for value in i.values)


_DOT, _SCATTER, _WINDOW = _ops("dot"), _ops("scatter"), _ops("reduce-window")
_CONVOLUTION, _SHIFT = _ops("convolution"), _ops("shift-right-arithmetic")

RULES = (
    Rule("NCC-EVRF004", "a complex element type ({dtypes})", dtypes=COMPLEX),
    Rule("NCC-EVRF005", "an FNUZ 8-bit float ({dtypes})", dtypes=FNUZ),
    Rule("NCC-EVRF051", "f8e4m3fn, which {target} does not have", dtypes=_ops("f8e4m3fn"), only=BEFORE_TRN3),
    Rule("NCC-ESPP004", "a 4-bit float ({dtypes})", dtypes=_ops("f4e2m1fn")),
    Rule("NCC-EMOD025", "a dimension without a fixed size", test=lambda i: any(s.dynamic for s in i.shapes)),
    Rule("NCC-EVRF001", "the opcode {opcode}", _ops("triangular-solve")),
    Rule("NCC-EVRF001", "the opcode {opcode}", _ops("topk"), test=_first_not_in(INTEGERS)),
    Rule("NCC-EVRF013", "top-k on integers ({dtypes})", _ops("topk"), test=_first_in(INTEGERS)),
    Rule("NCC-EVRF029", "a sort, which {target} does not do", _ops("sort"), only=("trn2",)),
    Rule("NCC-EHCA005", "the custom call {call}", _ops("custom-call"), test=_unknown_call),
    Rule("NCC-EVRF006", "a named random number algorithm", _ops("rng-bit-generator"), test=_other_rng),
    Rule("NCC-EVRF010", "input and kernel dilation", _CONVOLUTION, test=_dilated("lhs_dilate", "rhs_dilate")),
    Rule("NCC-EVRF011", "a stride with input dilation", _CONVOLUTION, test=_dilated("stride", "lhs_dilate")),
    Rule("NCC-EVRF016", "a scatter that reduces {dtypes}", _SCATTER, test=_first_in(NARROW)),
    Rule("NCC-EVRF060", "a scatter that reduces integers ({dtypes})", _SCATTER, test=_first_in(WIDE)),
    Rule("NCC-EVRF017", "a reduce-window with base dilation", _WINDOW, test=_dilated("lhs_dilate")),
    Rule("NCC-EVRF018", "a reduce-window with window dilation", _WINDOW, test=_dilated("rhs_dilate")),
    Rule("NCC-EVRF019", "a reduce-window over several inputs", _WINDOW, test=lambda i: len(i.operands) > 2),
    Rule("NCC-EVRF022", "a shift of {dtypes}", _SHIFT, test=_first_not_in(_ops("s32", "u32", "f32"))),
    Rule("NCC-EVRF035", "a 64-bit integer matrix product", _DOT, INT64),
    Rule("NCC-EVRF035", "an integer matrix product", _DOT, _ops("s32", "u32"), only=("trn2", "trn3")),
    Rule("NCC-EVRF061", "an all-reduce on integers ({dtypes})", _ops("all-reduce"), WIDE),
    Rule("NCC-EVRF063", "a reduce-scatter on integers ({dtypes})", _ops("reduce-scatter"), WIDE),
    Rule("NCC-EVRF062", "a power of 64-bit integers", _ops("power"), INT64),
    Rule("NCC-ESFH002", "an unsigned constant above 2^32-1", _ops("constant"), _ops("u64"), test=_too_large),
)

KINDS = (
    (re.compile(r"aten::_?fft_|aten::(complex|polar|view_as_complex|view_as_real)$"), "NCC-EVRF004"),
    (re.compile(r"aten::(triangular_solve|linalg_solve_triangular)$"), "NCC-EVRF001"),
)
"""Operators whose name alone tells the reason, for reports that carry neither instructions nor graphs."""

_OPCODES = {
    "topk": frozenset({"topk"}),
    "sort": frozenset({"sort", "argsort"}),
    "dot": frozenset({"mm", "bmm", "matmul", "linear", "addmm", "baddbmm", "mv"}),
    "power": frozenset({"pow"}),
    "shift-right-arithmetic": frozenset({"bitwise_right_shift", "__rshift__"}),
    "triangular-solve": frozenset({"triangular_solve", "linalg_solve_triangular"}),
}
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


def of_instruction(instruction: Instruction, target: str) -> tuple[Match, ...]:
    """Every row that holds, in the order of the table."""
    return tuple(
        Match(rule.entry, _say(rule, instruction, target), since=_since(rule, instruction))
        for rule in RULES
        if rule.holds(instruction, target)
    )


def _say(rule: Rule, instruction: Instruction, target: str) -> str:
    dtypes = [d for d in instruction.dtypes if not rule.dtypes or d in rule.dtypes]
    return rule.seen.format(dtypes=", ".join(dtypes), opcode=instruction.opcode, call=_call(instruction), target=target)


def _since(rule: Rule, instruction: Instruction) -> tuple[tuple[str, str], ...]:
    """complex64, not complex128, is lowered by newer compilers, for the opcodes of the release note."""
    complex64 = rule.dtypes == COMPLEX and "c128" not in instruction.dtypes
    return tuple(C64_SINCE.items()) if complex64 and instruction.opcode in C64_OPCODES else ()


def of_graph(kind: str, graph: str, target: str) -> tuple[Match, ...]:
    """The same table asked with the element types of a TorchScript graph (`opGraph`)."""
    name = kind.rpartition("::")[2]
    opcode = next((hlo for hlo, names in _OPCODES.items() if name in names), name)
    shapes = tuple(Shape(_TORCH_TYPES[found]) for found in _TORCH_TYPE.findall(graph))
    matches = of_instruction(Instruction(opcode, operands=shapes), target)
    return tuple(replace(match, basis="graph") for match in matches)


def of_kind(kind: str) -> tuple[Match, ...]:
    """What the operator's name alone tells."""
    return tuple(Match(entry, f"the operator {kind}", "name") for name, entry in KINDS if name.match(kind))
