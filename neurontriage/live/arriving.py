"""Output as it arrives → one log: whole lines of each channel, in the order in which they came."""

from __future__ import annotations

import io
import queue
import time
from collections.abc import Callable
from typing import Any

from neurontriage.live.feed import EXIT, LOST, OUTPUT, Frame

BATCH = 0.2
_MOST = 1 << 20
_LONGEST = 64 << 10


class Arriving(io.RawIOBase):
    """A stream that waits for frames. `idle` is called every `BATCH` seconds with what arrived since; True ends it.

    After its end `status` is what the frame EXIT said, and `lost` the bytes that came too fast to be read.
    """

    def __init__(self, inbox: queue.Queue[Frame | None], idle: Callable[[bytes], bool]) -> None:
        self._inbox, self._idle = inbox, idle
        self._rest: dict[int, bytes] = {}
        self.status: bytes | None = None
        self.lost = 0
        self._over = False

    def readable(self) -> bool:
        return True

    def read(self, _size: int = -1) -> Any:
        """The next whole lines; b"" at the end."""
        while not self._over:
            text = self._gathered()
            if self._idle(text):
                self._over = True
            if text:
                return text
        rest, self._rest = b"".join(self._rest.values()), {}
        return rest

    def _gathered(self) -> bytes:
        """All that arrives within one batch."""
        parts, size, end = [], 0, time.monotonic() + BATCH
        while not self._over and size < _MOST and (left := end - time.monotonic()) > 0:
            try:
                frame = self._inbox.get(timeout=left)
            except queue.Empty:
                break
            parts.append(self._taken(frame))
            size += len(parts[-1])
        return b"".join(parts)

    def _taken(self, frame: Frame | None) -> bytes:
        if frame is None:
            self._over = True
            return b""
        kind, channel, data = frame
        if kind == OUTPUT:
            return self._lines(channel, data)
        if kind == LOST:
            self.lost += int(data)
        if kind == EXIT:
            self.status, self._over = data, True
        return b""

    def _lines(self, channel: int, data: bytes) -> bytes:
        text = self._rest.get(channel, b"") + data
        cut = len(text) if len(text) > _LONGEST else text.rfind(b"\n") + 1
        self._rest[channel] = text[cut:]
        return text[:cut]
