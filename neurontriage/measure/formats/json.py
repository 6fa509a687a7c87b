"""The document itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def render(document: Mapping[str, Any]) -> str:
    """JSON text; a number that is none (NaN) would be no JSON, and is refused."""
    return json.dumps(document, indent=1, allow_nan=False) + "\n"
