"""What many tests share: the shipped catalogue, loaded once, in a cache of the test run's own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

# How fast a machine is decides no test. `$NEURONTRIAGE_TEST_EXAMPLES=fixed`: nor does chance, in CI and `make mutate`.
fixed = os.environ.get("NEURONTRIAGE_TEST_EXAMPLES") == "fixed"
hypothesis.settings.register_profile("untimed", deadline=None, derandomize=fixed)
hypothesis.settings.load_profile("untimed")

# The tensors of tests are small: a thread for each core, also in every process that a test starts, only costs time.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# What the kernel says while tests run may be of any other test that crashes a program on purpose.
os.environ["NEURONTRIAGE_KERNEL_LOG"] = ""

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One for all workers; `$NEURONTRIAGE_TEST_CACHE`: one for many runs of the same code (`make mutate`)."""
    kept = os.environ.get("NEURONTRIAGE_TEST_CACHE")
    base = tmp_path_factory.getbasetemp()
    folder = Path(kept) if kept else (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["NEURONTRIAGE_CACHE"] = str(folder)
    yield folder


@pytest.fixture(scope="session")
def catalog(own_cache: Path):
    from neurontriage.knowledge.catalog import load

    loaded = load()
    loaded.warm()
    return loaded
