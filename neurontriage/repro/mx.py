"""The custom calls for microscaling formats (MXFP8) of neuronx-cc, right or wrong; only the compiler knows them.

`QuantizeMX`: a bf16 or f16 tensor → (four packed eight-bit floats per u32, one scale per block of 32).
`__op$block_scaled_dot`: (lhs, rhs, scale of lhs, scale of rhs) → their product. What they demand stands on the pages
NCC_EVRF036 to NCC_EVRF050 and NCC_EVRF057 of the compiler's error codes.
"""

from __future__ import annotations

import json
from typing import Any

from neurontriage.repro.lazy import Tensor, torch

QUANTIZE, PRODUCT = "QuantizeMX", "__op$block_scaled_dot"
RIGHT = {"dim": -1, "block_size": 32, "scale_method": "EMAX", "dtype": "float8_e5m2"}


def mx_call(operands: list[Tensor], target: str, outputs: list[tuple[list[int], Any]], config: str) -> list[Tensor]:
    """A custom call with these result shapes and types, and this backend_config."""
    from torch_xla.experimental.stablehlo_custom_call import stablehlo_custom_call

    shapes, types = [shape for shape, _ in outputs], [dtype for _, dtype in outputs]
    found = stablehlo_custom_call(operands, target, shapes, types, backend_config=config)
    return list(found) if len(outputs) > 1 else [found]


def quantized(x: Tensor, config: str | None = None, **changed: Any) -> tuple[Tensor, Tensor]:
    """QuantizeMX over the last axis; keyword arguments change single fields of a right configuration."""
    text = json.dumps({**RIGHT, **changed}) if config is None else config
    packed, scales = [*x.shape[:-1], x.shape[-1] // 4], [*x.shape[:-1], max(1, x.shape[-1] // 32)]
    data, scale = mx_call([x], QUANTIZE, [(packed, torch.uint32), (scales, torch.uint8)], text)
    return data, scale


def scaled_product(
    left: tuple[Tensor, Tensor], right: tuple[Tensor, Tensor], dtype: Any = None, config: str = "{}"
) -> Tensor:
    """The product of two quantised matrices, contracted over their last axes."""
    shape = [*left[0].shape[:-1], right[0].shape[-2] if right[0].dim() > 1 else 1]
    operands = [left[0], right[0], left[1], right[1]]
    return mx_call(operands, PRODUCT, [(shape, dtype or torch.float32)], config)[0]
