"""Compiler flags as users write them, in NEURON_CC_FLAGS or behind `--flags` → one word each."""

from __future__ import annotations

import shlex

from neurontriage.errors import TriageError


def split(text: str) -> tuple[str, ...]:
    """The words of a text, quoted as for a shell. Raises TriageError where a quotation does not end."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise TriageError("wrong-flags", f"--flags {text}: {error}", "flags as in NEURON_CC_FLAGS") from None
