"""A transformer of 132 million parameters (12 blocks of width 768) trained for two steps with AdamW on torch-xla."""

import torch
import torch_xla
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down, self.drop = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), nn.Dropout(0.1)

    def forward(self, x):
        batch, length, width = x.shape
        size = width // self.heads
        split = self.qkv(self.before(x)).view(batch, length, 3, self.heads, size).permute(2, 0, 3, 1, 4)
        q, k, v = split.reshape(3, batch * self.heads, length, size)
        weights = torch.bmm(q * size**-0.5, k.transpose(1, 2)).softmax(-1)
        mixed = torch.bmm(weights, v).view(batch, self.heads, length, size).transpose(1, 2)
        x = x + self.drop(self.out(mixed.reshape(batch, length, width)))
        return x + self.drop(self.down(functional.gelu(self.up(self.between(x)))))


class Model(nn.Module):
    def __init__(self, words=30522, width=768, blocks=12, heads=12):
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(blocks)))
        self.last, self.out = nn.LayerNorm(width), nn.Linear(width, words)

    def forward(self, tokens):
        return self.out(self.last(self.blocks(self.table(tokens))))


def main():
    device = torch_xla.device()
    model = Model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for _ in range(2):
        tokens = torch.randint(0, 30522, (4, 128)).to(device)
        loss = functional.cross_entropy(model(tokens).view(-1, 30522), tokens.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()


if __name__ == "__main__":
    main()
