"""Shapes: ShapeProto ↔ printed shape ↔ bytes."""

from __future__ import annotations

from typing import Any

from neurontriage.hlo import dtypes
from neurontriage.hlo.instruction import Shape
from neurontriage.hlo.notations import numbers
from neurontriage.hlo.text import Tree, Tuple

Proto = Any


def arrays(shape: Proto) -> tuple[Shape, ...]:
    """The arrays of a shape, tuples opened, in order."""
    if shape.element_type == dtypes.TUPLE:
        return tuple(array for member in shape.tuple_shapes for array in arrays(member))
    return (_array(shape),)


def _array(shape: Proto) -> Shape:
    bounded = list(shape.is_dynamic_dimension) or [False] * len(shape.dimensions)
    pairs = zip(shape.dimensions, bounded, strict=False)
    dims = tuple(("?" if size < 0 else f"<={size}") if dynamic else str(size) for size, dynamic in pairs)
    order = ",".join(map(str, shape.layout.minor_to_major))
    return Shape(dtypes.NAMES.get(shape.element_type, "opaque"), dims, f"{{{order}}}" if order else None)


def text(shape: Proto) -> str:
    """As XLA prints it: `f32[2,3]{1,0}`, `(f32[], s32[4]{0})`."""
    if shape.element_type == dtypes.TUPLE:
        return "(" + ", ".join(map(text, shape.tuple_shapes)) + ")"
    return str(_array(shape))


def into(shape: Proto, printed: Tree) -> None:
    """Puts a printed shape into the message; the layout defaults to row-major, as XLA's."""
    if isinstance(printed, Tuple):
        shape.element_type = dtypes.TUPLE
        for member in printed.members:
            into(shape.tuple_shapes.add(), member)
        return
    shape.element_type = dtypes.NUMBERS.get(printed.dtype, 0)
    shape.dimensions.extend(printed.sizes)
    shape.is_dynamic_dimension.extend(not dim.isdigit() for dim in printed.dims)
    if printed.dtype in ("token", "opaque"):
        return
    order = numbers(printed.layout.split(":")[0]) if printed.layout else range(len(printed.dims) - 1, -1, -1)
    shape.layout.SetInParent()
    shape.layout.minor_to_major.extend(order)


def elements(shape: Proto) -> int:
    """How many elements an array has."""
    count = 1
    for size in shape.dimensions:
        count *= max(size, 0)
    return count


def size(shape: Proto) -> int:
    """Bytes of all arrays of a shape, without padding."""
    if shape.element_type == dtypes.TUPLE:
        return sum(map(size, shape.tuple_shapes))
    return dtypes.size(dtypes.NAMES.get(shape.element_type, "opaque"), elements(shape))
