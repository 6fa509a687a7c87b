"""What inputs must be for an alternative to be right: stated once, tested on inputs that are otherwise."""

from __future__ import annotations

from neurontriage.repro.case import Condition
from neurontriage.repro.lazy import Tensor, torch


def _floats(values: tuple[Tensor, ...]) -> list[Tensor]:
    return [value for value in values if torch.is_tensor(value) and value.is_floating_point()]


def _finite(*values: Tensor) -> bool:
    return all(bool(torch.isfinite(value.float()).all()) for value in _floats(values))


def _no_nan(*values: Tensor) -> bool:
    return not any(bool(torch.isnan(value.float()).any()) for value in _floats(values))


FINITE = Condition("finite values: NaN or infinity anywhere spreads to every result", _finite)
NO_NAN = Condition("no NaN", _no_nan)


WIDE = Condition(
    "float32 or wider: torch has no bfloat16 kernel for it on CPU",
    lambda *values: all(value.dtype != torch.bfloat16 for value in _floats(values)),
)


def below(power: int) -> Condition:
    """Integers of a magnitude below a power of two."""

    def holds(*values: Tensor) -> bool:
        integers = [value for value in values if torch.is_tensor(value) and not value.is_floating_point()]
        return all(int(value.abs().max()) < 2**power for value in integers if value.numel())

    return Condition(f"integers of magnitude below 2^{power}", holds)


def sums_below(power: int) -> Condition:
    """Integers whose magnitudes sum up to less than a power of two."""

    def holds(*values: Tensor) -> bool:
        integers = [value for value in values if torch.is_tensor(value) and not value.is_floating_point()]
        return bool(sum(int(value.abs().sum()) for value in integers) < 2**power)

    return Condition(f"every sum stays below 2^{power}", holds)
