"""What torch.compile makes of `module:callable`, shrunk by torch's FX minifier in a child process, as an HLO module."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from neurontriage.errors import TriageError
from neurontriage.reduce.fx import CODE, PROTO, REQUEST, RESULT


def minified(target: str, folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """What was done: `before` and `after` in operators, or `reason`. Raises TriageError where the target cannot run."""
    (folder / REQUEST).write_text(json.dumps({"target": target, **request}), encoding="utf-8")
    for name in (RESULT, PROTO, CODE):
        (folder / name).unlink(missing_ok=True)
    own = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (own, os.environ.get("PYTHONPATH"))))
    log = folder / "fx.log"
    with log.open("wb") as output:
        subprocess.run(
            [sys.executable, "-m", "neurontriage.reduce.fx", str(folder)],
            env={**os.environ, "PYTHONPATH": path, "PJRT_DEVICE": "CPU", "XLA_IR_DEBUG": "1"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    result = folder / RESULT
    if not result.is_file():
        said = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
        raise TriageError(
            "target-failed", f"{target}: {said[-1] if said else 'the child process died'}", "module:callable"
        )
    return dict(json.loads(result.read_text(encoding="utf-8")))
