"""An unsigned 64-bit constant above 2^32 - 1."""

from __future__ import annotations

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.lazy import Tensor, torch, xla_builder, xla_op_registry

ID = "NCC-ESFH002"
TITLE = "a 64-bit constant that does not fit into 32 bits"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("ESFH002")
BIG = 5_000_000_000


def big_constant(x: Tensor) -> Tensor:
    """Unsigned 64-bit arithmetic with the constant, which torch-xla has no tensor for."""
    steps = torch.arange(4, device=x.device)
    return xla_op_registry.register("unsigned_sum", _unsigned_sum)(x + steps)


def _unsigned_sum(x: Tensor) -> Tensor:
    unsigned, constant = xla_builder.Type.U64, xla_builder.Op.scalar(x.builder(), BIG, dtype=xla_builder.Type.U64)
    return (x.cast(unsigned) + constant.broadcast([4])).cast(xla_builder.Type.S64)


def on_cpu(x: Tensor) -> Tensor:
    return x + torch.arange(BIG, BIG + 4)


def two_words(x: Tensor) -> Tensor:
    """The constant in 32-bit halves, put together on the device."""
    steps = torch.arange(4, device=x.device)
    return x + steps + (BIG >> 16) * torch.full_like(x, 1 << 16) + (BIG & 0xFFFF)


def as_input(x: Tensor) -> Tensor:
    """The constant comes in as data instead of a literal."""
    start = torch.full((1,), BIG, dtype=x.dtype).to(x.device)
    return x + start + torch.arange(4, device=x.device)


def narrowed(x: Tensor) -> Tensor:
    return (x.to(torch.int32) + torch.arange(BIG & 0xFFFFFFFF, (BIG & 0xFFFFFFFF) + 4, device=x.device)).to(x.dtype)


ALTERNATIVES = (
    Alternative("two-words", "fix", two_words),
    Alternative("constant-as-input", "fix", as_input),
    Alternative(
        "32-bit-constant",
        "semantics-changing",
        narrowed,
        note="documented; 5,000,000,000 itself does not fit 32 bits",
    ),
)


def build() -> Example:
    return Example(big_constant, (torch.arange(4),), reference=on_cpu)


def trigger(module: Module) -> bool:
    """A literal above 2^32 - 1 in an unsigned 64-bit constant."""
    return any(number > 2**32 - 1 for each in module.instructions for number in each.literal.u64s)
