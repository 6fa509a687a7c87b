"""Everything a call can reach and change: walked, kept, and put back after the call failed.

Reached are the arguments, a module or bound object behind the function, its closure, its defaults, and the globals
that it names, through lists, dictionaries and attributes. Not reached: files, prints, other processes.
"""

from __future__ import annotations

import random
import sys
import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

Place = tuple[Any, Any]
"""A container that can change, and what it held."""
MOST = 300_000
"""Values to look at before giving up: a snapshot must cost less than a compilation."""
CLOSED = (str, bytes, int, float, complex, type(None), type, types.ModuleType, types.BuiltinFunctionType)
CLOSED_ROOMS = {"logging", "threading", "_thread", "weakref", "io", "_io", "neurontriage"}
"""Objects of these packages are no state of the program."""
DEVICES = ("xla", "neuron", "privateuseone")


@dataclass(frozen=True, slots=True)
class Kept:
    """One tensor as it was. `saved` is a CPU copy, None for what autograd follows: that is never undone."""

    tensor: Any
    version: int
    shape: Any
    saved: Any

    def changed(self) -> bool:
        """Whether it was written to; some operators (batch norm) write without counting the version."""
        tensor = self.tensor
        if _version(tensor) != self.version or pending(tensor) or tensor.shape != self.shape:
            return True
        return self.saved is not None and not _same(tensor.detach().cpu(), self.saved)

    def obstacle(self) -> str:
        """Why it cannot be restored; empty where it can."""
        if self.saved is None:
            return "it wrote to a parameter, or to a tensor with gradients"
        if pending(self.tensor):
            return "it wrote to a view of another tensor" if self.tensor._is_view() else ""
        return "" if self.tensor.shape == self.shape else "it changed the shape of a tensor in place"

    def restore(self) -> None:
        """Writes the old values back; a tensor that lost its values with a failed graph gets new ones."""
        if pending(self.tensor):
            self.tensor.data = self.saved.to(self.tensor.device)
            return
        with sys.modules["torch"].no_grad():
            self.tensor.copy_(self.saved)


class Snapshot:
    """Values of everything that can be reached from the roots, and the random states."""

    def __init__(self, roots: Sequence[Any]) -> None:
        self.complete = True
        self._places: list[Place] = []
        self._tensors: list[Kept] = []
        for count, value in enumerate(reached(roots)):
            if count > MOST:
                self.complete = False
                break
            self._keep(value)
        self._random = random.getstate()
        torch = sys.modules.get("torch")
        self._torch_random = torch.get_rng_state() if torch else None
        self._numpy_random = _numpy_state()
        self._device_random = _device_seed(self._tensors)

    def _keep(self, value: Any) -> None:
        if is_tensor(value):
            followed = value.requires_grad
            saved = None if followed else value.detach().cpu().clone()
            self._tensors.append(Kept(value, _version(value), value.shape, saved))
        elif isinstance(value, (list, dict, set, types.CellType, Names)):
            self._places.append((value, contents(value)))

    def drew(self) -> bool:
        """Whether random numbers were drawn from torch's CPU generator since."""
        torch = sys.modules.get("torch")
        return torch is not None and not torch.equal(torch.get_rng_state(), self._torch_random)

    def rollback(self) -> str:
        """Makes the call undone; the reason where it cannot be, and then as much as can be stays as it is."""
        if not self.complete:
            return f"it can reach more than {MOST} values"
        written = [kept for kept in self._tensors if kept.changed()]
        obstacles = [obstacle for kept in written if (obstacle := kept.obstacle())]
        if obstacles:
            return obstacles[0]
        for kept in written:
            kept.restore()
        for place, before in self._places:
            if not _identical(contents(place), before):
                replace(place, before)
        self._restore_random()
        return ""

    def _restore_random(self) -> None:
        random.setstate(self._random)
        if self._torch_random is not None:
            sys.modules["torch"].set_rng_state(self._torch_random)
        if self._numpy_random is not None:
            sys.modules["numpy"].random.set_state(self._numpy_random)
        if self._device_random is not None:
            sys.modules["torch_xla.core.xla_model"].set_rng_state(self._device_random)


class Names:
    """The globals that a function names, as a place of their own."""

    def __init__(self, function: types.FunctionType) -> None:
        self.space = function.__globals__
        self.names = sorted(name for name in _named(function.__code__) if name in self.space)


def reached(roots: Iterable[Any]) -> Iterator[Any]:
    """Every value that can be reached, each once, containers before what they hold."""
    waiting, seen, alive = list(roots), set[int](), []
    while waiting:
        value = waiting.pop()
        if isinstance(value, CLOSED) or id(value) in seen:
            continue
        seen.add(id(value))
        alive.append(value)  # an id is unique only while its object lives
        yield value
        waiting.extend(_inside(value))


def _inside(value: Any) -> Iterable[Any]:
    if is_tensor(value):
        return ()
    if isinstance(value, types.FunctionType):
        return [*(value.__closure__ or ()), value.__defaults__, value.__kwdefaults__, Names(value)]
    if isinstance(value, types.MethodType):
        return (value.__self__, value.__func__)
    if isinstance(value, partial):
        return (value.func, value.args, value.keywords)
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    if isinstance(value, (dict, types.CellType, Names)):
        return [each for pair in contents(value) for each in pair]
    if type(value).__module__.split(".")[0] in CLOSED_ROOMS:
        return ()
    return (attributes,) if isinstance(attributes := getattr(value, "__dict__", None), dict) else ()


def contents(place: Any) -> list[tuple[Any, Any]]:
    """What a place holds as (name, value) pairs, in order."""
    if isinstance(place, dict):
        return list(place.items())
    if isinstance(place, types.CellType):
        return [("", place.cell_contents)] if _filled(place) else []
    if isinstance(place, Names):
        found = [(name, place.space.get(name)) for name in place.names]
        return [(name, value) for name, value in found if _of_its_own(value, place.space)]
    return [("", value) for value in place]


def replace(place: Any, held: Sequence[tuple[Any, Any]]) -> None:
    """Puts (name, value) pairs into a place instead of what it holds."""
    if isinstance(place, dict):
        place.clear()
        place.update(held)
    elif isinstance(place, types.CellType):
        place.cell_contents = held[0][1] if held else None
    elif isinstance(place, Names):
        place.space.update(held)
    elif isinstance(place, set):
        place.clear()
        place.update(value for _, value in held)
    else:
        place[:] = [value for _, value in held]


def tensors_on_device(roots: Iterable[Any]) -> list[Any]:
    """The tensors on a device that compiles."""
    return [value for value in reached(roots) if is_tensor(value) and value.device.type in DEVICES]


def is_tensor(value: Any) -> bool:
    """Whether it is a torch tensor; torch is not imported for the question."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def pending(tensor: Any) -> bool:
    """Whether its values wait for a graph that was not run, or were lost with one that failed."""
    xla = sys.modules.get("_XLAC")
    if tensor.device.type != "xla" or xla is None:
        return False
    try:
        return bool(xla._check_tensor_need_materialization([tensor])[0])
    except RuntimeError:  # neither values nor a graph: the graph failed
        return True


def _named(code: types.CodeType) -> set[str]:
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return set(code.co_names).union(*map(_named, inner))


def _of_its_own(value: Any, space: dict[str, Any]) -> bool:
    """Values and functions of the same module; imported modules, classes and functions are not the program's state."""
    if isinstance(value, types.FunctionType):
        return value.__globals__ is space
    return not isinstance(value, (type, types.ModuleType, types.BuiltinFunctionType))


def _filled(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018 (an empty cell raises)
    except ValueError:
        return False
    return True


def _identical(now: Sequence[tuple[Any, Any]], before: Sequence[tuple[Any, Any]]) -> bool:
    pairs = zip(now, before, strict=False)
    return len(now) == len(before) and all(a[0] == b[0] and a[1] is b[1] for a, b in pairs)


def _same(one: Any, other: Any) -> bool:
    """Equal, with NaN where NaN was."""
    both_nan = (one != one) & (other != other)
    return bool(((one == other) | both_nan).all())


def _version(tensor: Any) -> int:
    return 0 if tensor.is_inference() else int(tensor._version)


def _numpy_state() -> Any:
    numpy = sys.modules.get("numpy")
    return numpy.random.get_state() if numpy and hasattr(numpy, "random") else None


def _device_seed(tensors: Sequence[Kept]) -> int | None:
    model = sys.modules.get("torch_xla.core.xla_model")
    on_xla = any(kept.tensor.device.type == "xla" for kept in tensors)
    return int(model.get_rng_state()) if model and on_xla else None
