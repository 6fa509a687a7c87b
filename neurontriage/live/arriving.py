"""Output as it arrives → blocks of one log: whole lines of each channel, in the order in which they came."""

from __future__ import annotations

import marshal
import queue
import time
from collections.abc import Callable, Iterator

from neurontriage.live.feed import EXIT, LOST, OUTPUT, Frame

BATCH = 0.2
_IDLE = 1.0
_MOST = 1 << 20
_LONGEST = 64 << 10
_LAST, _LAST_LINES = 2 << 10, 3
"""Bytes of the end of each channel that are kept, and how many lines of them are its last words."""


class Arriving:
    """Blocks from frames. `idle` is called at least every second with what arrived since; True ends the log.

    Of what was lost the line numbers are kept; of a line that lost its beginning or its end, no more.
    After its end `status` is what the frame EXIT said, `lost` counts the bytes that came too fast to be read, `binary`
    those that `readable` found to be no text.
    """

    def __init__(self, inbox: queue.Queue[Frame | None], idle: Callable[[bytes], bool]) -> None:
        self._inbox, self._idle = inbox, idle
        self._rest: dict[int, bytes] = {}
        self._last: dict[int, bytes] = {}
        self._torn: set[int] = set()
        self._over = False
        self.status: bytes | None = None
        self.lost = self.binary = 0

    def blocks(self) -> Iterator[bytes]:
        """Whole lines as they come."""
        while not self._over:
            text = self._gathered()
            if self._idle(text):
                self._over = True
            if text:
                yield text
        if rest := b"".join(self._rest.values()):
            yield rest

    def readable(self, text: bytes) -> bytes:
        """A block without colours; of what is no text only the line numbers are kept."""
        from neurontriage.read.encoding import PROBE, is_binary, plain  # not for a command that ends well

        if not is_binary(text[:PROBE]):
            return plain(text)
        self.binary += len(text)
        return b"\n" * text.count(b"\n")

    def last_words(self) -> list[str]:
        """The last lines of standard error, or of standard output where nothing was written to that."""
        from neurontriage.read.encoding import is_binary, plain

        for channel in sorted(self._last, reverse=True):
            data = self._last[channel]
            text = "" if is_binary(data) else plain(data).decode("utf-8", "replace")
            if lines := [line.strip() for line in text.replace("\r", "\n").split("\n") if line.strip()]:
                return lines[-_LAST_LINES:]
        return []

    def _gathered(self) -> bytes:
        """All that arrives within `BATCH` seconds of its beginning; nothing where nothing arrives for a second."""
        parts: list[bytes] = []
        size, end = 0, time.monotonic() + _IDLE
        while not self._over and size < _MOST and (left := end - time.monotonic()) > 0:
            try:
                frame = self._inbox.get(timeout=left)
            except queue.Empty:
                break
            end = end if parts else time.monotonic() + BATCH
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
            return self._hole(channel, *marshal.loads(data))
        if kind == EXIT:
            self.status, self._over = data, True
        return b""

    def _hole(self, channel: int, size: int, lines: int, torn: bool) -> bytes:
        self.lost += size
        self._rest[channel] = b""
        (self._torn.add if torn else self._torn.discard)(channel)
        return b"\n" * lines

    def _lines(self, channel: int, data: bytes) -> bytes:
        self._last[channel] = (self._last.get(channel, b"") + data[-_LAST:])[-_LAST:]
        if channel in self._torn:
            end = data.find(b"\n")
            data = data[end:] if end >= 0 else b""
            self._torn -= {channel} if data else set()
        text = self._rest.get(channel, b"") + data
        cut = text.rfind(b"\n") + 1 or (len(text) if len(text) > _LONGEST else 0)
        self._rest[channel] = text[cut:]
        return text[:cut]
