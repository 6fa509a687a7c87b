"""A worker that speaks the protocol of neurontriage.repro.worker and only takes time: for tests of the sweep.

It holds the core that its environment names, fails when another process has it, as nrt_init does, and leaves finished
attempts behind. STANDIN_SECONDS: per case. STANDIN_DIES: the id of a case at which it is killed.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import time
from pathlib import Path


def main() -> None:
    core = os.environ.get("NEURON_RT_VISIBLE_CORES")
    if core is not None:
        held = open(Path(os.environ["STANDIN_CORES"]) / core, "w")
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    for line in sys.stdin:
        request = json.loads(line)
        if request["case"] == os.environ.get("STANDIN_DIES"):
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(float(os.environ.get("STANDIN_SECONDS", "0")))
        for variant in request["variants"]:
            leave(Path(request["folder"]) / variant, core)
        sys.stdout.write("done\n")
        sys.stdout.flush()


def leave(folder: Path, core: str | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "log.txt").write_text(f"core {core}\n")
    (folder / "attempt.json").write_text(json.dumps({"stage": "done", "equality": {"equivalent": True}}))
    (folder / "ended.json").write_text(json.dumps({"status": 0, "seconds": 0.1, "peak_mb": 1.0, "timed_out": False}))


if __name__ == "__main__":
    main()
