"""What a busy watcher has still to get: frames wait in memory, the oldest output is left out and counted."""

from __future__ import annotations

import marshal
import os
import threading
from collections import deque
from contextlib import suppress

from neurontriage.live.feed import LOST, OUTPUT, Frame, packed

MOST_WAITING = 32 << 20


class Backlog:
    """Sends what is in its queue into the pipe `line`, from a thread of its own. `first`: what goes before all else."""

    def __init__(self, line: int, first: bytes) -> None:
        self._line, self._first = line, first
        self._waiting: deque[Frame] = deque()
        self._size = 0
        self._lost: dict[int, tuple[int, int, bool]] = {}
        self._news = threading.Condition()
        self._over = self._broken = False
        self._thread = threading.Thread(target=self._send, daemon=True)
        self._thread.start()

    def put(self, frame: Frame) -> None:
        """Put a frame in the queue."""
        with self._news:
            if self._broken:
                return
            self._waiting.append(frame)
            self._size += len(frame[2])
            while self._size > MOST_WAITING:
                self._forget()
            self._news.notify()

    def finish(self, patience: float) -> None:
        """Nothing more will come: end when all is sent; wait for that no longer than `patience` seconds."""
        with self._news:
            self._over = True
            self._news.notify()
        self._thread.join(patience)

    def _send(self) -> None:
        try:
            _write(self._line, self._first)
            while (frame := self._next()) is not None:
                _write(self._line, packed(frame))
        except OSError:  # the watcher is gone; the command goes on without it
            with self._news:
                self._broken = True
                self._waiting.clear()
        with suppress(OSError):
            os.close(self._line)

    def _next(self) -> Frame | None:
        with self._news:
            while not self._waiting and not self._over:
                self._news.wait()
            if self._lost:
                channel, lost = self._lost.popitem()
                return LOST, channel, marshal.dumps(lost)
            if not self._waiting:
                return None
            frame = self._waiting.popleft()
            self._size -= len(frame[2])
            return frame

    def _forget(self) -> None:
        for place, (kind, channel, data) in enumerate(self._waiting):
            if kind == OUTPUT:
                del self._waiting[place]
                self._size -= len(data)
                size, lines, _ = self._lost.get(channel, (0, 0, False))
                self._lost[channel] = size + len(data), lines + data.count(b"\n"), not data.endswith(b"\n")
                return


def _write(line: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(line, rest) :]
