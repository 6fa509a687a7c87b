"""What a check says, and how the checks are found: each module of `checks/` has `check(host, releases)`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from neurontriage.doctor.host import Host
from neurontriage.knowledge.versions import Releases

Outcome = Literal["ok", "fault", "not-run"]


@dataclass(frozen=True, slots=True)
class Check:
    """One look at the host. `entry`: the knowledge entry of a fault; `reason`: what was seen, or why nothing was."""

    id: str
    title: str
    outcome: Outcome
    reason: str
    entry: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Look:
    """The id and title of a check, with a way to say each outcome."""

    id: str
    title: str

    def ok(self, reason: str, **fields: str) -> Check:
        """Nothing wrong was seen."""
        return Check(self.id, self.title, "ok", reason, None, fields)

    def fault(self, entry: str, reason: str, **fields: str) -> Check:
        """Something is wrong; the entry says what it means and what helps."""
        return Check(self.id, self.title, "fault", reason, entry, fields)

    def not_run(self, reason: str) -> Check:
        """What would have to be looked at is not here."""
        return Check(self.id, self.title, "not-run", reason)


def checks(host: Host, releases: Releases) -> Iterator[Check]:
    """All checks of all modules of `checks/`, by name of the module."""
    from neurontriage.doctor import checks as room

    for module in sorted(one.name for one in pkgutil.iter_modules(room.__path__)):
        yield from importlib.import_module(f"{room.__name__}.{module}").check(host, releases)
