"""The shipped knowledge, loaded once for all test modules that look at its entries."""

from __future__ import annotations

from neurontriage import resources
from neurontriage.knowledge.load import load

LOADED = load([resources.knowledge()])
ENTRIES = LOADED.entries
