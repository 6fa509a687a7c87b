"""Frames from the process that runs the command to the one that watches: never waits, bounded, losses counted."""

from __future__ import annotations

import os
import struct
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress

MOST_WAITING = 32 << 20
OUTPUT, LOST, CLOSED, EXIT = b"o", b"l", b"c", b"x"
_HEAD = struct.Struct("=cBI")
Frame = tuple[bytes, int, bytes]


class Feed(threading.Thread):
    """Sends frames in order into the pipe `line`.

    When the watcher is too slow, the oldest output is left out and counted.
    """

    def __init__(self, line: int) -> None:
        super().__init__(daemon=True)
        self._line = line
        self._waiting: deque[Frame] = deque()
        self._size = self._lost = 0
        self._news = threading.Condition()
        self._over = self._broken = False

    def send(self, kind: bytes, channel: int = 0, data: bytes = b"") -> None:
        """Put a frame in the queue."""
        with self._news:
            if self._broken:
                return
            self._waiting.append((kind, channel, data))
            self._size += len(data)
            while self._size > MOST_WAITING:
                self._forget()
            self._news.notify()

    def finish(self) -> None:
        """Nothing more will come: end when all is sent."""
        with self._news:
            self._over = True
            self._news.notify()

    def run(self) -> None:
        """Send what is put in the queue, until `finish`."""
        try:
            while (frame := self._next()) is not None:
                kind, channel, data = frame
                _write(self._line, _HEAD.pack(kind, channel, len(data)) + data)
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
                lost, self._lost = self._lost, 0
                return LOST, 0, str(lost).encode()
            if not self._waiting:
                return None
            frame = self._waiting.popleft()
            self._size -= len(frame[2])
            return frame

    def _forget(self) -> None:
        for place, (kind, _, data) in enumerate(self._waiting):
            if kind == OUTPUT:
                del self._waiting[place]
                self._size -= len(data)
                self._lost += len(data)
                return


def _write(line: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(line, rest) :]


def frames(line: int) -> Iterator[Frame]:
    """The frames that arrive in a pipe, until the sender has gone."""
    with open(line, "rb") as stream:
        while len(head := stream.read(_HEAD.size)) == _HEAD.size:
            kind, channel, size = _HEAD.unpack(head)
            data = stream.read(size)
            if len(data) < size:
                return
            yield kind, channel, data
