"""`ignore.yaml` of a knowledge folder: ids that a team has decided not to hear of, each with a reason and an end.

- {id: XLA-MarkStepDeprecated, reason: "migration planned for Q1", until: 2027-03-31}
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from neurontriage.errors import TriageError
from neurontriage.knowledge import documents

NAME = "ignore.yaml"


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: str
    reason: str
    until: datetime.date


@dataclass(frozen=True)
class Silence:
    """One id that stays out of the findings until a date."""

    id: str
    reason: str
    until: datetime.date

    def holds(self, today: datetime.date) -> bool:
        """Whether it is still in force."""
        return today <= self.until

    def __str__(self) -> str:
        return f"{self.id} until {self.until}: {self.reason}"


def read(folders: Sequence[Path]) -> tuple[Silence, ...]:
    """The ignore lists of the folders. Raises TriageError naming the file when one is not as it should be."""
    return tuple(silence for folder in folders for silence in _of(folder / NAME))


def _of(path: Path) -> Iterable[Silence]:
    if not path.is_file():
        return []
    import yaml

    try:
        lines = TypeAdapter(list[_Line]).validate_python(documents.load(path) or [])
    except (ValidationError, OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise TriageError(
            "faulty-ignore-list",
            f"{path}: {first}",
            "a list of {id: …, reason: …, until: YYYY-MM-DD}",
            "see CONTRIBUTING.md",
        ) from error
    return [Silence(line.id, line.reason, line.until) for line in lines]
