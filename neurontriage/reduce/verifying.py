"""Is a module legal, and what does it compute? XLA's own verifier, through torch-xla in a child process."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

_LIMIT = 120.0


class Verifier:
    """A child that verifies modules one after another; start-up is paid once. A module that kills it is not legal."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="neurontriage-verify-")
        self._child: subprocess.Popen[str] | None = None

    @staticmethod
    def missing() -> str:
        """Why modules cannot be verified here; empty when they can."""
        absent = [name for name in ("torch", "torch_xla") if importlib.util.find_spec(name) is None]
        return f"{' and '.join(absent)} not installed (pip install 'neurontriage[xla]')" if absent else ""

    def fault(self, module: bytes) -> str:
        """What is wrong with a module, in XLA's words; empty for a legal one."""
        path = Path(self._folder.name) / "module.pb"
        path.write_bytes(module)
        child = self._running()
        assert child.stdin is not None and child.stdout is not None
        try:
            child.stdin.write(f"{path}\n")
            child.stdin.flush()
            answer = child.stdout.readline()
        except OSError:
            answer = ""
        if not answer:
            self.close()
            return "the verifier died on it"
        return answer.strip().removeprefix("ok")

    def _running(self) -> subprocess.Popen[str]:
        if self._child is None or self._child.poll() is not None:
            own = str(Path(__file__).resolve().parents[2])
            path = os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))
            environment = {**os.environ, "PYTHONPATH": path, "PJRT_DEVICE": "CPU", "TF_CPP_MIN_LOG_LEVEL": "3"}
            self._child = subprocess.Popen(
                [sys.executable, "-m", "neurontriage.reduce.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                text=True,
            )
        return self._child

    def close(self) -> None:
        """Ends the child."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            self._child = None
