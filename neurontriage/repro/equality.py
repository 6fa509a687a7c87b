"""Compares an alternative's numbers with the reference: pure functions on plain numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from neurontriage.repro.case import Tolerance

EXACT = Tolerance(rtol=0.0, atol=0.0)
BY_DTYPE = {
    "float64": Tolerance(rtol=1e-9, atol=1e-11),
    "float32": Tolerance(rtol=1e-4, atol=1e-5),
    "bfloat16": Tolerance(rtol=2e-2, atol=1e-2),
    "float16": Tolerance(rtol=2e-3, atol=1e-3),
}
"""Integers and booleans are absent: they must be exact."""


@dataclass(frozen=True, slots=True)
class Values:
    """One tensor, flattened; `dtype` without the `torch.` prefix."""

    shape: tuple[int, ...]
    dtype: str
    numbers: tuple[float, ...]

    @property
    def beyond_32_bits(self) -> bool:
        """Whether an integer is too large for 32 bits with a sign."""
        return self.dtype in ("int64", "uint64") and any(not -(2**31) <= number < 2**31 for number in self.numbers)


@dataclass(frozen=True, slots=True)
class Equality:
    """How far one run is from the reference; `reason` says why it is not equivalent."""

    equivalent: bool
    max_abs_error: float | None
    cosine: float | None
    tolerance: Tolerance
    reason: str = ""


def compare(expected: Sequence[Values], actual: Sequence[Values], tolerance: Tolerance | None) -> Equality:
    """Compares all outputs; errors are the worst of them, tolerance is by dtype unless given."""
    used = tolerance or _tolerance(actual)
    shapes = [value.shape for value in expected], [value.shape for value in actual]
    if shapes[0] != shapes[1]:
        return Equality(False, None, None, used, f"shapes differ: {shapes[1]} instead of {shapes[0]}")
    pairs = [pair for e, a in zip(expected, actual, strict=True) for pair in zip(e.numbers, a.numbers, strict=True)]
    errors = [_error(e, a) for e, a in pairs]
    far = [index for index, (e, a) in enumerate(pairs) if not _close(e, a, used)]
    reason = "" if not far else f"{len(far)} of {len(pairs)} numbers are beyond the tolerance"
    return Equality(not far, max(errors, default=0.0), _cosine(pairs), used, reason)


def _tolerance(values: Sequence[Values]) -> Tolerance:
    tolerances = [BY_DTYPE.get(value.dtype, EXACT) for value in values]
    return max(tolerances, key=lambda tolerance: tolerance.rtol, default=EXACT)


def _error(expected: float, actual: float) -> float:
    if expected == actual or (math.isnan(expected) and math.isnan(actual)):
        return 0.0
    error = abs(expected - actual)
    return math.inf if math.isnan(error) else error


def _close(expected: float, actual: float, tolerance: Tolerance) -> bool:
    limit = tolerance.atol + tolerance.rtol * abs(expected) if math.isfinite(expected) else 0.0
    return _error(expected, actual) <= limit


def _cosine(pairs: Sequence[tuple[float, float]]) -> float | None:
    finite = [(e, a) for e, a in pairs if math.isfinite(e) and math.isfinite(a)]
    norms = math.sqrt(sum(e * e for e, _ in finite)), math.sqrt(sum(a * a for _, a in finite))
    if norms[0] == 0.0 or norms[1] == 0.0:
        return 1.0 if norms == (0.0, 0.0) else 0.0
    return min(1.0, max(-1.0, sum(e * a for e, a in finite) / norms[0] / norms[1]))
