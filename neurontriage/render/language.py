"""The interface's words in the reader's language: English is the key, and what has no translation stays English."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from neurontriage.render.audience import audience
from neurontriage.resources import PACKAGE

FOLDER = PACKAGE / "render" / "languages"


@lru_cache(maxsize=4)
def texts(language: str) -> dict[str, Any]:
    """The texts of a language: `words` and `advice` (English → translated), `entries` (id → title, cause, fixes)."""
    path = FOLDER / f"{language}.yaml"
    if not path.is_file():
        return {"words": {}, "advice": {}, "entries": {}}
    import yaml

    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return loaded


def say(english: str, **values: object) -> str:
    """The words in the reader's language, with the values put in: `say("{n} more", n=3)`."""
    language = audience().language
    words = texts(language)["words"].get(english, english) if language != "en" else english
    return str(words).format(**values) if values else str(words)


def count(number: int, noun: str) -> str:
    """`1 warning`, `2,000 warnings`, in the reader's language, which may know no plural."""
    return say(f"{{n}} {noun}{'' if number == 1 else 's'}", n=f"{number:,}")
