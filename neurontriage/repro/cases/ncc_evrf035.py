"""A matrix product of integers; on trn2 and later, which have no integer datapath for it, of 32-bit ones too."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.blocks import halves, product_and_sum
from neurontriage.repro.case import Alternative, Condition, GraphCase, Needs, page
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.settings import NO_DOWNCAST, integer_flags


def integer_product(a: Tensor, b: Tensor) -> Tensor:
    return a @ b


def through_float(a: Tensor, b: Tensor) -> Tensor:
    return (a.to(torch.float32) @ b.to(torch.float32)).to(a.dtype)


def in_halves(a: Tensor, b: Tensor) -> Tensor:
    """Splits one factor into halves of 12 bits: each float32 product is exact, the sum is integer."""
    parts = [(part.to(torch.float32) @ b.to(torch.float32)).to(a.dtype) for part in halves(a, 12)]
    return parts[0] + parts[1] * 4096


def on_cpu(a: Tensor, b: Tensor) -> Tensor:
    return integer_product(a.cpu(), b.cpu()).to(a.device)


def exact(a: Tensor, b: Tensor) -> bool:
    return all(int((part.abs() @ b.abs()).max()) < 2**24 for part in halves(a, 12))


EXACT_HALVES = Condition("the product of each half of 12 bits stays below 2^24", exact)
ALTERNATIVES = (
    *integer_flags("dot", integer_product, exact=24),
    Alternative("multiply-and-sum", "fix", product_and_sum, note="exact; no dot in the graph"),
    Alternative("float32-in-halves", "fix", in_halves, requires=(EXACT_HALVES,)),
    Alternative(
        "cast-to-float",
        "fix",
        through_float,
        works=False,
        note="documented; float32 holds integers up to 2^24 only, and these products are larger",
    ),
    Alternative("product-on-cpu", "fallback", on_cpu),
)


def wide_numbers() -> tuple[Tensor, Tensor]:
    return torch.randint(2**20, 2**22, (3, 4)) | 1, torch.randint(1, 64, (4, 2)) | 1


def narrow_numbers() -> tuple[Tensor, ...]:
    return tuple(x.to(torch.int32) for x in wide_numbers())


def integer_dot(module: Module) -> bool:
    return any(each.dtype in ("s32", "s64") for each in module.views("dot"))


TRN2 = Needs("neuronx-cc", flags=NO_DOWNCAST, targets=("trn2", "trn3"), entry="NCC-EVRF035")
CASES = (
    GraphCase(
        "NCC-EVRF035",
        "matrix product of 64-bit integers",
        Needs("neuronx-cc", flags=NO_DOWNCAST),
        page("EVRF035", since="2.27"),
        ALTERNATIVES,
        integer_product,
        wide_numbers,
        integer_dot,
    ),
    GraphCase(
        "NCC-EVRF035-Int32",
        "matrix product of 32-bit integers",
        TRN2,
        page("EVRF035", since="2.27"),
        ALTERNATIVES,
        integer_product,
        narrow_numbers,
        integer_dot,
    ),
)
