"""Guards a user's own function: after a known compile failure its substitute runs, and it is said and counted.

    @fallback(listed={"NCC-EVRF029": sort_on_cpu})
    def step(x): ...

    with fallback() as guard:
        y = guard.run(step, x)

Two promises. What a program computes never changes: the failed call is rolled back (`state`), the same function on
CPU sees copies whose writes, gradients and aliases reach the originals (`twin`), and where that cannot be had the
guard refuses and says why. And no failure is hidden: one that no entry explains, or whose substitute fails, is raised
as it came. Only the exception and the compiler's own log are evidence (`evidence`), never what a program prints.
"""

from __future__ import annotations

import functools
import logging
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from neurontriage.model import Diagnosis
from neurontriage.repro.case import Function
from neurontriage.repro.guard.evidence import failed_entry
from neurontriage.repro.guard.memory import Memory, signature
from neurontriage.repro.guard.state import Snapshot, tensors_on_device
from neurontriage.repro.guard.twin import Refusal, Twin, random_differs

log = logging.getLogger("neurontriage.fallback")


@dataclass(frozen=True)
class Known:
    """A failure that was met: its entry, and whether the same function on CPU may draw random numbers."""

    entry: str
    may_draw: bool


@dataclass
class Guard:
    """Runs functions and replaces them when a known entry explains their compile failure. Made by `fallback`.

    `counts` says how often which entry was met. The first call with new shapes, types or plain values is compiled by
    itself (the graph is cut before and after it), so that its failure is met here; later ones run as they are.
    """

    listed: Mapping[str, Function]
    to: Function | None
    explain: Callable[[str], Diagnosis]
    allow_random: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    _memory: Memory = field(default_factory=Memory)

    def run(self, function: Function, *args: Any, **kwargs: Any) -> Any:
        """What `function` returns, or its substitute after a known failure. Raises what `function` raised."""
        calls = self._memory.of(function)
        key = signature(function, args, kwargs)
        seen = calls.get(key)
        if seen is None:
            return self._first(function, args, kwargs, (calls, key))
        if isinstance(seen, Known):
            return self._replaced(seen, function, args, kwargs)
        try:
            return function(*args, **kwargs)
        except BaseException:
            calls.pop(key, None)  # the next call is tried with a snapshot again
            raise

    def _first(self, function: Function, args: Any, kwargs: Any, slot: tuple[dict[Any, Any], Any]) -> Any:
        synchronise(function, args, kwargs)  # what fails here is not this function's
        snapshot, since = Snapshot((function, args, kwargs)), time.time()
        try:
            result = function(*args, **kwargs)
            synchronise(result)
        except Exception as error:  # noqa: BLE001 (raised again below unless an entry explains it)
            failure, result = error, None
        else:
            slot[0][slot[1]] = True
            return result
        entry = failed_entry(failure, since, self.explain, tuple(self.listed))
        if entry is None:
            raise failure
        drew = snapshot.drew()
        traceback.clear_frames(failure.__traceback__)  # they hold the tensors whose graph does not compile
        refusal = snapshot.rollback()
        if refusal:
            _raise(failure, entry, f"the failed call cannot be undone: {refusal}")
        known = Known(entry, self.allow_random or drew)
        result = self._substituted(known, function, args, kwargs, failure)
        slot[0][slot[1]] = known
        return result

    def _replaced(self, known: Known, function: Function, args: Any, kwargs: Any) -> Any:
        """A later call of what is known to fail: nothing is compiled again."""
        return self._substituted(known, function, args, kwargs, None)

    def _substituted(self, known: Known, function: Function, args: Any, kwargs: Any, failure: Exception | None) -> Any:
        chosen = self.listed.get(known.entry, self.to)
        try:
            result = chosen(*args, **kwargs) if chosen else on_cpu(function, args, kwargs, known.may_draw)
        except Exception as error:
            if failure is None:
                raise
            _raise(failure, known.entry, f"its substitute failed: {type(error).__name__}: {error}", error)
        if failure is not None:
            name = _name(chosen) if chosen else "the same function on CPU"
            log.warning("%s does not compile: %s; %s runs instead", _name(function), known.entry, name)
        self.counts[known.entry] += 1
        return result

    def __call__(self, function: Function) -> Function:
        """The guarded function."""

        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            return self.run(function, *args, **kwargs)

        return guarded

    def __enter__(self) -> Guard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for entry, count in sorted(self.counts.items()):
            log.warning("a substitute ran %d times because of %s", count, entry)


def fallback(
    to: Function | None = None,
    *,
    listed: Mapping[str, Function] | None = None,
    explain: Callable[[str], Diagnosis] | None = None,
    allow_random: bool = False,
) -> Guard:
    """A decorator and context manager for functions that run on an XLA or Neuron device.

    `listed` names a substitute per entry id, `to` one for all others; without either the same function runs on CPU.
    Substitutes take the same arguments. A function that draws random numbers is not moved to the CPU, where it would
    draw others, unless `allow_random`. `explain` is the log explainer.
    """
    return Guard(listed or {}, to, explain or _explain, allow_random)


def on_cpu(function: Function, args: Any, kwargs: Any, may_draw: bool) -> Any:
    """Runs the same function on CPU copies; raises Refusal where that could compute something else."""
    twin = Twin(function, args, kwargs)
    with random_differs(may_draw):
        result = twin.run()
    return twin.commit(result)


def synchronise(*values: Any) -> None:
    """Compiles and runs what is pending, where a value lives on a device that compiles lazily."""
    if any(tensor.device.type == "xla" for tensor in tensors_on_device(values)):
        from neurontriage.repro import lowering

        lowering.synchronise()


def _raise(failure: Exception, entry: str, reason: str, error: Exception | None = None) -> None:
    log.error("%s is known, but nothing runs instead: %s", entry, reason)
    raise failure from (error or Refusal(reason))


def _explain(text: str) -> Diagnosis:
    from neurontriage.triage import explain_text

    return explain_text(text, path="compile output")


def _name(function: Function) -> str:
    return str(getattr(function, "__qualname__", type(function).__name__))
