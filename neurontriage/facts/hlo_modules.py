"""Events of the compile wrapper → the HLO modules of a run and what became of each."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.lines.linear import compiled
from neurontriage.model import Event, Module, ModuleStatus

MODULE = expression(r"MODULE_[0-9A-Za-z]+(?:\+[0-9a-f]{4,})?")
_QUOTED = "cached failed neff at "
_QUOTE = rf"Got a {_QUOTED}\S*(?P<module>MODULE_[0-9A-Za-z]+(?:\+[0-9a-f]{{4,}})?).*With er+or log"
_WRAPPER, _FAILED_WITH = "neuron_cc_wrapper", "Failed compilation with "
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
_FAILURES = frozenset({"failed", "failed_with", "cached_failed"})
_IDLE = frozenset({"cached", "waiting"})
_MOST_STEPS, _MOST_MODULES = 1 << 17, 20_000
_FOLDED = 1 << 10
"""Steps that are held at most where what became of the modules up to there is known."""


class Step(NamedTuple):
    """A line about a module: the kind of its event, the module ("" where the line names none), and its time."""

    kind: str
    module: str
    time: str | None


@dataclass(eq=False, repr=False)
class _Course:
    """What became of the modules so far. `running`: those whose compiler was called, the newest last.

    `unnamed`: a status that names no module; right before the end of a named one it is of that one, too. Else it is of
    the newest that is still running: which of several it is, the log does not say. `called`: of each module that failed
    whether the compiler was called for it again.
    """

    modules: dict[str, Module] = field(default_factory=dict)
    running: list[str] = field(default_factory=list)
    unnamed: ModuleStatus | None = None
    called: dict[str, bool] = field(default_factory=dict)

    def copied(self) -> _Course:
        """The same, which may go on in another way."""
        return _Course(dict(self.modules), list(self.running), self.unnamed, dict(self.called))

    def take(self, step: Step) -> None:
        """The next line."""
        kind, name, time = step
        if kind in _FAILURES or (kind == "call" and name in self.called):
            self.called[name] = kind == "call"
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
            if len(self.running) > 2 * _MOST_MODULES:
                del self.running[:-_MOST_MODULES]

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


@dataclass(eq=False, repr=False)
class Modules:
    """Follows each module through the log: what its lines say, in their order.

    `newest`: what the last line of each module says. `left`: lines of modules that are not followed, since there are
    too many. What came before `steps`, where other parts of the incident follow, is known as the `_before`.
    """

    steps: list[Step] = field(default_factory=list)
    newest: dict[str, str] = field(default_factory=dict)
    left: int = 0
    _before: _Course = field(default_factory=_Course)
    _told: tuple[tuple[int, int], _Course] | None = None
    _taken: int = 0

    def read(self, event: Event) -> None:
        """Take up an event; all but those of the compile wrapper are ignored."""
        if not (kind := _kind(event)):
            return
        if kind in _UNNAMED:
            self._add(Step(kind, "", None))
        elif (kind in _STATUS or kind == "waiting") and (name := module_of(event)):
            if kind in _IDLE and self.newest.get(name) == kind:
                return
            time = event.fields.get("time") if event.family == _WRAPPER else None  # else it is that of the compiler
            self._add(Step(kind, name, time))

    def _add(self, step: Step) -> None:
        known = not step.module or step.module in self.newest or len(self.newest) < _MOST_MODULES
        if not known or len(self.steps) >= _MOST_STEPS:
            self.left += 1
            return
        if step.module:
            self.newest[step.module] = step.kind
        self.steps.append(step)

    def known(self, kind: str, name: str) -> bool:
        """Whether a line says nothing new, however often it comes: that of a module what is in the cache is used."""
        return kind == "cached" and self.newest.get(name) == kind

    def take(self, later: Modules) -> None:
        """Take in what a later part of the incident says of the modules."""
        self.left += later.left
        for step in later.steps:
            self._add(step)
            if len(self.steps) > _FOLDED:
                self._fold()

    def _fold(self) -> None:
        """Let go of the steps, now that what became of the modules up to there is known."""
        for step in self.steps:
            self._before.take(step)
        self._taken += len(self.steps)
        self.steps = []

    def _course(self) -> _Course:
        """What became of all modules, as if nothing came below."""
        now = self._taken, len(self.steps)
        if self._told is None or self._told[0] != now:
            course = self._before.copied()
            for step in self.steps:
                course.take(step)
            course.settle()
            self._told = now, course
        return self._told[1]

    def found(self) -> tuple[Module, ...]:
        """All modules in the order of their first line."""
        return tuple(self._course().modules.values())

    def tried(self) -> dict[str, bool]:
        """Of each module whether it passed in the end: after a failure, because the compiler was called again."""
        called = self._course().called
        ended = [(one.module, one.status) for one in self.found() if one.status == "passed" or one.module in called]
        well = {name: status == "passed" and called.get(name, True) for name, status in ended}
        # The same graph, compiled below with other flags, has another hash behind the plus sign.
        last = {name.partition("+")[0]: passed for name, passed in well.items()}
        return {name: passed or last[name.partition("+")[0]] for name, passed in well.items()}


def _kind(event: Event) -> str:
    """What a line of the compile wrapper says, also where it ends in what the compiler said; "" of any other."""
    if event.family == _WRAPPER:
        return event.kind
    if _FAILED_WITH not in event.evidence.text:
        return ""
    return "failed_with" if "command" in event.fields or "module" in event.fields else ""  # the latter if only noted


def module_of(event: Event) -> str:
    """The module that a line of the compile wrapper names; "" where it names none."""
    texts = (event.fields.get(name, "") for name in ("module", "module_file", "path", "cache_path", "command"))
    found = MODULE.search(" ".join(texts))
    return sys.intern(found.group()) if found else ""  # many hold it


@dataclass(eq=False, repr=False)
class Retries:
    """Failures of one try to compile a module: they fail nothing if it compiles after all.

    Follows also those that the cache quotes from an earlier try: the wrapper prints each on a line and a few after it.
    """

    module: str = ""
    path: str = ""
    end: int = 0

    def of(self, event: Event) -> str | None:
        """The module whose failed try an event tells of, or quotes; None for what names none."""
        evidence = event.evidence
        if _QUOTED in evidence.text and (found := compiled(_QUOTE).search(evidence.text)):
            self.module, self.path = found["module"], evidence.path
            self.end = evidence.line + _LONGEST_QUOTE * ("Retrying..." not in evidence.text)
        elif kind := _kind(event):
            self.end = 0
            if kind in _FAILURES:
                return module_of(event) or None
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
