"""Puts the compiled catalogue into the wheel, so that the first run compiles nothing but patterns."""

from __future__ import annotations

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
        sys.path.insert(0, self.root)
        from neurontriage.knowledge.catalog import compiled

        path = Path(tempfile.mkdtemp()) / "compiled.catalog"
        path.write_bytes(compiled())
        build_data["force_include"][str(path)] = "neurontriage/data/compiled.catalog"
