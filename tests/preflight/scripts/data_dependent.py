"""A shape that depends on data: no dry run can know it."""

import torch
import torch_xla

x = torch.rand(8).to(torch_xla.device()) * 2
torch_xla.sync()
y = (x + 1)[torch.nonzero(x + 1)]
total = y.sum()
torch_xla.sync()
