"""What a training or inference process holds: bytes of weights, gradients and optimizer state, by the objects alive."""

from __future__ import annotations

import gc
from typing import Any

from neurontriage.preflight.child.events import Recorder


class Holdings:
    """Writes down what the process holds whenever that is more than before: at its end most of it may be gone."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder, self._largest = recorder, 0

    def look(self) -> None:
        """Count the bytes that the process holds now, and note them where they are the most so far."""
        found = inventory()
        held = found["weights"] + found["optimizer_state"]
        if held > self._largest:
            self._largest = held
            self._recorder.note("inventory", **found)


def inventory() -> dict[str, Any]:
    """Bytes by role, parameters by element type, the names of the optimizers."""
    import torch

    parameters: dict[int, Any] = {}
    optimizers: list[Any] = []
    for thing in gc.get_objects():
        kind = type(thing)
        if issubclass(kind, torch.nn.Parameter):
            parameters[id(thing)] = thing
        elif issubclass(kind, torch.optim.Optimizer):
            optimizers.append(thing)
    trainable = [p for p in parameters.values() if p.requires_grad]
    state = [t for o in optimizers for s in o.state.values() for t in s.values() if isinstance(t, torch.Tensor)]
    return {
        "parameters": sum(p.numel() for p in parameters.values()),
        "weights": sum(map(_bytes, parameters.values())),
        "gradients": sum(map(_bytes, trainable)),
        "trainable": sum(p.numel() for p in trainable),
        "optimizer_state": sum(_bytes(t) for t in state if t.dim()),
        "optimizers": sorted({type(o).__name__ for o in optimizers}),
    }


def _bytes(tensor: Any) -> int:
    return int(tensor.numel() * tensor.element_size())
