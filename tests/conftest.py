"""What many tests share: the shipped catalogue, loaded once, in a cache of the test run's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache")
    os.environ["NEURONTRIAGE_CACHE"] = str(folder)
    yield folder


@pytest.fixture(scope="session")
def catalog(own_cache: Path):
    from neurontriage.knowledge import database
    from neurontriage.knowledge.catalog import load

    loaded = load()
    database.warm(loaded.patterns)
    return loaded
