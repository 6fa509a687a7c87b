"""Events of the compile wrapper → the HLO modules of a run and what became of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.lines.linear import compiled
from neurontriage.model import Event, Module, ModuleStatus

MODULE = expression(r"MODULE_[0-9A-Za-z]+(?:\+[0-9a-f]{4,})?")
_QUOTED = "cached failed neff at "
_QUOTE = rf"Got a {_QUOTED}\S*(?P<module>MODULE_[0-9A-Za-z]+(?:\+[0-9a-f]{{4,}})?).*With er+or log"
_LONGEST_QUOTE = 4
_STATUS: dict[str, ModuleStatus] = {
    "call": "running",
    "cached": "cached",
    "cached_failed": "failed",
    "failed": "failed",
    "failed_with": "failed",
    "passed": "passed",
}
_UNNAMED: dict[str, ModuleStatus] = {"status_pass": "passed", "status_error": "failed"}
_FINAL = frozenset({"passed", "failed", "cached"})
_ENDS = frozenset({"failed", "failed_with", "passed"})
_IDLE = frozenset({"cached", "waiting"})
_MOST_STEPS = 1 << 18


class Step(NamedTuple):
    """A line about a module: the kind of its event, the module ("" where the line names none), and its time."""

    kind: str
    module: str
    time: str | None


@dataclass(eq=False, repr=False)
class Modules:
    """Follows each module through the log: what its lines say, in their order.

    `newest`: what the last line of each module says. More than `_MOST_STEPS` lines are not followed.
    """

    steps: list[Step] = field(default_factory=list)
    newest: dict[str, str] = field(default_factory=dict)
    _told: tuple[int, tuple[Module, ...]] = (0, ())

    def read(self, event: Event) -> None:
        """Take up an event; all but those of the compile wrapper are ignored."""
        if event.family != "neuron_cc_wrapper" or len(self.steps) >= _MOST_STEPS:
            return
        kind = event.kind
        if kind in _UNNAMED:
            self.steps.append(Step(kind, "", None))
        elif (kind in _STATUS or kind == "waiting") and (name := module_of(event)):
            if kind in _IDLE and self.newest.get(name) == kind:
                return
            self.newest[name] = kind
            self.steps.append(Step(kind, name, event.fields.get("time")))

    def known(self, kind: str, name: str) -> bool:
        """Whether a line says nothing new, however often it comes: that of a module what is in the cache is used."""
        return kind == "cached" and self.newest.get(name) == kind

    def take(self, later: Modules) -> None:
        """Take in what a later part of the incident says of the modules."""
        self.steps += later.steps[: _MOST_STEPS - len(self.steps)]
        self.newest |= later.newest

    def found(self) -> tuple[Module, ...]:
        """All modules in the order of their first line."""
        if self._told[0] != len(self.steps):
            course = _Course()
            for step in self.steps:
                course.take(step)
            course.settle()
            self._told = len(self.steps), tuple(course.modules.values())
        return self._told[1]


@dataclass(eq=False, repr=False)
class _Course:
    """What became of the modules so far. `running`: those whose compiler was called, the newest last.

    `unnamed`: a status that names no module; right before the end of a named one it is of that one, too. Else it is of
    the newest that is still running: which of several it is, the log does not say.
    """

    modules: dict[str, Module] = field(default_factory=dict)
    running: list[str] = field(default_factory=list)
    unnamed: ModuleStatus | None = None

    def take(self, step: Step) -> None:
        """The next line."""
        kind, name, time = step
        if not name:
            self.settle()
            self.unnamed = _UNNAMED[kind]
            return
        if kind in _ENDS:
            self.unnamed = None
        elif kind not in _IDLE:
            self.settle()
        status = _STATUS.get(kind, "running")
        if name not in self.modules:
            self.modules[name] = Module(name, status, None, time)
        elif kind == "call" and self.modules[name].status != "passed":
            self.modules[name] = Module(name, "running", None, time)
        elif status in _FINAL:
            self._end(name, status, time)
        if kind == "call" and self.modules[name].status == "running":
            self.running.append(name)

    def settle(self) -> None:
        """Nothing right below names the module of a status."""
        status, self.unnamed = self.unnamed, None
        while status and self.running:
            if self._end(self.running.pop(), status, None):
                return

    def _end(self, name: str, status: ModuleStatus, time: str | None) -> bool:
        """A module ends, if it is running; of several ends the first one counts."""
        module = self.modules[name]
        if module.status != "running":
            return False
        self.modules[name] = Module(name, status, _seconds(module.started, time), module.started)
        return True


def module_of(event: Event) -> str:
    """The module that a line of the compile wrapper names; "" where it names none."""
    texts = (event.fields.get(name, "") for name in ("module", "module_file", "path", "cache_path", "command"))
    found = MODULE.search(" ".join(texts))
    return found.group() if found else ""


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


def _seconds(start: str | None, end: str | None) -> float | None:
    """Seconds between two wrapper times (their fraction is milliseconds padded to six digits)."""
    if start is None or end is None:
        return None
    try:
        return round((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds(), 3)
    except ValueError:
        return None
