"""Does this module still fail the same way? Runs a compiler, or a command of the user's, on a candidate."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from neurontriage.model import Diagnosis
from neurontriage.reduce.identity import Identity, identities

Verdict = Literal["same", "other", "passes", "unresolved"]
Explain = Callable[[str], Diagnosis]
_LONGEST = 4_000_000
"""Bytes of output that are read: the end of it, where the failure stands."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a candidate did; `said` is the identity of its failure, or how it ended."""

    verdict: Verdict
    said: str = ""
    seconds: float = 0.0


class Predicate(Protocol):
    """Asked with the bytes of a module."""

    def __call__(self, module: bytes) -> Answer:
        """The verdict on one candidate; called from several threads."""


@dataclass(frozen=True)
class Command:
    """A command with `{}` for the module's file; without one the path is added at the end."""

    words: tuple[str, ...]
    limit: float = 600.0
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(self, module: bytes) -> tuple[int | None, str, float]:
        """Exit status (None: stopped at the time limit), output, seconds."""
        with tempfile.TemporaryDirectory(prefix="neurontriage-reduce-") as folder:
            path = Path(folder) / "candidate.hlo_module.pb"
            path.write_bytes(module)
            words = [word.replace("{}", str(path)) for word in self.words]
            words += [] if any("{}" in word for word in self.words) else [str(path)]
            return self._run(words, folder)

    def _run(self, words: list[str], folder: str) -> tuple[int | None, str, float]:
        started = time.monotonic()
        log = Path(folder) / "output.txt"
        with log.open("wb") as output:
            process = subprocess.Popen(
                words,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.environment},
                start_new_session=True,
            )
            status: int | None = None
            try:
                status = process.wait(self.limit)
            except subprocess.TimeoutExpired:
                pass
            finally:
                _end(process)
        with log.open("rb") as output:
            output.seek(max(0, log.stat().st_size - _LONGEST))
            text = output.read().decode("utf-8", "replace")
        return status, text, time.monotonic() - started


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@dataclass(frozen=True)
class Check:
    """A command of the user's: exit status 0 says that the candidate still fails the same way, as for C-Reduce."""

    command: Command

    def __call__(self, module: bytes) -> Answer:
        status, _, seconds = self.command.run(module)
        if status is None:
            return Answer("unresolved", "time limit", seconds)
        return Answer("same" if status == 0 else "passes", f"exit status {status}", seconds)


@dataclass(frozen=True)
class Compiles:
    """A compiler whose output is explained; the failure is the same when its identity is."""

    command: Command
    explain: Explain
    wanted: Identity | None = None
    entry: str = ""

    def __call__(self, module: bytes) -> Answer:
        status, text, seconds = self.command.run(module)
        if status is None:
            return Answer("unresolved", "time limit", seconds)
        found = identities(self.explain(text))
        if status == 0 or not found:
            return Answer("passes", f"exit status {status}", seconds)
        if any(self._same(one) for one in found):
            return Answer("same", str(next(one for one in found if self._same(one))), seconds)
        return Answer("other", str(found[0]), seconds)

    def _same(self, one: Identity) -> bool:
        return one == self.wanted if self.wanted else one.entry == self.entry

    def first(self, module: bytes) -> tuple[Identity | None, Answer]:
        """How the original fails: the identity of the wanted entry, None when it does not fail like that."""
        status, text, seconds = self.command.run(module)
        if status is None:
            return None, Answer("unresolved", f"stopped at the time limit of {self.command.limit:.0f} s", seconds)
        found = identities(self.explain(text))
        chosen = next((one for one in found if one.entry == self.entry), None)
        if chosen is not None and status != 0:
            return chosen, Answer("same", str(chosen), seconds)
        what = str(found[0]) if found and status != 0 else f"exit status {status}"
        return None, Answer("other" if found and status != 0 else "passes", what, seconds)


def words(text: str) -> tuple[str, ...]:
    """A command line as a shell reads it; raises ValueError for an open quote."""
    return tuple(shlex.split(text))
