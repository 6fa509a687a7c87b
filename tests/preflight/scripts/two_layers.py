"""Two linear layers, trained for two steps: what the analyze tutorial calls its supported model."""

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2), nn.Tanh()).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x, wanted = torch.rand(4), torch.tensor([1, 0])
for _ in range(2):
    optimizer.zero_grad()
    x, wanted = x.to(device), wanted.to(device)
    loss = nn.functional.mse_loss(model(x), wanted)
    loss.backward()
    optimizer.step()
    torch_xla.sync()
