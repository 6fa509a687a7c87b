"""At most so many at one time, over all processes that share a folder: compilations must not exhaust the host."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PAUSE = 0.05


@contextmanager
def slot(folder: Path | None, numbers: int | Sequence[int]) -> Iterator[int]:
    """One of so many, or of these, numbered slots of a folder, as soon as one is free.

    A holder that dies gives it back. Without a folder there is no bound, and the number is 0.
    """
    if folder is None:
        yield 0
        return
    folder.mkdir(parents=True, exist_ok=True)
    number, handle = _taken(folder, range(numbers) if isinstance(numbers, int) else numbers)
    try:
        yield number
    finally:
        os.close(handle)


def _taken(folder: Path, numbers: Sequence[int]) -> tuple[int, int]:
    while True:
        for number in numbers:
            handle = os.open(folder / f"slot-{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                continue
            return number, handle
        time.sleep(PAUSE)
