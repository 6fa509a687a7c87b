"""Targets of the form module:callable."""

import torch
from torch import nn


class Breaking(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.layer(x)
        print("a break")
        return torch.topk(y.relu(), 2)[0].softmax(-1)


def breaking():
    return Breaking(), (torch.randn(3, 8),)


def lengths():
    layer = nn.Linear(8, 8)

    @torch.compile
    def step(x):
        return layer(x).sum()

    def run():
        for n in (3, 4, 5):
            step(torch.randn(n, 8))

    return run


def unsorted():
    return lambda x: torch.topk(x, 2, sorted=False)[0], (torch.randn(4, 8),)


def integers():
    return lambda x: torch.topk(x, 2)[0], (torch.arange(8),)


def nothing():
    return 5


def raising():
    raise RuntimeError("no checkpoint here")


def needing():
    return nn.Linear(4, 4)
