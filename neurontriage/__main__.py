"""The program: the command `neurontriage`, and `python -m neurontriage`."""

from __future__ import annotations

import gc
import os
import sys

_COLLECT = 100_000  # new objects between two searches for cycles: importing makes many and throws none away
_CLEANING = {"multiprocessing", "concurrent.futures", "ray", "torch"}


def entry() -> None:
    """Run the command line to its end, and leave at once: what the system frees anyway is not freed object by object.

    That is an eighth of the time of a short answer. Where workers, torch or Ray are loaded they clean up as usual.
    """
    gc.set_threshold(_COLLECT)
    code = _run(sys.argv[2:]) if sys.argv[1:2] == ["run"] else None
    try:
        if code is None:
            from neurontriage.cli import main

            main()
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    if "neurontriage.expressions" in sys.modules:
        sys.modules["neurontriage.expressions"].keep()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue
    if not _CLEANING & sys.modules.keys():
        os._exit(code or 0)
    sys.exit(code)


def _run(words: list[str]) -> int | None:
    """`neurontriage run`, whose command starts before the command line is loaded; None where that is needed."""
    from neurontriage.live.plan import asked

    if (plan := asked(words)) is None:
        return None
    from neurontriage.live.running import run

    try:
        return run(plan)
    except Exception as error:  # noqa: BLE001 - the last stop: anything is our own fault, as in the command line
        from neurontriage.cli import crashed

        return crashed(error, ["run", *words])


if __name__ == "__main__":
    entry()
