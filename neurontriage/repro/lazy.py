"""torch and torch-xla, imported at first use: a case can be listed where neither is installed."""

from __future__ import annotations

import importlib
from typing import Any, TypeAlias


class Lazy:
    """Stands for a module by name; the first attribute read imports it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)


Tensor: TypeAlias = Any
"""A torch tensor; torch itself is untyped here."""

torch = Lazy("torch")
torch_xla = Lazy("torch_xla")
xla_model = Lazy("torch_xla.core.xla_model")
xla_builder = Lazy("torch_xla.core.xla_builder")
xla_op_registry = Lazy("torch_xla.core.xla_op_registry")
_XLAC = Lazy("_XLAC")

MODULES = {
    "torch": "import torch",
    "torch_xla": "import torch_xla",
    "xla_model": "import torch_xla.core.xla_model as xla_model",
    "xla_builder": "import torch_xla.core.xla_builder as xla_builder",
    "xla_op_registry": "import torch_xla.core.xla_op_registry as xla_op_registry",
    "_XLAC": "import _XLAC",
}
"""What a stand-alone script writes in place of a lazy module."""
