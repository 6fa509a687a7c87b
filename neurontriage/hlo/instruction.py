"""One HLO instruction as a flat value: opcode, shapes, attributes as printed. Rules and reports ask it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Shape:
    """An array: element type, dimensions as printed (`4`, `<=4`, `?`) and layout (`{0}`), if there is one."""

    dtype: str
    dims: tuple[str, ...] = ()
    layout: str | None = None

    @property
    def dynamic(self) -> bool:
        """Whether a dimension is only bounded or unknown."""
        return any(not dim.isdigit() for dim in self.dims)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Dimensions as numbers: the bound of a bounded one, 0 for an unknown one."""
        return tuple(int(dim.lstrip("<=")) if dim.lstrip("<=").isdigit() else 0 for dim in self.dims)

    def __str__(self) -> str:
        return f"{self.dtype}[{','.join(self.dims)}]{self.layout or ''}"


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction; tuples are flattened into their arrays, attribute values are the printed text.

    `values` are operands that carry no type: names, numbers, literals. `name`, `inputs` (names of the operands, in
    order) and `root` are what a module text adds; two instructions that compute the same are equal without them.
    """

    opcode: str
    result: tuple[Shape, ...] = ()
    operands: tuple[Shape, ...] = ()
    values: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    name: str = field(default="", compare=False)
    inputs: tuple[str, ...] = field(default=(), compare=False)
    root: bool = field(default=False, compare=False)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return self.result + self.operands

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Every element type that occurs, once, results first."""
        return tuple(dict.fromkeys(shape.dtype for shape in self.shapes))

    @property
    def dtype(self) -> str:
        """The element type of the (first) result."""
        return self.result[0].dtype if self.result else ""

    @property
    def call(self) -> str:
        """The target of a custom call, empty for other opcodes."""
        return self.attributes.get("custom_call_target", "").strip('"')

    def numbers(self, attribute: str, part: str) -> tuple[int, ...]:
        """`window={stride=2x2}` asked for ("window", "stride") gives (2, 2); () where it is not printed."""
        inner = self.attributes.get(attribute, "").strip("{}")
        parts = dict(item.split("=", 1) for item in inner.split() if "=" in item)
        return tuple(int(n) for n in parts.get(part, "").split("x") if n.isdigit())
