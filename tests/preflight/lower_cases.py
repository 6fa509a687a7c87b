"""Lowers one graph that meets a documented limit, and the nearest one that does not, for every row of the table.

`python lower_cases.py FOLDER` writes `<name>.<refused|compiles>.pb`. What torch cannot express is made by editing
a lowered module: those cases say `edited`.
"""

import sys
from pathlib import Path

import torch
import torch_xla
from torch import nn

from neurontriage.hlo import files
from neurontriage.hlo.dtypes import NUMBERS
from neurontriage.repro.blocks import counted

XLAC = torch_xla._XLAC
DEVICE = torch_xla.device()
FOLDER = Path(sys.argv[1])


def floats(*shape):
    return torch.rand(*shape).to(DEVICE)


def integers(*shape, dtype=torch.int64):
    return torch.randint(0, 4, shape).to(dtype).to(DEVICE)


def scatter(dtype):
    index = torch.tensor([0, 1, 1]).to(DEVICE)
    return torch.zeros(4, dtype=dtype, device=DEVICE).scatter_add(0, index, torch.ones(3, dtype=dtype, device=DEVICE))


def assigned():
    rows = torch.zeros(4, dtype=torch.int64, device=DEVICE)
    rows[torch.tensor([0, 2]).to(DEVICE)] = torch.tensor([5, 6]).to(DEVICE)
    return rows


def transposed(**options):
    return nn.ConvTranspose2d(3, 3, 3, **options).to(DEVICE)(floats(1, 3, 8, 8))


def strided():
    return nn.Conv2d(3, 3, 3, stride=2).to(DEVICE)(floats(1, 3, 8, 8))


def pooled():
    return nn.functional.max_pool2d(floats(1, 3, 8, 8), 2)


def custom(target, dtype=torch.float32):
    from torch_xla.experimental.stablehlo_custom_call import stablehlo_custom_call

    return stablehlo_custom_call([torch.ones(4, dtype=dtype).to(DEVICE)], target, [[4]], [dtype])


def looked_up(positions):
    return nn.functional.embedding(positions, floats(3, 4))


def written(positions):
    rows = torch.zeros(3, 4, device=DEVICE)
    return rows.index_put((positions,), torch.ones(len(positions), 4, device=DEVICE), accumulate=True)


def iota(size):
    """0..size-1 as an iota instruction; torch.arange becomes a constant."""
    return counted(floats(1), size)


def of(module, opcode):
    return next(i for i in module.instructions if i.opcode == opcode)


def edited(function, change):
    """The lowered module of a function, with one change."""
    module = lowered(function())
    change(module)
    return module


def lowered(result):
    data = XLAC._get_xla_tensors_hlo_proto([result])
    return files.parse("lowered", data).module


def set_window(opcode, part):
    def change(module):
        for dimension in of(module, opcode).window.dimensions:
            setattr(dimension, part, 2)

    return change


def another_input(module):
    window = of(module, "reduce-window")
    window.operand_ids.append(window.operand_ids[0])


def retyped(opcode, dtype):
    def change(module):
        of(module, opcode).shape.element_type = NUMBERS[dtype]

    return change


def renamed(opcode, name):
    def change(module):
        of(module, opcode).opcode = name

    return change


def other_algorithm(module):
    of(module, "rng-bit-generator").rng_algorithm = 2


def unsigned(value):
    def change(module):
        found = of(module, "constant")
        found.shape.element_type = NUMBERS["u64"]
        found.literal.Clear()
        found.literal.shape.CopyFrom(found.shape)
        found.literal.u64s.append(value)

    return change


def dynamic(module):
    shape = of(module, "negate").shape
    del shape.is_dynamic_dimension[:]
    shape.is_dynamic_dimension.append(True)


CASES = {
    "NCC-EVRF004.trn1": (lambda: torch.complex(floats(4), floats(4)) * 2, lambda: floats(4) * floats(4)),
    "NCC-EVRF005.trn1": (
        lambda: edited(lambda: floats(4).to(torch.float8_e5m2), retyped("convert", "f8e5m2fnuz")),
        lambda: floats(4).to(torch.float8_e5m2),
    ),
    "NCC-EVRF051.trn2": (lambda: floats(4).to(torch.float8_e4m3fn), lambda: floats(4).to(torch.float8_e5m2)),
    "NCC-ESPP004.trn3": (
        lambda: edited(lambda: floats(4).to(torch.bfloat16), retyped("convert", "f4e2m1fn")),
        lambda: floats(4).to(torch.bfloat16),
    ),
    "NCC-EMOD025.trn1": (lambda: edited(lambda: -floats(4), dynamic), lambda: -floats(4)),
    "NCC-EVRF001.trn1": (
        lambda: torch.triangular_solve(floats(4, 4), floats(4, 4))[0],
        lambda: floats(4, 4) @ floats(4, 4),
    ),
    "NCC-EVRF001-topk.inf2": (
        lambda: edited(lambda: torch.sort(floats(8))[0], renamed("sort", "topk")),
        lambda: torch.sort(floats(8))[0],
    ),
    "NCC-EVRF013.trn1": (lambda: torch.topk(integers(8), 2)[0], lambda: torch.topk(floats(8), 2)[0]),
    "NCC-EVRF013-opcode.inf2": (
        lambda: edited(lambda: torch.sort(integers(8))[0], renamed("sort", "topk")),
        lambda: torch.sort(integers(8))[0],
    ),
    "NCC-EVRF013-call.trn2": (
        lambda: custom("AwsNeuronTopK", torch.int32),
        lambda: custom("AwsNeuronTopK", torch.float32),
    ),
    "NCC-EVRF029.trn2": (lambda: torch.sort(floats(8))[0], lambda: torch.topk(floats(8), 2)[0]),
    "NCC-EVRF029-order.trn2": (lambda: torch.sort(floats(8))[0], lambda: torch.flip(floats(8), (0,))),
    "NCC-EHCA005.trn1": (lambda: custom("my_cuda_kernel"), lambda: custom("AwsNeuronSilu")),
    "NCC-EVRF006.trn1": (
        lambda: edited(lambda: torch.rand(4, device=DEVICE), other_algorithm),
        lambda: torch.rand(4, device=DEVICE),
    ),
    "NCC-EVRF010.trn1": (lambda: transposed(stride=2, dilation=2), lambda: transposed(stride=2)),
    "NCC-EVRF011.trn1": (lambda: edited(strided, set_window("convolution", "base_dilation")), strided),
    "NCC-EVRF016.trn1": (lambda: scatter(torch.int8), lambda: scatter(torch.float32)),
    "NCC-EVRF060.trn1": (lambda: scatter(torch.int64), assigned),
    "NCC-EVRF017.trn1": (lambda: edited(pooled, set_window("reduce-window", "base_dilation")), pooled),
    "NCC-EVRF018.trn1": (lambda: edited(pooled, set_window("reduce-window", "window_dilation")), pooled),
    "NCC-EVRF019.trn1": (lambda: edited(pooled, another_input), pooled),
    "NCC-EVRF022.trn1": (
        lambda: edited(lambda: integers(4, dtype=torch.int16) + 1, renamed("add", "shift-right-arithmetic")),
        lambda: edited(lambda: integers(4, dtype=torch.int32) + 1, renamed("add", "shift-right-arithmetic")),
    ),
    "NCC-EVRF035.trn1": (lambda: integers(2, 2) @ integers(2, 2), lambda: floats(2, 2) @ floats(2, 2)),
    "NCC-EVRF035-32bit.trn2": (
        lambda: integers(2, 2, dtype=torch.int32) @ integers(2, 2, dtype=torch.int32),
        lambda: integers(2, 2, dtype=torch.int8) @ integers(2, 2, dtype=torch.int8),
    ),
    "NCC-EVRF056.trn1": (lambda: looked_up(iota(10)), lambda: looked_up(iota(3))),
    "NCC-EVRF031.trn1": (lambda: written(iota(10)), lambda: written(iota(3))),
    "NCC-ESMP002.trn1": (
        lambda: looked_up(torch.arange(10, device=DEVICE)),
        lambda: looked_up(torch.arange(3, device=DEVICE)),
    ),
    "NCC-ESMP002-index.trn1": (
        lambda: floats(3, 4)[torch.arange(10, device=DEVICE)],
        lambda: floats(3, 4)[torch.tensor([0, 2, -1], device=DEVICE)],
    ),
    "NCC-EVRF061.trn1": (
        lambda: XLAC._xla_all_reduce("sum", integers(4), 1.0, [[0]], True),
        lambda: XLAC._xla_all_reduce("sum", floats(4), 1.0, [[0]], True),
    ),
    "NCC-EVRF063.trn1": (
        lambda: edited(
            lambda: XLAC._xla_all_reduce("sum", integers(4), 1.0, [[0]], True), renamed("all-reduce", "reduce-scatter")
        ),
        lambda: edited(
            lambda: XLAC._xla_all_reduce("sum", floats(4), 1.0, [[0]], True), renamed("all-reduce", "reduce-scatter")
        ),
    ),
    "NCC-EVRF062.trn1": (lambda: integers(4) ** integers(4), lambda: floats(4) ** floats(4)),
    "NCC-ESFH002.trn1": (
        lambda: edited(lambda: floats(4) + 1, unsigned(5_000_000_000)),
        lambda: edited(lambda: floats(4) + 1, unsigned(4_000_000_000)),
    ),
}


DECIDED = {
    "sort": lambda: torch.sort(floats(4))[0],
    "argsort": lambda: torch.argsort(floats(4)),
    "msort": lambda: torch.msort(floats(4)),
    "kthvalue": lambda: torch.kthvalue(floats(4), 2)[0],
    "triangular_solve": lambda: torch.triangular_solve(floats(4, 4), floats(4, 4))[0],
    "bitwise_right_shift": lambda: torch.bitwise_right_shift(integers(4), integers(4)),
    "__rshift__": lambda: integers(4) >> 1,
    "pow": lambda: floats(4) ** 2.5,
    "float_power": lambda: floats(4).float_power(2.5),
}
"""aten operators whose opcode a limit asks about by its name alone."""


def main() -> None:
    for name, function in DECIDED.items():
        (FOLDER / f"{name}.decided.pb").write_bytes(files.dump(lowered(function())))
    for name, pair in CASES.items():
        for kind, function in zip(("refused", "compiles"), pair, strict=True):
            XLAC._set_all_reduce_token(str(DEVICE), None)
            result = function()
            module = lowered(result) if isinstance(result, torch.Tensor) else result
            (FOLDER / f"{name}.{kind}.pb").write_bytes(files.dump(module))


main()
