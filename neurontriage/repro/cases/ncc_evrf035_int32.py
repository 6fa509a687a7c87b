"""A matrix product of 32-bit integers on trn2 and later, which have no integer datapath for it."""

from __future__ import annotations

from neurontriage.repro.blocks import halves, product_and_sum
from neurontriage.repro.case import Alternative, Condition, Example, Needs, Origin
from neurontriage.repro.hlo import result_types
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF035-Int32"
TITLE = "matrix product of 32-bit integers"
NEEDS = Needs("neuronx-cc", flags=("--implicit-integer-downcast=none",), targets=("trn2", "trn3"), entry="NCC-EVRF035")
ORIGIN = Origin(
    "documented",
    "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/compiler/error-codes/EVRF035.html",
    since="2.27",
)


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
DOWNCAST = "--implicit-integer-downcast"

ALTERNATIVES = (
    Alternative(
        "allow-the-downcast",
        "semantics-changing",
        integer_product,
        flags=(f"{DOWNCAST}=dot",),
        unset=(DOWNCAST,),
        note="documented; a warning instead, and float32 above 2^24",
    ),
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


def build() -> Example:
    return Example(
        integer_product,
        (
            torch.randint(2**20, 2**22, (3, 4), dtype=torch.int32) | 1,
            torch.randint(1, 64, (4, 2), dtype=torch.int32) | 1,
        ),
    )


def trigger(hlo: str) -> bool:
    return any(kind in ("s32", "s64") for kind in result_types(hlo, "dot"))
