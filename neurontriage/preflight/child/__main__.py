"""`python -m neurontriage.preflight.child FOLDER FRONTEND MODE TARGET ARGS…`: the child process of a preflight."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

from neurontriage.preflight.child.events import Recorder


def main() -> None:
    """Runs the target under the watch of a frontend; how it ended is written down, and the exit status says it too."""
    folder, frontend, mode, target, *arguments = sys.argv[1:]
    recorder = Recorder(Path(folder))
    warnings.filterwarnings("ignore", message=".*reduce_op.*")
    error: BaseException | None = None
    try:
        _run(recorder, frontend, mode, target, arguments)
    except BaseException as caught:  # noqa: BLE001 - whatever a script raises is its answer
        error = caught
    recorder.ended(error)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0 if error is None else 1)


def _run(recorder: Recorder, frontend: str, mode: str, target: str, arguments: list[str]) -> None:
    if frontend == "xla":
        from neurontriage.preflight.child import xla

        xla.run(recorder, target, arguments, dry=mode == "dry")
        return
    from neurontriage.preflight.child import dynamo

    if target.endswith(".pt2"):
        dynamo.run_export(recorder, target)
    elif ":" in target and not target.endswith(".py"):
        dynamo.run_target(recorder, target, arguments, meta=mode == "meta")
    else:
        dynamo.run_script(recorder, target, arguments)


if __name__ == "__main__":
    main()
