"""What the guard remembers: per function, which calls compile and which are known to fail."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from neurontriage.repro.case import Function

PLAIN = (bool, int, float, complex, str, bytes, type(None))
DEEPEST = 4
"""Levels of containers and objects that a signature looks into."""


class Memory:
    """Notes by function; a function that nobody holds any more is forgotten. Methods are told apart by their object."""

    def __init__(self) -> None:
        self._by_owner: WeakKeyDictionary[Any, dict[Any, dict[Any, Any]]] = WeakKeyDictionary()

    def of(self, function: Function) -> dict[Any, Any]:
        """The notes of one function, by signature of the call; empty each time for what cannot be remembered."""
        owner = getattr(function, "__self__", None)
        if owner is None or isinstance(owner, type(sys)):
            owner = function
        try:
            return self._by_owner.setdefault(owner, {}).setdefault(getattr(function, "__func__", None), {})
        except TypeError:  # unhashable, or no weak reference to it
            return {}


def signature(function: Function, args: Any, kwargs: Mapping[str, Any]) -> Any:
    """What decides which graph is traced: shapes, types, plain values, the mode of a module, gradients on or off."""
    torch: Any = sys.modules.get("torch")
    modes = (torch.is_grad_enabled(), torch.is_inference_mode_enabled()) if torch else ()
    owner = getattr(function, "__self__", function)
    tensor = torch.Tensor if torch else ()
    return modes, getattr(owner, "training", None), _described(args, tensor, 0), _described(kwargs, tensor, 0)


def _described(value: Any, tensor: Any, depth: int) -> Any:
    if isinstance(value, tensor):
        return tuple(value.shape), value.dtype, value.device.type, value.requires_grad
    if isinstance(value, PLAIN):
        return type(value), value
    if depth == DEEPEST:
        return type(value)
    if isinstance(value, (list, tuple)):
        return type(value), tuple([_described(item, tensor, depth + 1) for item in value])
    if isinstance(value, Mapping):
        return type(value), tuple([(str(name), _described(item, tensor, depth + 1)) for name, item in value.items()])
    inside = getattr(value, "__dict__", None) if not callable(value) else None
    return (type(value), _described(inside, tensor, depth + 1)) if inside else type(value)
