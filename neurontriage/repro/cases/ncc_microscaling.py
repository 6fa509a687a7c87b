"""Custom calls of the microscaling formats (MXFP8) that break one of their rules each; only the compiler knows them."""

from __future__ import annotations

import json

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Function, GraphCase, Needs, page
from neurontriage.repro.lazy import Tensor, torch
from neurontriage.repro.mx import PRODUCT, QUANTIZE, RIGHT, mx_call, quantized, scaled_product

ENTRIES = {QUANTIZE: "NCC-QuantizeMX", PRODUCT: "NCC-ScaledMatmul"}
CONFIG = json.dumps(RIGHT)
BATCHES = json.dumps({"scaled_dot_backend_config": {"lhs_batch_dimensions": [0], "rhs_batch_dimensions": [0]}})


def sample() -> tuple[Tensor]:
    return (torch.randn(4, 64, dtype=torch.bfloat16),)


def well_quantized(x: Tensor) -> tuple[Tensor, Tensor]:
    return quantized(x)


def well_multiplied(x: Tensor) -> Tensor:
    return scaled_product(quantized(x), quantized(x))


def no_json(x: Tensor) -> tuple[Tensor, Tensor]:
    return quantized(x, config="{dim: -1")


def two_operands(x: Tensor) -> list[Tensor]:
    return mx_call([x, x], QUANTIZE, [([4, 16], torch.uint32), ([4, 2], torch.uint8)], CONFIG)


def sixth_dimension(x: Tensor) -> tuple[Tensor, Tensor]:
    return quantized(x, dim=5)


def blocks_of_16(x: Tensor) -> tuple[Tensor, Tensor]:
    return quantized(x, block_size=16)


def mean_scale(x: Tensor) -> tuple[Tensor, Tensor]:
    return quantized(x, scale_method="MEAN")


def float32_input(x: Tensor) -> tuple[Tensor, Tensor]:
    return quantized(x.to(torch.float32))


def no_dtype(x: Tensor) -> tuple[Tensor, Tensor]:
    return quantized(x, config='{"dim": -1}')


def one_output(x: Tensor) -> list[Tensor]:
    return mx_call([x], QUANTIZE, [([4, 16], torch.uint32)], CONFIG)


def without_scales(x: Tensor) -> list[Tensor]:
    return mx_call([quantized(x)[0], quantized(x)[0]], PRODUCT, [([4, 4], torch.float32)], "{}")


def left_not_packed(x: Tensor) -> Tensor:
    return scaled_product((x, quantized(x)[1]), quantized(x))


def float16_result(x: Tensor) -> Tensor:
    return scaled_product(quantized(x), quantized(x), torch.float16)


def vector_on_the_left(x: Tensor) -> Tensor:
    return scaled_product(quantized(x[0]), quantized(x))


def vector_on_the_right(x: Tensor) -> Tensor:
    return scaled_product(quantized(x), quantized(x[0]))


def other_batches(x: Tensor) -> Tensor:
    return scaled_product(quantized(x.reshape(2, 2, 64)), quantized(x.reshape(4, 1, 64)), config=BATCHES)


def product_without_json(x: Tensor) -> Tensor:
    return scaled_product(quantized(x), quantized(x), config="{oops")


def other_lengths(x: Tensor) -> Tensor:
    return scaled_product(quantized(x), quantized(x[:, :32]))


def calls_quantize(module: Module) -> bool:
    return QUANTIZE in module.custom_calls


def calls_product(module: Module) -> bool:
    return PRODUCT in module.custom_calls


def _case(code: str, call: str, what: str, wrong: Function) -> GraphCase:
    right, holds = (well_quantized, calls_quantize) if call == QUANTIZE else (well_multiplied, calls_product)
    needs = Needs("neuronx-cc", entry=ENTRIES[call], targets=("trn3",), compile_only=True)
    title = ("QuantizeMX " if call == QUANTIZE else "block-scaled product ") + what
    fix = Alternative("as-documented", "fix", right)
    return GraphCase(f"NCC-{code}", title, needs, page(code), (fix,), wrong, sample, holds)


CASES = (
    _case("EVRF036", QUANTIZE, "with a backend_config that is no JSON", no_json),
    _case("EVRF037", QUANTIZE, "with two operands instead of one", two_operands),
    _case("EVRF038", QUANTIZE, "with a dimension that the input does not have", sixth_dimension),
    _case("EVRF039", QUANTIZE, "with a block size other than 32", blocks_of_16),
    _case("EVRF040", QUANTIZE, "with a scale method other than EMAX", mean_scale),
    _case("EVRF041", QUANTIZE, "with a float32 input", float32_input),
    _case("EVRF042", QUANTIZE, "with no dtype in the backend_config", no_dtype),
    _case("EVRF043", PRODUCT, "with two operands instead of four", without_scales),
    _case("EVRF044", PRODUCT, "with a left operand that is not packed", left_not_packed),
    _case("EVRF045", PRODUCT, "with a float16 result", float16_result),
    _case("EVRF046", PRODUCT, "with a vector on the left", vector_on_the_left),
    _case("EVRF047", PRODUCT, "with a vector on the right", vector_on_the_right),
    _case("EVRF048", PRODUCT, "with batches of different sizes", other_batches),
    _case("EVRF049", PRODUCT, "with a backend_config that is no JSON", product_without_json),
    _case("EVRF050", PRODUCT, "with contracted axes of different sizes", other_lengths),
    _case("EVRF057", QUANTIZE, "with one output instead of two", one_output),
)
