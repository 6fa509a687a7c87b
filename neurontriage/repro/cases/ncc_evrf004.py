"""A spectral filter: complex numbers from fft to ifft."""

from __future__ import annotations

import math

from neurontriage.hlo.module import Module
from neurontriage.repro.case import Alternative, Example, Needs, page
from neurontriage.repro.conditions import FINITE, WIDE
from neurontriage.repro.lazy import Tensor, torch

ID = "NCC-EVRF004"
TITLE = "fft, a complex product and ifft: complex types are not supported"
NEEDS = Needs("neuronx-cc")
ORIGIN = page("EVRF004")


def spectral_filter(x: Tensor, real: Tensor, imag: Tensor) -> Tensor:
    spectrum = torch.fft.fft(x) * torch.complex(real, imag)
    return torch.view_as_real(torch.fft.ifft(spectrum))


def fourier(size: int, like: Tensor) -> tuple[Tensor, Tensor]:
    """Real and imaginary part of the Fourier matrix."""
    steps = torch.arange(size, device=like.device)
    angles = (steps[:, None] * steps % size).to(like.dtype) * (-2 * math.pi / size)
    return torch.cos(angles), torch.sin(angles)


def real_matrices(x: Tensor, real: Tensor, imag: Tensor) -> Tensor:
    """Real and imaginary parts as tensors of their own, Fourier transforms as real matrix products."""
    cos, sin = fourier(x.shape[-1], x)
    re, im = x @ cos, x @ sin
    re, im = re * real - im * imag, re * imag + im * real
    return torch.stack([re @ cos + im @ sin, im @ cos - re @ sin], -1) / x.shape[-1]


def pairs_after_fft(x: Tensor, real: Tensor, imag: Tensor) -> Tensor:
    """Only the product on pairs of real tensors; the transforms stay complex."""
    parts = torch.view_as_real(torch.fft.fft(x))
    re, im = parts[..., 0], parts[..., 1]
    product = torch.complex(re * real - im * imag, re * imag + im * real)
    return torch.view_as_real(torch.fft.ifft(product))


def on_cpu(x: Tensor, real: Tensor, imag: Tensor) -> Tensor:
    return spectral_filter(x.cpu(), real.cpu(), imag.cpu()).to(x.device)


ALTERNATIVES = (
    Alternative("real-fourier-matrices", "fix", real_matrices, requires=(FINITE,)),
    Alternative(
        "real-pairs-for-the-product",
        "fix",
        pairs_after_fft,
        works=False,
        note="documented for products; fft and ifft themselves run on CPU and hand complex tensors back",
    ),
    Alternative("filter-on-cpu", "fallback", on_cpu, requires=(WIDE,), note="documented; two transfers per call"),
)


def build() -> Example:
    return Example(spectral_filter, (torch.randn(2, 8), torch.randn(8), torch.randn(8)))


def trigger(module: Module) -> bool:
    return not module.dtypes.isdisjoint({"c64", "c128"})
