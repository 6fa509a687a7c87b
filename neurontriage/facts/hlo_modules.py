"""Events of the compile wrapper → the HLO modules of a run and what became of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from neurontriage.expressions import expression
from neurontriage.lines.linear import compiled
from neurontriage.model import Event, Module, ModuleStatus

_MODULE = expression(r"MODULE_[0-9A-Za-z]+(?:\+[0-9a-f]{4,})?")
_QUOTED = "cached failed neff at "
_QUOTE = rf"Got a {_QUOTED}\S*(?P<module>MODULE_[0-9A-Za-z]+(?:\+[0-9a-f]{{4,}})?).*With er+or log"
_LONGEST_QUOTE = 4
_STATUS: dict[str, str] = {
    "call": "running",
    "cached": "cached",
    "cached_failed": "failed",
    "failed": "failed",
    "failed_with": "failed",
    "passed": "passed",
}
_FINAL = frozenset({"passed", "failed", "cached"})
_WAITING = "waiting"
Step = tuple[str, str | None]
"""What a line says of a module (a status, or that another process waits for it), and its time."""


@dataclass(eq=False, repr=False)
class Modules:
    """Follows each module through the log, by process where lines do not name it.

    `courses`: what happened to each module; `before`: what happened to the last one of the log before.
    """

    courses: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    last: str | None = None
    before: tuple[Step, ...] = ()

    def read(self, event: Event) -> None:
        """Take up an event; all but those of the compile wrapper are ignored."""
        if event.family != "neuron_cc_wrapper":
            return
        if event.kind in ("status_pass", "status_error"):
            self._step(("passed" if event.kind == "status_pass" else "failed", None))
            return
        status = _WAITING if event.kind == _WAITING else _STATUS.get(event.kind)
        named = _MODULE.search(event.fields.get("module", "") or _names(event))
        if status is None or named is None:
            return
        self.last = named.group()
        self._step((status, event.fields.get("time")))

    def _step(self, step: Step) -> None:
        if self.last is None:
            self.before = _after(self.before, step)
        else:
            self.courses[self.last] = _after(self.courses.get(self.last, ()), step)

    def take(self, later: Modules) -> None:
        """Take in what a later part of the incident says of the modules."""
        for step in later.before:
            self._step(step)
        for name, course in later.courses.items():
            for step in course:
                self.courses[name] = _after(self.courses.get(name, ()), step)
        self.last = later.last or self.last

    def found(self) -> tuple[Module, ...]:
        """All modules in the order of their first line."""
        return tuple(_module(name, course) for name, course in self.courses.items())


def _after(course: tuple[Step, ...], step: Step) -> tuple[Step, ...]:
    """A course with one more step, without steps that change nothing whatever the module was before: at most four.

    Of several starts after each other the last one counts, of several ends the first one; who waits changes nothing
    for a module that was seen before.
    """
    statuses, status = [name for name, _ in course], step[0]
    if status == _WAITING:
        return course or (step,)
    started = "running" in statuses
    if status == "running":
        return course if started and statuses[-1] == "passed" else (*course[: _start(statuses)], step)
    ended = statuses[-1] != "running" if started else not _FINAL.isdisjoint(statuses)
    return course if ended else (*course, step)


def _start(statuses: list[str]) -> int:
    return statuses.index("running") if "running" in statuses else len(statuses)


def _module(name: str, course: tuple[Step, ...]) -> Module:
    """What became of a module."""
    (first, started), *rest = course
    module = Module(name, "running" if first == _WAITING else cast("ModuleStatus", first), None, started)
    for status, time in rest:
        if status == "running" and module.status != "passed":
            module = Module(name, "running", None, time)
        elif module.status == "running" and status in _FINAL:
            module = Module(name, cast("ModuleStatus", status), _seconds(module.started, time), module.started)
    return module


@dataclass(eq=False, repr=False)
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
        if _QUOTED in evidence.text and (found := compiled(_QUOTE).search(evidence.text)):
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
        return round((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds(), 3)
    except ValueError:
        return None
