"""Llama-style models for plain torch: one block, and a step of 6.7 billion parameters (build it with --meta)."""

import torch
from torch import nn
from torch.nn import functional


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


def rotated(x, cos, sin):
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


class Block(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads = heads
        self.before, self.between = Norm(width), Norm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.gate, self.up = nn.Linear(width, inner, bias=False), nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x, cos, sin, mask):
        batch, length, width = x.shape
        y = self.before(x)
        shape = (batch, length, self.heads, width // self.heads)
        q, k, v = (project(y).view(shape).transpose(1, 2) for project in (self.q, self.k, self.v))
        scores = rotated(q, cos, sin) @ rotated(k, cos, sin).transpose(-1, -2) / shape[-1] ** 0.5 + mask
        x = x + self.o((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width))
        y = self.between(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


class Model(nn.Module):
    def __init__(self, blocks=32, width=4096, words=32000):
        super().__init__()
        self.table, self.last = nn.Embedding(words, width), Norm(width)
        self.blocks = nn.ModuleList(Block(width, 32, 11008) for _ in range(blocks))
        self.out = nn.Linear(width, words, bias=False)

    def forward(self, tokens, cos, sin, mask):
        x = self.table(tokens)
        for block in self.blocks:
            x = block(x, cos, sin, mask)
        return self.out(self.last(x))


def block():
    """Target: a block of width 512."""
    angles = torch.randn(128, 64)
    return Block(512, 8, 1376).eval(), (torch.randn(1, 128, 512), angles, angles, torch.zeros(128, 128))


def training_step():
    """Target: 6.7 billion parameters, forward, backward and AdamW."""
    model = Model()
    optimizer = torch.optim.AdamW(model.parameters())
    tokens, angles, mask = torch.zeros(1, 512, dtype=torch.long), torch.randn(512, 128), torch.zeros(512, 512)
    compiled = torch.compile(model)

    def step():
        loss = compiled(tokens, angles, angles, mask).float().logsumexp(-1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step
