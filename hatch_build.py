"""Puts the compiled catalogue into the wheel, so that the first run compiles nothing but patterns."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Compiled(BuildHookInterface):
    """Compiles grammars and entries while the wheel is built; an editable installation reads them from the checkout."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        path = Path(tempfile.mkdtemp()) / "compiled.catalog"
        path.write_bytes(self._compiled())
        build_data["force_include"][str(path)] = "neurontriage/data/compiled.catalog"

    def _compiled(self) -> bytes:
        """In a program of its own, whose hashes are not seeded at random."""
        code = "import sys; from neurontriage.knowledge.catalog import compiled; sys.stdout.buffer.write(compiled())"
        path = os.pathsep.join([self.root, *sys.path])  # of the build's own environment
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": path}
        words = [sys.executable, "-c", code]
        return subprocess.run(words, env=environment, check=True, stdout=subprocess.PIPE).stdout
