"""Ctrl-C ends the reading, not the answer: what was read until then is explained; a second one ends the program."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import FrameType
from typing import Any


class Interrupt:
    """While it is open, the first SIGINT ends every log soon, and standard input at once."""

    def __init__(self) -> None:
        self.asked = False
        self._passed = False
        self._before: Any = None

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._on)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def watch(self, _path: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Pass the blocks of a log through, until the user has had enough; what was read first is never dropped."""
        for block in () if self.asked and self._passed else blocks:
            self._passed = True
            yield block
            del block  # it is no longer held while the next one is read
            if self.asked:
                return

    def _on(self, _signal: int, _frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        with suppress(OSError, AttributeError, ValueError):  # a read that waits is tried again, and meets an end here
            os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
