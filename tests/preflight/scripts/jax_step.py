"""Writes the StableHLO of a JAX training step to a folder: with and without locations, as bytecode, and exported."""

import gzip
import io
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
from jax import export


def step(x, w):
    y = jnp.sort(jnp.tanh(x @ w), axis=-1)
    return jax.nn.softmax(y).sum()


lowered = jax.jit(jax.grad(step, argnums=1)).lower(jnp.ones((8, 16)), jnp.ones((16, 4)))
folder = Path(sys.argv[1])
(folder / "lines.mlir").write_text(lowered.as_text(debug_info=True))
(folder / "plain.mlir").write_text(lowered.as_text())
bytecode = io.BytesIO()
lowered.compiler_ir("stablehlo").operation.write_bytecode(bytecode)
(folder / "bytecode.mlir").write_bytes(bytecode.getvalue())
(folder / "step.mlirbc").write_bytes(bytecode.getvalue())
(folder / "compressed.mlir.gz").write_bytes(gzip.compress(lowered.as_text(debug_info=True).encode()))
shapes = [jax.ShapeDtypeStruct((8, 16), "float32"), jax.ShapeDtypeStruct((16, 4), "float32")]
(folder / "exported.bin").write_bytes(export.export(jax.jit(jax.grad(step, argnums=1)))(*shapes).serialize())
symbolic = export.symbolic_args_specs((jnp.ones((8, 16)), jnp.ones((16, 4))), ("b, 16", "16, 4"))
(folder / "symbolic.bin").write_bytes(export.export(jax.jit(step))(*symbolic).serialize())
