"""Passes on what a piece of code prints, by Python or by programs it starts, and keeps the end of it."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
from collections import deque
from types import TracebackType
from typing import Any, TextIO

MOST = 32 << 20
"""Bytes that are kept, counted from the end."""
_READ = 65_536


class Overheard:
    """A context manager: everything written to stdout and stderr goes where it went before, and into `text`."""

    def __init__(self) -> None:
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._lock = threading.Lock()
        self._taps: list[_Tap] = []
        self._streams: list[tuple[str, TextIO]] = []

    @property
    def text(self) -> str:
        """What was printed, at most the last MOST bytes of it."""
        with self._lock:
            return b"".join(self._pieces).decode("utf-8", "replace")

    def keep(self, piece: bytes) -> None:
        """Add a piece and forget the oldest ones."""
        with self._lock:
            self._pieces.append(piece)
            self._size += len(piece)
            while self._size > MOST and len(self._pieces) > 1:
                self._size -= len(self._pieces.popleft())

    def __enter__(self) -> Overheard:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            stream.flush()
            self._streams.append((name, stream))
            if not _writes_to(stream, name):  # a kernel's stream does not end in the file descriptor
                setattr(sys, name, _Both(stream, self))
        self._taps = [_Tap(number, self) for number in (1, 2)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name, stream in self._streams:
            getattr(sys, name).flush()
            setattr(sys, name, stream)
        for tap in self._taps:
            tap.close()


def _writes_to(stream: Any, name: str) -> bool:
    try:
        return int(stream.fileno()) == (1 if name == "stdout" else 2) and not hasattr(stream, "pub_thread")
    except (AttributeError, OSError, ValueError):
        return False


class _Both(io.TextIOBase):
    """A text stream that writes to another one and is overheard."""

    def __init__(self, stream: TextIO, ear: Overheard) -> None:
        self._stream, self._ear = stream, ear

    def write(self, text: str) -> int:
        self._ear.keep(text.encode("utf-8", "replace"))
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return False


class _Tap:
    """A file descriptor whose bytes a thread passes on to where they went before."""

    def __init__(self, number: int, ear: Overheard) -> None:
        self._number, self._ear = number, ear
        self._before = os.dup(number)
        reading, writing = os.pipe()
        os.dup2(writing, number)
        os.close(writing)
        self._reading = reading
        self._thread = threading.Thread(target=self._pass_on, daemon=True)
        self._thread.start()

    def _pass_on(self) -> None:
        while piece := os.read(self._reading, _READ):
            self._ear.keep(piece)
            with contextlib.suppress(OSError):
                os.write(self._before, piece)

    def close(self) -> None:
        """Put the descriptor back; a program that still writes into the pipe is waited for one second."""
        os.dup2(self._before, self._number)
        self._thread.join(1.0)
        if not self._thread.is_alive():
            os.close(self._reading)
            os.close(self._before)
