"""What other programs may rely on, as models: JSON Schema is made of them, and tests hold the written JSON to them.

The formats write plain data, so that no start pays for these models.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import BaseModel

DESCRIBED = ("explain", "each", "report", "measure")


def schema(name: str) -> dict[str, object]:
    """The JSON Schema (draft 2020-12) of `neurontriage.<name>/1`. Raises KeyError for a name that is not described."""
    from neurontriage.contract import each, explain, measure, report

    models: dict[str, type[BaseModel]] = {
        "explain": explain.Answer,
        "each": each.Table,
        "report": report.Report,
        "measure": measure.Result,
    }
    found: dict[str, object] = models[name].model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"neurontriage.{name}/1", **found}


def published(name: str) -> Path:
    """Where a checkout keeps the schema for other programs."""
    return Path(__file__).parents[2] / "docs" / "schema" / f"{name}-1.json"
