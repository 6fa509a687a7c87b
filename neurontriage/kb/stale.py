"""What may have gone out of date: sources older than a release, passages that changed, entries that never win."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from neurontriage import resources
from neurontriage.errors import TriageError
from neurontriage.kb import sources
from neurontriage.kb.folder import Coverage, coverage
from neurontriage.knowledge import catalog
from neurontriage.knowledge import load as knowledge
from neurontriage.knowledge.schema import Entry, SourceText
from neurontriage.knowledge.versions import Releases


def listed(entries: Mapping[str, Entry], clones: Path | None, sdk: str | None, logs: Path | None) -> list[str]:
    """One line for everything to look at, as far as clones of the sources and logs are at hand."""
    found: list[str] = []
    if clones is not None:
        found += moved(entries, clones)
    if clones is not None and sdk is not None:
        found += older(entries, clones, sdk, Releases(knowledge.releases([resources.knowledge()])))
    if logs is not None:
        found += silent(entries, coverage(logs, catalog.load()))
    return found


def moved(entries: Mapping[str, Entry], folder: Path) -> Iterator[str]:
    """Sources whose passage is not as its digest says, or no longer stands in the newest state of the clone."""
    for name, entry in entries.items():
        for source in entry.sources:
            clone = sources.checkout(folder, source.repo) if source.repo else None
            fault = sources.fault(clone, source) if clone is not None else None
            if fault is not None:
                yield f"{name}: {fault}"


def older(entries: Mapping[str, Entry], folder: Path, sdk: str, releases: Releases) -> Iterator[str]:
    """Entries whose every source file was read before an SDK release. Raises TriageError for an unknown release."""
    date = releases.date_of(sdk)
    if date is None:
        raise TriageError("no-such-sdk", f"--sdk {sdk}: not in versions.yaml", "an SDK release, e.g. 2.31.0", "kb lint")
    for name, entry in entries.items():
        read = [_date(folder, source) for source in entry.sources]
        known = [one for one in read if one]
        if known and max(known) < date:
            yield f"{name}: sources of {max(known)}, before SDK {sdk} of {date}"


def _date(folder: Path, source: SourceText) -> str | None:
    """The day of the commit that a source names, as YYYY-MM-DD; None when no clone holds it."""
    clone = sources.checkout(folder, source.repo) if source.repo else None
    return _day(str(clone), str(source.commit)) if clone is not None else None


@cache
def _day(clone: str, commit: str) -> str | None:
    command = ["git", "-C", clone, "show", "-s", "--format=%cs", commit]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or None


def silent(entries: Mapping[str, Entry], covered: Coverage) -> Iterator[str]:
    """Entries that no log of a folder led to."""
    for name in entries:
        if not covered.won[name]:
            yield f"{name}: won on no log of the folder"
