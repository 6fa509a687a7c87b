"""Element types: number in the proto ↔ printed name ↔ bytes per element ↔ torch name."""

from __future__ import annotations

NUMBERS = {
    "pred": 1, "s8": 2, "s16": 3, "s32": 4, "s64": 5, "u8": 6, "u16": 7, "u32": 8, "u64": 9, "f16": 10, "f32": 11,
    "f64": 12, "opaque": 14, "c64": 15, "bf16": 16, "token": 17, "c128": 18, "f8e5m2": 19, "f8e4m3fn": 20, "s4": 21,
    "u4": 22, "f8e4m3b11fnuz": 23, "f8e5m2fnuz": 24, "f8e4m3fnuz": 25, "s2": 26, "u2": 27, "f8e4m3": 28, "f8e3m4": 29,
    "s1": 30, "u1": 31, "f4e2m1fn": 32, "f8e8m0fnu": 33,
}  # fmt: skip
"""PrimitiveType of xla_data.proto."""
TUPLE = 13
NAMES = {number: name for name, number in NUMBERS.items()} | {TUPLE: "tuple"}

TORCH = {
    "bool": "pred", "int8": "s8", "int16": "s16", "int32": "s32", "int64": "s64", "uint8": "u8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64", "bfloat16": "bf16",
    "complex64": "c64", "complex128": "c128", "float8_e5m2": "f8e5m2", "float8_e4m3fn": "f8e4m3fn",
    "float8_e5m2fnuz": "f8e5m2fnuz", "float8_e4m3fnuz": "f8e4m3fnuz", "float8_e8m0fnu": "f8e8m0fnu",
    "float4_e2m1fn_x2": "f4e2m1fn",
}  # fmt: skip
"""torch dtype without `torch.` → HLO element type."""

_BITS = {"pred": 8, "token": 0, "opaque": 0, "tuple": 0, "bf16": 16, "c64": 64, "c128": 128}


def bits(dtype: str) -> int:
    """Bits per element; 0 for tokens and tuples, which hold no elements."""
    if dtype in _BITS:
        return _BITS[dtype]
    if dtype.startswith(("f8", "f4")):
        return 8 if dtype.startswith("f8") else 4
    return int(dtype[1:]) if dtype[1:].isdigit() else 32


def size(dtype: str, elements: int) -> int:
    """Bytes that so many elements need, whole bytes for types of less than eight bits."""
    return (bits(dtype) * elements + 7) // 8
