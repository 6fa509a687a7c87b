"""NKI kernels for the cases that need a real one, written for the generation of NKI that is installed.

`nki` comes with SDK 2.27 and later, `neuronxcc.nki` with the older ones. A kernel is an ordinary function until
`nki.jit` takes it; its imports stand inside, as in the documentation's own kernels.
https://awsdocs-neuron.readthedocs-hosted.com/en/latest/nki/get-started/quickstart-implement-run-kernel.html
"""

from __future__ import annotations

import importlib
from contextlib import suppress

from neurontriage.repro.case import CannotBuild, Function
from neurontriage.repro.lazy import Tensor

NEW, OLD = "nki", "neuronxcc.nki"


def silu_tile(x: Tensor) -> Tensor:
    """x * sigmoid(x) of at most 128 rows, for NKI 0.2 and later."""
    import nki.isa as nisa
    import nki.language as nl

    tile = nl.ndarray(shape=x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    result = nl.ndarray(shape=x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.activation(dst=result, op=nl.silu, data=tile)
    output = nl.ndarray(shape=x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=output, src=result)
    return output


def old_silu_tile(x: Tensor) -> Tensor:
    """SiLU of one tile, written for `neuronxcc.nki` (SDK 2.20 to 2.26)."""
    import neuronxcc.nki.language as nl

    output = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    nl.store(output, value=nl.silu(nl.load(x)))
    return output


def affine_sum(x: Tensor) -> Tensor:
    """The sum of the tiles x[i], accumulated in SBUF by a loop that promises independent iterations (and has none)."""
    import neuronxcc.nki.language as nl

    output = nl.ndarray(x.shape[1:], dtype=x.dtype, buffer=nl.shared_hbm)
    total = nl.zeros(x.shape[1:], dtype=x.dtype, buffer=nl.sbuf)
    for step in nl.affine_range(x.shape[0]):
        total += nl.load(x[step])
    nl.store(output, value=total)
    return output


def sequential_sum(x: Tensor) -> Tensor:
    """The same sum by a loop that carries its value."""
    import neuronxcc.nki.language as nl

    output = nl.ndarray(x.shape[1:], dtype=x.dtype, buffer=nl.shared_hbm)
    total = nl.zeros(x.shape[1:], dtype=x.dtype, buffer=nl.sbuf)
    for step in nl.sequential_range(x.shape[0]):
        total[...] = nl.add(total, nl.load(x[step]))
    nl.store(output, value=total)
    return output


def silu(x: Tensor) -> Tensor:
    """x * sigmoid(x) by a kernel. Raises CannotBuild where no NKI is installed."""
    return _kernel({NEW: silu_tile, OLD: old_silu_tile})(x)


def sum_of_tiles(x: Tensor, carried: bool) -> Tensor:
    """The sum over the first axis by a kernel, `carried` from step to step or not. Raises as `silu`."""
    return _kernel({OLD: sequential_sum if carried else affine_sum})(x)


def _kernel(written: dict[str, Function]) -> Function:
    with suppress(ImportError):
        importlib.import_module("torch_neuronx")  # tells NKI about torch
    for package, function in written.items():
        try:
            return importlib.import_module(package).jit(function)  # type: ignore[no-any-return]
        except ImportError:
            continue
    raise CannotBuild(f"{' or '.join(written)} is not installed: the kernel cannot be built")
