"""Says why an AWS Neuron job failed, from its logs."""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own takes a tenth of the time in which `neurontriage run` starts a command
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.2.0"


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext neurontriage` calls: adds `%%triage` to a notebook."""
    from importlib import import_module

    import_module("neurontriage.agents.notebook").load(shell)
