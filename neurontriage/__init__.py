"""Says why an AWS Neuron job failed, from its logs."""

import importlib
from typing import Any

__version__ = "0.2.0"


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext neurontriage` calls: adds `%%triage` to a notebook."""
    importlib.import_module("neurontriage.agents.notebook").load(shell)
