"""Does this module still fail the same way? Runs a compiler, or a command of the user's, on a candidate."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from neurontriage.model import Diagnosis
from neurontriage.reduce.identity import Identity, identities

Verdict = Literal["same", "other", "passes", "unresolved", "stopped"]
Stop = threading.Event
"""Set when an answer is not needed any more."""
Explain = Callable[[str], Diagnosis]
_LONGEST = 4_000_000
"""Bytes of output that are read: the end of it, where the failure stands."""
_LOOK = 0.2
"""Seconds between two looks at whether the answer is still needed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a candidate did; `said` is the identity of its failure, or how it ended."""

    verdict: Verdict
    said: str = ""
    seconds: float = 0.0


class Predicate(Protocol):
    """Asked with the bytes of a module."""

    def __call__(self, module: bytes, stop: Stop) -> Answer:
        """The verdict on one candidate, `stopped` when `stop` is set meanwhile; called from several threads."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did: exit status (None: ended by us), output, seconds, whether its answer was not needed."""

    status: int | None
    text: str
    seconds: float
    stopped: bool = False

    @property
    def unfinished(self) -> Answer | None:
        """The answer of a command that did not come to its end."""
        if self.status is not None:
            return None
        return Answer("stopped") if self.stopped else Answer("unresolved", "time limit", self.seconds)


@dataclass(frozen=True)
class Command:
    """A command with `{}` for the module's file; without one the path is added at the end."""

    words: tuple[str, ...]
    limit: float = 600.0
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(self, module: bytes, stop: Stop) -> Ran:
        """Runs until it ends, or until its time limit."""
        with tempfile.TemporaryDirectory(prefix="neurontriage-reduce-") as folder:
            path = Path(folder) / "candidate.hlo_module.pb"
            path.write_bytes(module)
            words = [word.replace("{}", str(path)) for word in self.words]
            words += [] if any("{}" in word for word in self.words) else [str(path)]
            return self._run(words, folder, stop)

    def _run(self, words: list[str], folder: str, stop: Stop) -> Ran:
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
            try:
                status = _waited(process, started + self.limit, stop)
            finally:
                _end(process)
        with log.open("rb") as output:
            output.seek(max(0, log.stat().st_size - _LONGEST))
            text = output.read().decode("utf-8", "replace")
        return Ran(status, text, time.monotonic() - started, stop.is_set())


def _waited(process: subprocess.Popen[bytes], until: float, stop: Stop) -> int | None:
    while (left := until - time.monotonic()) > 0 and not stop.is_set():
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(min(left, _LOOK))
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@dataclass(frozen=True)
class Check:
    """A command of the user's: exit status 0 says that the candidate still fails the same way, as for C-Reduce."""

    command: Command

    def __call__(self, module: bytes, stop: Stop) -> Answer:
        ran = self.command.run(module, stop)
        verdict: Verdict = "same" if ran.status == 0 else "passes"
        return ran.unfinished or Answer(verdict, f"exit status {ran.status}", ran.seconds)


@dataclass(frozen=True)
class Compiles:
    """A compiler whose output is explained; the failure is the same when its identity is."""

    command: Command
    explain: Explain
    wanted: Identity | None = None
    entry: str = ""

    def __call__(self, module: bytes, stop: Stop) -> Answer:
        ran = self.command.run(module, stop)
        if ran.unfinished:
            return ran.unfinished
        found = identities(self.explain(ran.text))
        if ran.status == 0 or not found:
            return Answer("passes", f"exit status {ran.status}", ran.seconds)
        same = next((one for one in found if self._same(one)), None)
        return Answer("same" if same else "other", str(same or found[0]), ran.seconds)

    def _same(self, one: Identity) -> bool:
        return one == self.wanted if self.wanted else one.entry == self.entry

    def first(self, module: bytes) -> tuple[Identity | None, Answer]:
        """How the original fails: the identity of the wanted entry, None when it does not fail like that."""
        ran = self.command.run(module, Stop())
        if ran.unfinished:
            limit = f"stopped at the time limit of {self.command.limit:.0f} s"
            return None, Answer("unresolved", limit, ran.seconds)
        found = identities(self.explain(ran.text)) if ran.status != 0 else ()
        chosen = next((one for one in found if one.entry == self.entry), None)
        if chosen is not None:
            return chosen, Answer("same", str(chosen), ran.seconds)
        what = str(found[0]) if found else f"exit status {ran.status}"
        return None, Answer("other" if found else "passes", what, ran.seconds)


def words(text: str) -> tuple[str, ...]:
    """A command line as a shell reads it; raises ValueError for an open quote."""
    return tuple(shlex.split(text))
