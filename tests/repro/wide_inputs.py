"""Further inputs for the cases: two other shapes each, and where integers are values that may be negative or large."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Inputs = tuple[Any, ...]


def upper(size: int) -> Any:
    """A regular matrix with numbers below its diagonal too: a triangular solve does not look at them."""
    return torch.rand(size, size) + 2 * torch.eye(size)


def regular(size: int) -> Any:
    return torch.rand(size, size) + size * torch.eye(size)


def f8(*shape: int) -> Any:
    return torch.randn(*shape).to(torch.float8_e4m3fn)


SHAPES: dict[str, Callable[[], list[Inputs]]] = {
    "CC-EmptyTensor": lambda: [
        (torch.randn(1, 0, 2), torch.randn(1, 3, 2)),
        (torch.randn(4, 0, 1), torch.randn(4, 7, 1)),
    ],
    "CC-UnsupportedHlo": lambda: [(torch.tensor([4]),), (torch.tensor([[0, 1], [2, 3]]),)],
    "INF1-DynamicShape": lambda: [(torch.randn(5, 3), torch.randn(5, 3)), (torch.randn(9, 2), torch.randn(5, 2))],
    "NCC-EHCA005": lambda: [(torch.rand(1, 3, 3) + 3 * torch.eye(3),), (torch.rand(5, 3, 3) - 4 * torch.eye(3),)],
    "NCC-EMOD025": lambda: [(torch.randn(1),), (torch.randn(3, 5),)],
    "NCC-ESFH002": lambda: [(torch.arange(4) - 7,), (torch.tensor([2**40, -(2**40), 0, 1]),)],
    "NCC-ESPP047": lambda: [
        (f8(1, 10), torch.randn(10, 20), torch.randn(20, 10)),
        (f8(3, 4), torch.randn(4, 2), torch.randn(2, 5)),
    ],
    "NCC-EUOC002": lambda: [(torch.randn(7, 3), upper(7)), (torch.randn(1, 1), upper(1))],
    "NCC-EVRF001": lambda: [(torch.randn(7, 3), upper(7)), (torch.randn(1, 1), upper(1))],
    "NCC-EVRF004": lambda: [
        (torch.randn(1, 5), torch.randn(5), torch.randn(5)),
        (torch.randn(3, 12), torch.randn(12), torch.randn(12)),
    ],
    "NCC-EVRF010": lambda: [
        (torch.randn(2, 2, 3, 6), torch.randn(2, 4, 2, 3)),
        (torch.randn(1, 1, 4, 2), torch.randn(1, 1, 3, 1)),
    ],
    "NCC-EVRF011": lambda: [
        (torch.randn(2, 1, 5, 8), torch.randn(2, 1, 3, 3)),
        (torch.randn(1, 3, 7, 4), torch.randn(2, 3, 2, 4)),
    ],
    "NCC-EVRF013": lambda: [
        (torch.tensor([[1, 2, 3]], dtype=torch.int32),),
        (torch.randint(0, 255, (300,), dtype=torch.uint8),),
        (torch.randint(-(2**40), 2**40, (2, 2, 6)),),
    ],
    "NCC-EVRF016": lambda: [
        (torch.zeros(4, 5, dtype=torch.int32), torch.tensor([[1, 1]]), torch.tensor([[-3, -4]], dtype=torch.int32)),
        (
            torch.ones(2, 3, dtype=torch.int32),
            torch.tensor([[2], [0]]),
            torch.tensor([[7, 9], [2**25, 1]], dtype=torch.int32),
        ),
    ],
    "NCC-EVRF017": lambda: [(torch.randn(2),), (torch.randn(15),)],
    "NCC-EVRF018": lambda: [(torch.randn(3),), (torch.randn(15),)],
    "NCC-EVRF019": lambda: [(torch.randn(1),), (torch.randn(6, 3),)],
    "NCC-EVRF022": lambda: [
        (torch.tensor([-32768, 32767], dtype=torch.int16), torch.tensor([3, 15], dtype=torch.int16)),
        (torch.tensor([[-3], [9]], dtype=torch.int16), torch.tensor([[0], [1]], dtype=torch.int16)),
    ],
    "NCC-EVRF029": lambda: [(torch.randn(1),), (torch.randn(2, 5),), (torch.randint(0, 5, (300,)).float(),)],
    "NCC-EVRF031": lambda: [(torch.randn(12, 4), torch.randn(10, 4)), (torch.randn(1, 2), torch.randn(10, 2))],
    "NCC-EVRF035": lambda: [
        (torch.tensor([[4095, 4093]]), torch.tensor([[8193], [8191]])),
        (torch.tensor([[-5, -4097]]), torch.tensor([[3], [1]])),
        (torch.randint(-(2**30), 2**30, (2, 3)), torch.randint(-3, 3, (3, 4))),
    ],
    "NCC-EVRF035-Int32": lambda: [
        (torch.tensor([[4095, 4093]], dtype=torch.int32), torch.tensor([[8193], [8191]], dtype=torch.int32)),
        (torch.tensor([[-5, -4097]], dtype=torch.int32), torch.tensor([[3], [1]], dtype=torch.int32)),
        (torch.randint(-(2**20), 2**20, (2, 3), dtype=torch.int32), torch.randint(-3, 3, (3, 4), dtype=torch.int32)),
    ],
    "NCC-EVRF051": lambda: [
        (torch.randn(1, 3), torch.randn(3, 2) * 400),
        (torch.randn(4, 5), torch.randn(5, 1) * 0.01),
    ],
    "NCC-EVRF056": lambda: [(torch.randn(1, 2),), (torch.randn(9, 5),)],
    "NCC-EVRF060": lambda: [
        (torch.zeros(3, 2, dtype=torch.int64), torch.tensor([2, 2]), torch.tensor([[-5, 2**30], [1, -(2**33)]])),
        (torch.ones(1, dtype=torch.int64), torch.tensor([0]), torch.tensor([-1])),
    ],
    "NCC-EVRF061": lambda: [
        (torch.tensor([2**62 + 2**37 + 1]),),
        (torch.tensor([-5, 0, -(2**39), 2**40 - 1]),),
        (torch.tensor([[-1]]),),
    ],
    "NCC-EVRF062": lambda: [(torch.tensor([-5, 0, -2000]),), (torch.tensor([[3], [-1]]),)],
    "NCC-EVRF063": lambda: [
        (torch.tensor([2**62 + 2**37 + 1]),),
        (torch.tensor([-5, 0, -(2**39), 2**40 - 1]),),
        (torch.tensor([-1]),),
    ],
    "NCC-IMPR902": lambda: [(torch.randn(6),), (torch.randn(2, 3, 9),)],
    "NCC-INLA001-FreeDims": lambda: [
        (torch.randn(1, 1, 2, 7), torch.randint(7, (1, 1, 2))),
        (torch.randn(4, 2, 3, 7), torch.randint(7, (4, 2, 3))),
    ],
    "NCC-ITIN902-LoopIndex": lambda: [
        (torch.randn(3, 2), torch.tensor([-1]), torch.randn(1, 2)),
        (torch.randn(8, 1), torch.tensor([7]), torch.randn(1, 1)),
        (torch.randn(5, 2), torch.tensor([1, 3]), torch.randn(2, 2)),
    ],
    "TEN404-BirCodeGenLoop-TensorCopyPartition": lambda: [
        (torch.randn(2, 1, 7, 8), torch.randn(2, 1, 7, 7)),
        (torch.randn(1, 3, 10, 7), torch.randn(1, 3, 7, 7)),
    ],
    "TEN404-BirCodeGenLoop-TooManyStrides": lambda: [(torch.randn(1, 1),), (torch.randn(5, 2),)],
    "TEN404-InferIntrinsicOnCC": lambda: [(torch.randn(24, 1),), (torch.randn(30, 7),)],
    "TEN404-LegalizeSundaAccess": lambda: [
        (torch.randn(1, 20, 2), torch.randn(1, 2), torch.randn(2, 3)),
        (torch.randn(5, 20, 6), torch.randn(5, 6), torch.randn(6, 1)),
    ],
    "TEN404-NeuronValueNumbering": lambda: [(torch.randn(24, 1),), (torch.randn(24, 40),)],
    "TEN404-SplitAPUnionSets": lambda: [(torch.randn(1, 2, 2, 2),), (torch.randn(3, 6, 1, 5),)],
    "TEN404-SundaSizeTiling": lambda: [(torch.randn(1, 3, 3, 1),), (torch.randn(3, 9, 6, 2),)],
    "TEN404-TensorInitialization": lambda: [(torch.randn(1, 1),), (torch.randn(5, 9),)],
    "TEN404-TritiumFusion": lambda: [
        (torch.randn(2), torch.randn(2, 1), torch.randn(2, 1)),
        (torch.randn(9), torch.randn(9, 3), torch.randn(9, 3)),
    ],
    "TORCH-ConstantOverflow": lambda: [(torch.randn(2, 4, 4),), (torch.randn(1, 4, 4) * 9,)],
    "TRACE-DataDependent": lambda: [(torch.randn(1, 2),), (torch.randn(7, 5),)],
    "VMAP-DataDependent": lambda: [(torch.randn(1, 2),), (torch.randn(7, 5),)],
    "VMAP-InplaceArithmetic": lambda: [(torch.randn(1, 3),), (torch.randn(9, 3),)],
    "VMAP-SizeMismatch": lambda: [(torch.randn(2, 1), torch.randn(1, 1)), (torch.randn(9, 4), torch.randn(1, 4))],
    "XLA-CheckpointNoXla": lambda: [(torch.randn(1),), (torch.randn(3, 4),)],
    "XLA-CheckpointReentrant": lambda: [(torch.randn(1),), (torch.randn(3, 4),)],
    "XLA-InferenceTensorVersion": lambda: [(torch.randn(1, 2),), (torch.randn(5, 12),)],
    "XLA-NotXlaTensor": lambda: [(torch.randn(1, 3),), (torch.randn(7, 3),)],
    "XLA-RemovedApi": lambda: [(torch.randn(1),), (torch.randn(2, 5),)],
    "XLA-ScanClosure": lambda: [
        (torch.randn(2), torch.randn(1, 2), torch.randn(2, 2)),
        (torch.randn(3), torch.randn(6, 3), torch.randn(3, 3)),
    ],
    "FUNC-ScanMissing": lambda: [(torch.randn(1), torch.randn(2, 1)), (torch.randn(3), torch.randn(6, 3))],
    "XLA-ViewOperator": lambda: [(torch.randn(2, 1, 2, 8),), (torch.randn(1, 3, 6, 2),)],
}


def special(inputs: Inputs) -> list[tuple[str, Inputs]]:
    """The inputs with one value of each float tensor replaced, and all of them in bfloat16."""
    found: list[tuple[str, Inputs]] = [("bf16", tuple(_bf16(value) for value in inputs))]
    for name, number in {"zero": 0.0, "nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}.items():
        for place, value in enumerate(inputs):
            if _is_float(value) and value.numel():
                changed = value.clone().contiguous()
                changed.view(-1)[changed.numel() // 2] = number
                found.append((f"{name} in {place}", (*inputs[:place], changed, *inputs[place + 1 :])))
    return found


def _is_float(value: Any) -> bool:
    return torch.is_tensor(value) and value.dtype == torch.float32


def _bf16(value: Any) -> Any:
    return value.to(torch.bfloat16) if _is_float(value) else value
