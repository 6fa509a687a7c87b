"""A user's own model and step: `file.py:function` → programs, one for each input shape."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.measure.device import Connection, Cut, Program, Step
from neurontriage.measure.plan import STEP, Key, Plan

Shape = tuple[int, ...]


def name_of(shape: Shape) -> str:
    """The name of a shape: (8, 128) is `8x128`."""
    return "x".join(map(str, shape))


def keys(module: str, shapes: Sequence[Shape]) -> tuple[str, ...]:
    """The names of the graphs: one for each shape, or the function's own."""
    return tuple(name_of(shape) for shape in shapes) or (module.rpartition(":")[2],)


def split(text: str) -> tuple[Path, str]:
    """`file.py:function` → both. TriageError when the file is not there or no function is named."""
    path, _, function = text.rpartition(":")
    if not path or not function.isidentifier() or not Path(path).is_file():
        raise TriageError(
            "wrong-module",
            f"--module {text}: no such file, or no function named",
            "file.py:function, which returns (module, inputs) or (module, inputs, step)",
        )
    return Path(path), function


def programs(wanted: Iterable[Key], plan: Plan, connection: Connection) -> list[Program]:
    """Programs of the user's step. It claims nothing beforehand: what it compiles is what is asked."""
    import torch

    torch.manual_seed(plan.seed)
    module, inputs, step = _built(*split(plan.module), connection)
    shapes = {name_of(shape): shape for shape in plan.shapes}
    found = []
    for graph, _ in wanted:
        given = _resized(inputs, shapes[graph]) if graph in shapes else inputs
        placed = tuple(connection.place(each) if hasattr(each, "to") else each for each in given)
        found.append(Program(graph, STEP, _step(module, placed, step), facts=_size(module)))
    return found


def _built(path: Path, function: str, connection: Connection) -> tuple[Any, tuple[Any, ...], Callable[..., Any]]:
    """Calls the function; one with a parameter gets the device and places everything itself."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    sys.path.insert(0, str(path.parent))  # what the file imports from beside it
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    build = getattr(loaded, function)
    own = bool(inspect.signature(build).parameters)
    made = build(getattr(connection.device, "device", None)) if own else build()
    if not isinstance(made, tuple | list) or len(made) not in (2, 3):
        kind = type(made).__name__
        raise TypeError(f"{path.name}:{function} returned {kind}, not (module, inputs) or (module, inputs, step)")
    module, inputs = made[0], made[1] if isinstance(made[1], tuple | list) else (made[1],)
    if not own and hasattr(module, "to"):
        module = connection.place(module)
    step = made[2] if len(made) > 2 else lambda model, *given: model(*given)
    return module, tuple(inputs), step


def _resized(inputs: tuple[Any, ...], shape: Shape) -> tuple[Any, ...]:
    """The inputs with every tensor of the first one's shape in the new shape: values of the same kind and range."""
    first = next(each for each in inputs if hasattr(each, "shape"))
    same = tuple(first.shape)
    return tuple(
        _like(each, shape) if hasattr(each, "shape") and tuple(each.shape) == same else each for each in inputs
    )


def _like(tensor: Any, shape: Shape) -> Any:
    import torch

    if tensor.is_floating_point():
        return torch.randn(shape, dtype=tensor.dtype)
    if tensor.dtype == torch.bool:
        return torch.ones(shape, dtype=torch.bool)
    return torch.randint(int(tensor.min()), int(tensor.max()) + 1, shape, dtype=tensor.dtype)


def _step(module: Any, inputs: tuple[Any, ...], step: Callable[..., Any]) -> Step:
    def run(cut: Cut) -> Any:
        outputs = step(module, *inputs)
        cut(list(_tensors(outputs)))
        return outputs

    return run


def _tensors(outputs: Any) -> Iterable[Any]:
    """All tensors of a nested result."""
    if isinstance(outputs, dict):
        outputs = tuple(outputs.values())
    if isinstance(outputs, tuple | list):
        for each in outputs:
            yield from _tensors(each)
    elif hasattr(outputs, "device"):
        yield outputs


def _size(module: Any) -> dict[str, Any]:
    from neurontriage.measure import graphs

    return dict(graphs.size(module)) if hasattr(module, "modules") else {}
