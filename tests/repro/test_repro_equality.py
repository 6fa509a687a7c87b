"""Comparison of numbers."""

from __future__ import annotations

import math

import pytest

from neurontriage.repro.case import Tolerance
from neurontriage.repro.equality import Values, compare


def values(*numbers: float, dtype: str = "float32") -> Values:
    return Values((len(numbers),), dtype, numbers)


@pytest.mark.parametrize(
    ("expected", "actual", "equivalent"),
    [
        (values(1.0, 2.0), values(1.0, 2.00001), True),
        (values(1.0, 2.0), values(1.0, 2.1), False),
        (values(100.0, dtype="bfloat16"), values(101.0, dtype="bfloat16"), True),
        (values(100.0), values(101.0), False),
        (values(2**24 + 1, dtype="int32"), values(2**24, dtype="int32"), False),
        (values(2**60 + 1, dtype="int64"), values(2**60, dtype="int64"), False),
        (values(math.nan, math.inf), values(math.nan, math.inf), True),
        (values(math.nan), values(0.0), False),
        (values(math.inf), values(-math.inf), False),
        (values(1.0), values(math.nan), False),
        (values(), values(), True),
    ],
)
def test_equivalence_follows_the_dtype_of_the_result(expected: Values, actual: Values, equivalent: bool) -> None:
    assert compare([expected], [actual], None).equivalent is equivalent


def test_a_given_tolerance_wins() -> None:
    assert compare([values(1.0)], [values(1.05)], Tolerance(0.1, 0.0)).equivalent
    assert not compare([values(1.0)], [values(1.05)], Tolerance(0.01, 0.0)).equivalent


def test_other_shapes_are_never_equivalent() -> None:
    found = compare([values(1.0, 1.0)], [values(1.0)], None)
    assert not found.equivalent
    assert found.max_abs_error is None
    assert "shapes differ" in found.reason


def test_error_and_cosine_are_of_all_outputs_together() -> None:
    found = compare([values(1.0), values(0.0, 2.0)], [values(1.0), values(0.0, -2.0)], None)
    assert found.max_abs_error == 4.0
    assert found.cosine == pytest.approx((1 - 4) / 5)


def test_two_zero_vectors_point_the_same_way() -> None:
    assert compare([values(0.0)], [values(0.0)], None).cosine == 1.0
    assert compare([values(0.0)], [values(1.0)], None).cosine == 0.0


@pytest.mark.xla
@pytest.mark.parametrize(("native", "size", "compared"), [(True, 2**40, True), (False, 2**40, False), (False, 7, True)])
def test_integers_that_the_device_cuts_are_not_called_different(native: bool, size: int, compared: bool) -> None:
    """neuronx-cc computes int64 as int32 unless told otherwise: a fix is not wrong for that."""
    from neurontriage.repro import attempt
    from neurontriage.repro.case import Example
    from neurontriage.repro.lazy import torch

    example = Example(torch.clone, (torch.tensor([size]),))
    found = attempt._equality(example, (Values((1,), "int64", (0,)),), None, native)
    assert (found["equality"] is not None) is compared
    assert compared or "--native-int64=enabled" in found["no_reference"]
