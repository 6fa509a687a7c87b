"""The shapes of an input and what each compiled → how many graphs padding or buckets would leave, at what cost."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.measure.module import Shape, name_of

_MOST = 256


def parse(text: str) -> tuple[Shape, ...]:
    """`8x127,8x128` → shapes. TriageError for anything else."""
    shapes = []
    for word in filter(None, (word.strip() for word in text.split(","))):
        sizes = word.lower().split("x")
        if not all(size.isdigit() and 0 < int(size) < 2**31 for size in sizes):
            raise TriageError("wrong-shapes", f"--shapes {word}: not a shape", "sizes with x between them: 8x127,8x128")
        shapes.append(tuple(map(int, sizes)))
    if len({len(shape) for shape in shapes}) > 1 or len(shapes) > _MOST:
        raise TriageError("wrong-shapes", f"--shapes {text[:80]}: not alike", f"at most {_MOST} shapes of one rank")
    return tuple(dict.fromkeys(shapes))


def advice(shapes: Sequence[Shape], rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What each shape compiled, and plans: one length for all, or powers of two; `waste`: elements more than now."""
    counts = {row["graph"]: row["counts"]["compiles"] for row in rows if row["counts"]}
    varying = [axis for axis in range(len(shapes[0])) if len({shape[axis] for shape in shapes}) > 1]
    return {
        "shapes": [{"shape": list(shape), "compiles": counts.get(name_of(shape))} for shape in shapes],
        "graphs": sum(counts.values()),
        "dimensions": varying,
        "plans": [_plan("padded to the longest", shapes, _longest), _plan("powers of two", shapes, _power)],
    }


def _longest(size: int, sizes: Sequence[int]) -> int:
    return max(sizes)


def _power(size: int, sizes: Sequence[int]) -> int:
    """The next power of two, but no longer than the longest; a dimension that does not vary stays."""
    return size if len(set(sizes)) == 1 else min(1 << math.ceil(math.log2(size)), max(sizes))


def _plan(name: str, shapes: Sequence[Shape], rule: Any) -> dict[str, Any]:
    columns = list(zip(*shapes, strict=True))
    padded = [tuple(rule(size, columns[axis]) for axis, size in enumerate(shape)) for shape in shapes]
    now, then = sum(map(math.prod, shapes)), sum(map(math.prod, padded))
    distinct = list(dict.fromkeys(padded))
    return {"name": name, "graphs": len(distinct), "shapes": [list(s) for s in distinct], "waste": then / now - 1}
