"""The texts of all entries, as the catalogue stores them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Articles(Mapping[str, dict[str, Any]]):
    """The texts of all entries, as one piece of JSON lines; each is read only when it is asked for."""

    text: bytes
    places: Mapping[str, tuple[int, int]]

    def __getitem__(self, entry: str) -> dict[str, Any]:
        start, end = self.places[entry]
        article: dict[str, Any] = json.loads(self.text[start:end])
        return article

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)
