"""Events of the compile wrapper → the HLO modules of a run and what became of each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from neurontriage.model import Event, Module, ModuleStatus

_MODULE = re.compile(r"MODULE_[0-9A-Za-z]+(?:\+[0-9a-f]{4,})?")
_QUOTE = re.compile(
    r"Got a cached failed neff at \S*(?P<module>MODULE_[0-9A-Za-z]+(?:\+[0-9a-f]{4,})?).*With er+or log"
)
_LONGEST_QUOTE = 4
_FORMAT = "%Y-%m-%d %H:%M:%S.%f"
_STATUS: dict[str, ModuleStatus] = {
    "call": "running",
    "cached": "cached",
    "cached_failed": "failed",
    "failed": "failed",
    "failed_with": "failed",
    "passed": "passed",
    "waiting": "running",
}
_FINAL = frozenset({"passed", "failed", "cached"})


@dataclass
class Modules:
    """Follows each module through the log, by process where lines do not name it."""

    seen: dict[str, Module] = field(default_factory=dict)
    last: str | None = None

    def read(self, event: Event) -> None:
        """Take up an event; all but those of the compile wrapper are ignored."""
        if event.family != "neuron_cc_wrapper":
            return
        if event.kind in ("status_pass", "status_error"):
            self._status("passed" if event.kind == "status_pass" else "failed", None)
            return
        status = _STATUS.get(event.kind)
        named = _MODULE.search(event.fields.get("module", "") or _names(event))
        if status is None or named is None:
            return
        self.last = named.group()
        if event.kind == "waiting" and self.last in self.seen:
            return  # another process waits for the one that compiles: that one's start stays
        self._status(status, event.fields.get("time"))

    def _status(self, status: ModuleStatus, time: str | None) -> None:
        if self.last is None:
            return
        before = self.seen.get(self.last)
        if before is None or (status == "running" and before.status != "passed"):
            self.seen[self.last] = Module(self.last, status, None, time)
        elif before.status == "running" and status in _FINAL:
            self.seen[self.last] = Module(self.last, status, _seconds(before.started, time), before.started)

    def found(self) -> tuple[Module, ...]:
        """All modules in the order of their first line."""
        return tuple(self.seen.values())


@dataclass
class Retries:
    """Errors that the cache quotes from an earlier try: they fail nothing if the module compiles after all.

    Follows the quotes of one incident; the wrapper prints each one on a line and a few lines after it.
    """

    module: str = ""
    path: str = ""
    end: int = 0

    def quoted(self, event: Event) -> str | None:
        """The module whose earlier failure an event quotes; None for an event of this run."""
        evidence = event.evidence
        if found := _QUOTE.search(evidence.text):
            self.module, self.path = found["module"], evidence.path
            self.end = evidence.line + _LONGEST_QUOTE * ("Retrying..." not in evidence.text)
        elif event.family == "neuron_cc_wrapper":
            self.end = 0
        inside = evidence.path == self.path and evidence.line <= self.end
        if "Retrying..." in evidence.text:
            self.end = min(self.end, evidence.line)
        return self.module if inside else None


def _names(event: Event) -> str:
    return " ".join(event.fields.get(name, "") for name in ("path", "cache_path", "module_file"))


def _seconds(start: str | None, end: str | None) -> float | None:
    """Seconds between two wrapper times (their fraction is milliseconds padded to six digits)."""
    if start is None or end is None:
        return None
    try:
        return round(((datetime.strptime(end, _FORMAT)) - datetime.strptime(start, _FORMAT)).total_seconds(), 3)
    except ValueError:
        return None
