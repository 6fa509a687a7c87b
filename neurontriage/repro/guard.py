"""Guards a user's own function: on a known compile failure its fallback runs, and it is said and counted.

    @fallback(listed={"NCC-EVRF029": sort_on_cpu})
    def step(x): ...

    with fallback() as guard:
        y = guard.run(step, x)

A failure that no entry explains is raised again, unchanged: it is never hidden.
"""

from __future__ import annotations

import functools
import logging
import os
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from neurontriage.model import Diagnosis
from neurontriage.repro.case import Function
from neurontriage.repro.lazy import torch

LAYERS = ("compiler", "framework", "model-code")
"""Failures of these layers happen while a graph is traced or compiled. Others are no reason to go on."""
log = logging.getLogger("neurontriage.fallback")


@dataclass
class Guard:
    """Runs functions and replaces them when a known entry explains their compile failure.

    `counts` says how often which entry was met. Made by `fallback`.
    """

    listed: Mapping[str, Function]
    to: Function | None
    explain: Callable[[str], Diagnosis]
    counts: Counter[str] = field(default_factory=Counter)

    def run(self, function: Function, *args: Any, **kwargs: Any) -> Any:
        """What `function` returns, computed on the device, or by its fallback after a known failure."""
        with _copied_output() as printed:
            try:
                return _finished(function(*args, **kwargs))
            except Exception as error:  # noqa: BLE001 (raised again below unless an entry explains it)
                failure = error
                text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        entry = self._known(printed() + text)
        if entry is None:
            raise failure
        failure.__traceback__ = None  # its frames hold the tensors whose graph does not compile
        self.counts[entry] += 1
        substitute, name = self._substitute(entry, function)
        log.warning(
            "%s does not compile: %s, seen %d times; running %s",
            _name(function),
            entry,
            self.counts[entry],
            name,
        )
        return substitute(*args, **kwargs)

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
            log.warning("fallback used %d times because of %s", count, entry)

    def _known(self, text: str) -> str | None:
        roots = self.explain(text).roots
        return next((root.id for root in roots[:1] if root.known and root.layer in LAYERS), None)

    def _substitute(self, entry: str, function: Function) -> tuple[Function, str]:
        chosen = self.listed.get(entry, self.to)
        return (chosen, _name(chosen)) if chosen else (functools.partial(_on_cpu, function), "the same function on CPU")


def fallback(
    to: Function | None = None,
    *,
    listed: Mapping[str, Function] | None = None,
    explain: Callable[[str], Diagnosis] | None = None,
) -> Guard:
    """A decorator and context manager for functions that run on an XLA device.

    `listed` names a replacement per entry id, `to` one for all others; without either the same
    function runs on CPU. Replacements take the same arguments. `explain` is the log explainer.
    """
    return Guard(listed or {}, to, explain or _explain)


def _explain(text: str) -> Diagnosis:
    from neurontriage.triage import explain_text

    return explain_text(text, path="compile output")


def _finished(result: Any) -> Any:
    """Compiles and runs now what is pending on an XLA device: a lazy failure would escape the guard."""
    if any(tensor.device.type == "xla" for tensor in _tensors(result)):
        from neurontriage.repro.lowering import synchronise

        synchronise()
    return result


def _on_cpu(function: Function, *args: Any, **kwargs: Any) -> Any:
    """Runs `function` on CPU copies of its arguments and brings the result back to their device."""
    devices = [tensor.device for tensor in _tensors([*args, *kwargs.values()])]
    if "torch" in sys.modules and isinstance(function, torch.nn.Module):
        devices += [parameter.device for parameter in function.parameters()]
        function = _cpu_copy(function)
    result = function(*_moved(list(args), "cpu"), **_moved(kwargs, "cpu"))
    return _moved(result, devices[0]) if devices else result


def _cpu_copy(module: Any) -> Any:
    import copy

    return copy.deepcopy(module).cpu()


def _tensors(value: Any) -> list[Any]:
    if "torch" not in sys.modules:
        return []
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [tensor for item in value for tensor in _tensors(item)] if isinstance(value, (list, tuple)) else []


def _moved(value: Any, device: Any) -> Any:
    if not isinstance(value, (list, tuple, dict)):
        return value.to(device) if _tensors(value) else value
    if isinstance(value, dict):
        return {key: _moved(item, device) for key, item in value.items()}
    moved = [_moved(item, device) for item in value]
    return type(value)(*moved) if hasattr(value, "_fields") else type(value)(moved)


def _name(function: Function) -> str:
    return getattr(function, "__qualname__", type(function).__name__)


@contextmanager
def _copied_output() -> Iterator[Callable[[], str]]:
    """Collects what this process and its compiler print (file descriptors 1 and 2) and prints it afterwards."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        copies = {1: out, 2: err}
        saved = {number: os.dup(number) for number in copies}
        seen: list[str] = []
        _flush()
        for number, copy in copies.items():
            os.dup2(copy.fileno(), number)
        try:
            yield lambda: "\n".join(seen)
        finally:
            _flush()
            for number, copy in copies.items():
                os.dup2(saved[number], number)
                os.close(saved[number])
                copy.seek(0)
                data = copy.read()
                os.write(number, data)
                seen.append(data.decode(errors="replace"))


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
