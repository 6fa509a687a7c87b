"""Findings that a team has decided not to hear of: ignore lists of its knowledge folders, and its settings."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace

from neurontriage.config import Config
from neurontriage.knowledge import silence
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis


def silenced(
    diagnosis: Diagnosis, lists: Sequence[silence.Silence], settled: Config, catalog: Catalog
) -> tuple[Diagnosis, list[str]]:
    """The diagnosis without what is silenced, and notes on ids that do not exist or whose time is over."""
    if not lists and not settled.ignore:
        return diagnosis, []
    today = datetime.date.today()
    found = {finding.id for finding in diagnosis.findings}
    quiet = {one.id for one in lists if one.holds(today)} | set(settled.ignore)
    said = [str(one) for one in lists if one.id in found and one.holds(today)]
    said += [f"{name}: {settled.path}" for name in settled.ignore if name in found]
    kept = tuple(finding for finding in diagnosis.findings if finding.id not in quiet)
    notes = [f"ignore list: {one} is over, so it is shown" for one in lists if not one.holds(today)]
    named = dict.fromkeys([*(one.id for one in lists), *settled.ignore])
    notes += [f"ignore list: no entry is called {name}" for name in named if not _exists(name, catalog)]
    return replace(diagnosis, findings=kept, silenced=tuple(said)), notes


def _exists(name: str, catalog: Catalog) -> bool:
    """An entry, or the id of what no entry explains (`PY-Unknown`)."""
    return name in catalog.articles or name.endswith("-Unknown")
