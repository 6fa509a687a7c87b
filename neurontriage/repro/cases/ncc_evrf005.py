"""An 8-bit float type of the FNUZ family."""

from __future__ import annotations

from neurontriage.hlo.module import Module, Proto
from neurontriage.repro.blocks import edited_graph
from neurontriage.repro.case import Alternative, Example, Needs, Tolerance, page
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF005"
TITLE = "conversion to torch.float8_e4m3fnuz"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF005")
EIGHT_BIT = Tolerance(rtol=2**-4, atol=2**-10)
"""Half a step of a type with three mantissa bits: what the original itself rounds away."""
F8E4M3FN, F8E4M3FNUZ = 20, 25


def through_fn(x: Tensor) -> Tensor:
    return x.to(torch.float8_e4m3fn).to(torch.float32)


def through_fnuz(x: Tensor) -> Tensor:
    """torch-xla refuses the FNUZ types, so the type is written into the HLO."""
    return edited_graph(through_fn, "convert", retype, x)


def retype(instruction: Proto) -> None:
    """The result type F8E4M3FN becomes F8E4M3FNUZ; other conversions stay."""
    if instruction.shape.element_type == F8E4M3FN:
        instruction.shape.element_type = F8E4M3FNUZ


def on_cpu(x: Tensor) -> Tensor:
    return x.cpu().to(torch.float8_e4m3fnuz).to(torch.float32).to(x.device)


def half(x: Tensor) -> Tensor:
    return x.to(torch.float16).to(torch.float32)


ALTERNATIVES = (
    Alternative("float16", "semantics-changing", half, note="documented; other, finer numbers", tolerance=EIGHT_BIT),
    Alternative("convert-on-cpu", "fallback", on_cpu),
)


def build() -> Example:
    return Example(through_fnuz, (torch.randn(16),), reference=on_cpu)


def trigger(module: Module) -> bool:
    return not module.dtypes.isdisjoint({"f8e4m3fnuz", "f8e5m2fnuz", "f8e4m3b11fnuz"})
