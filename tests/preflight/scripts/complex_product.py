"""A Fourier transform times a real number: what the analyze tutorial calls its unsupported model."""

import torch
import torch_xla

x = torch.rand(4).to(torch_xla.device())
y = torch.fft.fft(x)
x = x + 10
result = x * y
torch_xla.sync()
