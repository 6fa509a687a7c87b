"""The eight graphs: from one linear layer to parallel paths, each a module that keeps the width of its input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

WIDTHS = {
    "tiny": 64,
    "small": 128,
    "medium": 256,
    "large": 128,
    "wide": 128,
    "deep": 128,
    "mlp": 128,
    "multihead": 128,
}
EXPANSION, HEADS = 4, 4


def build(name: str) -> Any:
    """The torch module of a graph; its weights depend on torch's seed only."""
    return BUILDERS[name](WIDTHS[name])


def size(module: Any) -> dict[str, int]:
    """Parameters, and layers that hold some."""
    own = [layer for layer in module.modules() if next(layer.parameters(recurse=False), None) is not None]
    return {"parameters": sum(each.numel() for each in module.parameters()), "layers": len(own)}


def _stack(depth: int) -> Callable[[int], Any]:
    def stacked(width: int) -> Any:
        from torch import nn

        layers: list[Any] = []
        for _ in range(depth):
            layers += [nn.Linear(width, width), nn.ReLU()]
        return nn.Sequential(*layers[:-1])

    return stacked


def _wide(width: int) -> Any:
    from torch import nn

    return nn.Sequential(nn.Linear(width, EXPANSION * width), nn.SiLU(), nn.Linear(EXPANSION * width, width))


def _feed_forward(width: int) -> Any:
    """The feed-forward block of a transformer: norm, expansion, GELU, and the input added again."""
    from torch import nn

    class FeedForward(nn.Module):  # type: ignore[misc] # torch is not seen by the type checker
        def __init__(self) -> None:
            super().__init__()
            self.norm = nn.LayerNorm(width)
            self.up, self.down = nn.Linear(width, EXPANSION * width), nn.Linear(EXPANSION * width, width)

        def forward(self, x: Any) -> Any:
            return x + self.down(nn.functional.gelu(self.up(self.norm(x))))

    return FeedForward()


def _heads(width: int) -> Any:
    """Parallel paths whose outputs are concatenated and mixed."""
    import torch
    from torch import nn

    class MultiHead(nn.Module):  # type: ignore[misc] # as above
        def __init__(self) -> None:
            super().__init__()
            self.paths = nn.ModuleList(nn.Linear(width, width // HEADS) for _ in range(HEADS))
            self.mix = nn.Linear(width, width)

        def forward(self, x: Any) -> Any:
            return self.mix(torch.cat([path(x) for path in self.paths], dim=-1))

    return MultiHead()


BUILDERS: dict[str, Callable[[int], Any]] = {
    "tiny": _stack(1),
    "small": _stack(1),
    "medium": _stack(2),
    "large": _stack(3),
    "wide": _wide,
    "deep": _stack(5),
    "mlp": _feed_forward,
    "multihead": _heads,
}
