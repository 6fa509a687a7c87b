"""A worker process as its parent sees it: started with an environment, given one case at a time."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import neurontriage
from neurontriage.repro.backends import FOREIGN

WORKER = (sys.executable, "-m", "neurontriage.repro.worker")
SMALL = {"OMP_NUM_THREADS": "1"}
"""The tensors of cases are small: a pool of threads in each of hundreds of processes costs more than it brings."""
START = 300.0
"""Seconds to import torch on a busy host."""


class Worker:
    """A process that serves requests; `environment` is set before it imports torch. Close it, or use it in `with`."""

    def __init__(self, environment: Mapping[str, str], log: Path, command: tuple[str, ...] = WORKER) -> None:
        self.environment, self._log = dict(environment), log
        log.parent.mkdir(parents=True, exist_ok=True)
        own = {**SMALL, **{name: value for name, value in os.environ.items() if name not in FOREIGN}}
        with log.open("ab") as printed:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=printed,
                env={**own, **environment, "PYTHONPATH": _path()},
                start_new_session=True,
            )

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether it can take another case."""
        return self._process.poll() is None

    def examine(self, request: Mapping[str, Any], patience: float) -> str:
        """Hands over one case and waits; returns how the worker died, empty when it answered. Seconds of `patience`."""
        try:
            assert self._process.stdin
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return self._death()
        if not self._answered(time.monotonic() + patience + START):
            return self._death()
        return ""

    def close(self) -> None:
        """Ends the process, and what it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError, AttributeError):
                pipe.close()  # type: ignore[union-attr]

    def _answered(self, deadline: float) -> bool:
        assert self._process.stdout
        while (left := deadline - time.monotonic()) > 0:
            ready, _, _ = select.select([self._process.stdout], [], [], min(left, 1.0))
            if ready:
                return bool(self._process.stdout.readline())
        return False

    def _death(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        status = self._process.poll()
        self.close()
        how = "did not answer in time" if status is None else f"ended with status {status}"
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return f"{how}: {lines[-1][:300] if lines else 'it printed nothing'} (see {self._log})"


def _path() -> str:
    """Where the worker finds this very package, also when it runs from a checkout."""
    package = str(Path(neurontriage.__file__).parent.parent)
    return os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
