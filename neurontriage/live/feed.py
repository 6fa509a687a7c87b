"""Frames from the process that runs the command to the one that watches: never waits, bounded, losses counted."""

from __future__ import annotations

import _thread
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from neurontriage.live.backlog import Backlog

OUTPUT, LOST, CLOSED, EXIT = b"o", b"l", b"c", b"x"
"""LOST says of output that is not sent how many bytes and line feeds it has, and whether a line goes on behind it."""
_HEAD, _SIZE = 6, 4
_READ = 64 << 10
Frame = tuple[bytes, int, bytes]


class Feed:
    """Sends frames in order into the pipe `line`; where that is full, a backlog goes on from then."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._one_at_a_time = _thread.allocate_lock()
        self._backlog: Backlog | None = None
        self._broken = False
        os.set_blocking(line, False)

    def send(self, kind: bytes, channel: int = 0, data: bytes = b"") -> None:
        """Send a frame, from any thread."""
        with self._one_at_a_time:
            if self._backlog is not None:
                self._backlog.put((kind, channel, data))
            elif not self._broken and (rest := self._unsent(packed((kind, channel, data)))):
                from neurontriage.live.backlog import Backlog

                os.set_blocking(self._line, True)
                self._backlog = Backlog(self._line, rest)

    def finish(self, patience: float) -> None:
        """Nothing more will come: end when all is sent; wait for that no longer than `patience` seconds."""
        if self._backlog is not None:
            self._backlog.finish(patience)
        else:
            os.close(self._line)

    def _unsent(self, data: bytes) -> bytes:
        try:
            return data[os.write(self._line, data) :]
        except BlockingIOError:
            return data
        except OSError:  # the watcher is gone; the command goes on without it
            self._broken = True
            return b""


def packed(frame: Frame) -> bytes:
    """A frame as it is sent: its kind, its channel, the size of its data, its data."""
    kind, channel, data = frame
    return kind + bytes((channel,)) + len(data).to_bytes(_SIZE, "little") + data


def frames(line: int, text: bytes) -> Iterator[Frame]:
    """The frames that arrive in a pipe behind what was read of it already, until the sender has gone."""
    while True:
        place, size = 0, _size(text, 0)
        while len(text) - place >= _HEAD + size:
            start = place + _HEAD
            yield text[place : place + 1], text[place + 1], text[start : start + size]
            place = start + size
            size = _size(text, place)
        if not (more := os.read(line, max(_READ, _HEAD + size))):
            os.close(line)
            return
        text = text[place:] + more


def _size(text: bytes, place: int) -> int:
    """How much data belongs to the frame at this place; 0 where its head has not arrived as a whole."""
    return int.from_bytes(text[place + _HEAD - _SIZE : place + _HEAD], "little") if len(text) - place >= _HEAD else 0
