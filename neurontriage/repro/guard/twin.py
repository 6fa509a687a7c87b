"""The same call on CPU: copies of all that it reaches, and afterwards every change carried back to the originals.

Copies of tensors are made differentiably, so gradients arrive at the originals. What would come out otherwise than on
the device is refused: random numbers, views that the result shares with an argument, `.grad` read inside the call.
"""

from __future__ import annotations

import copy
import sys
import types
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import pairwise
from typing import Any

from neurontriage.repro.case import Function
from neurontriage.repro.guard.state import Names, contents, is_tensor, reached, replace

NOT_A_LEAF = r"The \.grad attribute of a Tensor that is not a leaf"


class Refusal(Exception):
    """Running on CPU could compute something else; the text says what."""


class Twin:
    """A call with everything on CPU. `run` it, then `commit` its result; until then no original has changed."""

    def __init__(self, function: Function, args: Any, kwargs: Any) -> None:
        self._originals = list(reached((function, args, kwargs)))
        self._tensors = [value for value in self._originals if is_tensor(value)]
        self._device = _device(self._tensors)
        _refuse_globals(self._originals)
        self._memo: dict[int, Any] = {id(tensor): _on_cpu(tensor) for tensor in self._tensors}
        try:
            self._function = _copied(function, self._memo)
            self._args, self._kwargs = copy.deepcopy((args, kwargs), self._memo)
        except (TypeError, RuntimeError, NotImplementedError) as error:
            raise Refusal(f"what it reaches cannot be copied: {error}") from error
        self._before = {id(tensor): self._memo[id(tensor)].detach().clone() for tensor in self._tensors}
        self._gradients = [(t, t.grad, _clone(t.grad)) for t in self._tensors if t.requires_grad and t.is_leaf]

    def run(self) -> Any:
        """The result on CPU, not yet brought back. An exception leaves gradients as they were."""
        torch = sys.modules["torch"]
        at_home = torch.device("cpu") if torch.get_default_device() == self._device else nullcontext()
        try:
            with warnings.catch_warnings(), at_home:
                warnings.filterwarnings("error", NOT_A_LEAF)
                return self._function(*self._args, **self._kwargs)
        except BaseException as error:
            self._restore_gradients()
            if isinstance(error, UserWarning):
                raise Refusal("it reads .grad of what it was given; give a substitute that shares it") from error
            raise

    def commit(self, result: Any) -> Any:
        """Carries writes back and returns the result on the device; refuses before anything was changed."""
        written = [tensor for tensor in self._tensors if self._written(tensor)]
        places = list(self._places())
        new = self._new_tensors([result, *(copied for _, copied in places)])
        refusal = self._refusal(written, new)
        if refusal:
            self._restore_gradients()
            raise Refusal(refusal)
        back = {id(self._memo[id(value)]): value for value in self._originals if id(value) in self._memo}
        back.update({id(tensor): tensor.to(self._device) for tensor in new})
        for tensor in written:
            _write(tensor, self._memo[id(tensor)])
        for original, copied in places:
            _carry(original, copied, back)
        return copy.deepcopy(result, back)

    def _written(self, tensor: Any) -> bool:
        torch = sys.modules["torch"]
        now, before = self._memo[id(tensor)].detach(), self._before[id(tensor)]
        return now.shape != before.shape or not torch.equal(now, before)

    def _refusal(self, written: Sequence[Any], new: Sequence[Any]) -> str:
        homes = [_home(tensor) for tensor in self._tensors]
        if any(homes.count(_home(tensor)) > 1 for tensor in written):
            return "it writes to one of several views of the same tensor"
        if any(self._memo[id(tensor)].shape != tensor.shape for tensor in written):
            return "it changes the shape of a tensor in place"
        shared = {_storage(self._memo[id(tensor)]) for tensor in self._tensors}
        if any(_storage(tensor) in shared for tensor in new if tensor.numel()):
            return "its result is a view of what it was given; return a copy (clone())"
        return "its results overlap in memory; return copies (clone())" if _overlap(new) else ""

    def _new_tensors(self, roots: Sequence[Any]) -> list[Any]:
        known = {id(copied) for copied in self._memo.values()}
        found = [value for value in reached(roots) if is_tensor(value) and id(value) not in known]
        return [tensor for tensor in found if tensor.device.type == "cpu"]

    def _places(self) -> Iterator[tuple[Any, Any]]:
        """Containers that can change, each with its copy."""
        attributes = {id(vars_of(value)) for value in self._originals}
        for value in self._originals:
            copied = self._memo.get(id(value)) if id(value) not in attributes else None
            if isinstance(value, (list, dict, set, types.CellType)) and copied is not None:
                yield value, copied
            elif copied is not None and copied is not value and vars_of(value) is not None:
                yield vars_of(value), vars_of(copied)

    def _restore_gradients(self) -> None:
        for tensor, grad, values in self._gradients:
            tensor.grad = grad
            if grad is not None:
                with sys.modules["torch"].no_grad():
                    grad.copy_(values)


@contextmanager
def random_differs(allowed: bool) -> Iterator[None]:
    """Refuses, with the random state put back, when torch's CPU generator was used inside."""
    torch = sys.modules.get("torch")
    before = torch.get_rng_state() if torch else None
    try:
        yield
    except BaseException:
        if torch:
            torch.set_rng_state(before)
        raise
    if torch is None or allowed or torch.equal(before, torch.get_rng_state()):
        return
    torch.set_rng_state(before)
    raise Refusal("it draws random numbers, and CPU and device draw different ones; see allow_random")


def vars_of(value: Any) -> dict[str, Any] | None:
    """The attributes of an ordinary object; None for containers, tensors, functions."""
    if is_tensor(value) or isinstance(value, (types.FunctionType, types.MethodType, Names, dict, list)):
        return None
    found = getattr(value, "__dict__", None)
    return found if isinstance(found, dict) else None


def _copied(function: Any, memo: dict[int, Any]) -> Any:
    """The function with copies of its closure and defaults; deepcopy takes plain functions for constants."""
    if isinstance(function, partial):
        return partial(
            _copied(function.func, memo), *copy.deepcopy(function.args, memo), **_deep(function.keywords, memo)
        )
    if isinstance(function, types.MethodType):
        return types.MethodType(_copied(function.__func__, memo), copy.deepcopy(function.__self__, memo))
    if not isinstance(function, types.FunctionType):
        return copy.deepcopy(function, memo)
    if id(function) in memo:
        return memo[id(function)]
    cells = function.__closure__ or ()
    closure = tuple(memo.setdefault(id(cell), types.CellType()) for cell in cells)
    made = types.FunctionType(function.__code__, function.__globals__, function.__name__, None, closure)
    memo[id(function)] = made
    for cell, new in zip(cells, closure, strict=True):
        for _, value in contents(cell):
            new.cell_contents = _copied(value, memo)
    made.__defaults__, made.__kwdefaults__ = _deep(function.__defaults__, memo), _deep(function.__kwdefaults__, memo)
    return made


def _deep(value: Any, memo: dict[int, Any]) -> Any:
    return copy.deepcopy(value, memo)


def _carry(original: Any, copied: Any, back: dict[int, Any]) -> None:
    """Brings what changed in the copy of a container into the container itself."""
    held = [(name, copy.deepcopy(value, back)) for name, value in contents(copied)]
    before = contents(original)
    if len(held) != len(before) or any(a[0] != b[0] or a[1] is not b[1] for a, b in zip(held, before, strict=True)):
        replace(original, held)


def _write(tensor: Any, values: Any) -> None:
    torch = sys.modules["torch"]
    followed = tensor.requires_grad and not tensor.is_leaf
    with nullcontext() if followed else torch.no_grad():
        tensor.copy_(values if followed else values.detach())


def _refuse_globals(originals: Sequence[Any]) -> None:
    """Globals cannot be replaced by copies: others read them at the same time."""
    for value in (each for each in originals if isinstance(each, Names)):
        for name, found in contents(value):
            if any(is_tensor(each) and each.device.type != "cpu" for each in reached([found])):
                raise Refusal(f"the global {name} holds tensors on the device; pass it as an argument")


def _device(tensors: Sequence[Any]) -> Any:
    torch = sys.modules.get("torch")
    device = next((tensor.device for tensor in tensors if tensor.device.type != "cpu"), None)
    if torch is None:
        return None
    if device is not None and torch.is_autocast_enabled(device.type):
        raise Refusal(f"autocast is on for {device.type}, and the CPU would compute in other types")
    return device or torch.device("cpu")


def _home(tensor: Any) -> int:
    """The tensor that owns the memory."""
    return id(tensor._base if tensor._is_view() else tensor)


def _storage(tensor: Any) -> int:
    return int(tensor.untyped_storage().data_ptr())


def _overlap(tensors: Sequence[Any]) -> bool:
    spans = sorted((_storage(t), *_span(t)) for t in tensors if t.numel())
    return any(a[0] == b[0] and b[1] < a[2] for a, b in pairwise(spans))


def _span(tensor: Any) -> tuple[int, int]:
    start = int(tensor.storage_offset())
    pairs = zip(tensor.shape, tensor.stride(), strict=True)
    return start, start + sum((size - 1) * stride for size, stride in pairs) + 1


def _on_cpu(tensor: Any) -> Any:
    """A copy that autograd follows back to the tensor."""
    return tensor.clone() if tensor.device.type == "cpu" else tensor.to("cpu")


def _clone(tensor: Any) -> Any:
    return None if tensor is None else tensor.detach().clone()
