"""Constants: LiteralProto ↔ the numbers that XLA prints."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from typing import Any

from neurontriage.hlo.dtypes import NAMES

Proto = Any

_ELIDED = "{...}"
_PACKED = {"f16": ("f16s", "e"), "s16": ("s16s", "h"), "u16": ("u16s", "H"), "s8": ("s8s", "b"), "u8": ("u8s", "B")}
_LISTED = {"pred": "preds", "s32": "s32s", "s64": "s64s", "u32": "u32s", "u64": "u64s", "f32": "f32s", "f64": "f64s"}
_COMPLEX = {"c64": "c64s", "c128": "c128s"}
_NUMBER = re.compile(r"true|false|-?(?:inf|nan|\d[\d.]*(?:[eE][+-]?\d+)?)")


def values(literal: Proto) -> Sequence[Any] | None:
    """The elements in row-major order (complex ones as pairs), None for a type kept only as bytes."""
    dtype = NAMES.get(literal.shape.element_type, "")
    if dtype in _LISTED:
        return list(getattr(literal, _LISTED[dtype]))
    if dtype in _COMPLEX:
        flat = list(getattr(literal, _COMPLEX[dtype]))
        return list(zip(flat[::2], flat[1::2], strict=False))
    if dtype in _PACKED:
        field, code = _PACKED[dtype]
        raw = getattr(literal, field)
        return list(struct.unpack(f"<{len(raw) // struct.calcsize(code)}{code}", raw))
    if dtype == "bf16":
        raw = literal.bf16s
        return [struct.unpack("<f", b"\0\0" + raw[n : n + 2])[0] for n in range(0, len(raw) - 1, 2)]
    return None


def text(literal: Proto, longest: int | None = None) -> str:
    """As XLA prints it; `{...}` for more than `longest` elements, and for types kept only as bytes."""
    found = values(literal)
    if found is None or (longest is not None and len(found) > longest):
        return _ELIDED
    written = [_element(value) for value in found]
    dims = list(literal.shape.dimensions)
    if not dims:
        return written[0] if written else "0"
    return _nested(written, dims)


def _nested(written: list[str], dims: list[int]) -> str:
    if len(dims) == 1:
        return "{" + ", ".join(written) + "}"
    step = len(written) // dims[0] if dims[0] else 0
    rows = [_nested(written[n * step : (n + 1) * step], dims[1:]) for n in range(dims[0])]
    return "{ " + ", ".join(rows) + " }"


def _element(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"({_element(value[0])}, {_element(value[1])})"
    if isinstance(value, float):
        short = f"{value:.9g}"
        return short if float(short) == value or value != value else repr(value)
    return str(value)


def into(literal: Proto, printed: str) -> bool:
    """Puts printed numbers into a literal whose shape is set; False where they were elided (zeros then)."""
    dtype = NAMES.get(literal.shape.element_type, "")
    count = 1
    for size in literal.shape.dimensions:
        count *= size
    parts = _COMPLEX.get(dtype)
    wanted = count * 2 if parts else count
    words = _NUMBER.findall(printed)
    complete = len(words) == wanted and "..." not in printed
    return _fill(literal, dtype, words if complete else ["0"] * wanted) and complete


def _fill(literal: Proto, dtype: str, words: list[str]) -> bool:
    """False for a type kept only as bytes."""
    if dtype == "pred":
        literal.preds.extend(word in ("true", "1") for word in words)
    elif dtype in _LISTED:
        number = float if dtype in ("f32", "f64") else int
        getattr(literal, _LISTED[dtype]).extend(map(number, words))
    elif dtype in _COMPLEX:
        getattr(literal, _COMPLEX[dtype]).extend(map(float, words))
    elif dtype in _PACKED:
        field, code = _PACKED[dtype]
        number = float if code == "e" else int
        setattr(literal, field, struct.pack(f"<{len(words)}{code}", *map(number, words)))
    elif dtype == "bf16":
        literal.bf16s = b"".join(_bfloat(float(word)) for word in words)
    else:
        return False
    return True


def _bfloat(value: float) -> bytes:
    """Round to nearest, ties to even, as XLA converts."""
    bits = int(struct.unpack("<I", struct.pack("<f", value))[0])
    if value == value:
        bits += 0x7FFF + (bits >> 16 & 1)
    return struct.pack("<H", bits >> 16 & 0xFFFF)
