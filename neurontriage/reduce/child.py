"""`python -m neurontriage.reduce.child`: reads paths of HLO modules, answers `ok` or XLA's complaint, one line each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any


def execute(module: bytes) -> list[Any]:
    """Compiles and runs a module on the CPU client with ones as inputs; raises what XLA raises."""
    import torch
    import torch_xla
    from torch_xla.core import xla_builder

    from neurontriage.hlo import files
    from neurontriage.hlo.dtypes import NAMES, TORCH

    device = torch_xla.device()
    types = {hlo: getattr(torch, name) for name, hlo in TORCH.items() if hasattr(torch, name)}
    found = files.parse("module", module).module
    for named in (*found.proto.computations, *found.instructions):
        named.name += "" if "." in named.name else ".0"  # XLA's builder dies on a name without a number
    parameters, module = found.parameters, files.dump(found)
    inputs = [
        torch.ones(tuple(p.shape.dimensions), dtype=types[NAMES[p.shape.element_type]]).to(device) for p in parameters
    ]
    computation = xla_builder.computation_from_module_proto("module", module)
    results: list[Any] = torch_xla._XLAC._xla_user_computation("xla::module", inputs, computation)
    torch_xla.sync()
    return [result.cpu() for result in results]


def main() -> None:
    """Verify the module of each line of standard input, and answer on standard output, until the input ends."""
    import torch
    import torch_xla

    assert torch and torch_xla
    for line in sys.stdin:
        try:
            execute(Path(line.strip()).read_bytes())
            answer = "ok"
        except (RuntimeError, KeyError, ValueError, TypeError) as error:
            answer = " ".join(str(error).split())[:500] or type(error).__name__
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
