"""What takes much memory to make is made by a process of its own, which ends, and is read from the cache then."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from neurontriage import resources, stored

CATALOGUE, DATABASE = "catalogue", "database"


def made(what: str, of: Sequence[Any], path: Path) -> bool:
    """Whether another process made it of plain data and kept it there; False where none can be started."""
    import subprocess

    if not sys.executable or getattr(sys, "frozen", False) or not stored.writable(path):
        return False
    command = [sys.executable, "-m", __name__, what, str(path.absolute())]
    try:
        # In the program's own folder: Python imports from where it is started, which may be a folder of logs.
        done = subprocess.run(
            command,
            input=stored.packed(of),
            cwd=resources.PACKAGE.parent,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, ValueError):
        return False
    return done.returncode == 0


def _make(what: str, of: Sequence[Any]) -> bytes:
    if what == DATABASE:
        from neurontriage.lines.scan import Hyperscan, Pattern

        return Hyperscan(list(map(Pattern._make, of))).dump()
    from neurontriage.knowledge.assemble import assembled  # Lark, pydantic and YAML, to compile with

    return stored.packed(assembled(list(map(Path, of))))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever waits: what is made serves the next one, too
    stored.write(Path(sys.argv[2]), _make(sys.argv[1], stored.unpacked(sys.stdin.buffer.read())))
