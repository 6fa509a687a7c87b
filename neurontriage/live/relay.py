"""Passes a command's output on, byte for byte, and a copy to the watcher; the copy never makes the command wait.

What has been read and not yet written stands in memory that the watcher shares, so that it can go on where this process
was killed.
"""

from __future__ import annotations

import errno
import mmap
import os
import select
import struct
import threading
from collections.abc import Callable
from contextlib import suppress

from neurontriage.live.channels import Channel

PIECE = 64 << 10
_PATIENCE_MS = 100
_STATE = struct.Struct("=QQ")
Copy = Callable[[bytes], None]


class Piece:
    """The bytes in passing: how many were read, how many of them are written. Shared with a forked process."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _STATE.size + PIECE)
        self._text = memoryview(self._memory)[_STATE.size :]

    def read(self, source: int) -> memoryview:
        """The next bytes of the source, none at its end."""
        size = os.readv(source, [self._text])
        _STATE.pack_into(self._memory, 0, size, 0)
        return self._text[:size]

    def written(self, upto: int) -> None:
        """Note that so many bytes have reached their target."""
        size, _ = _STATE.unpack_from(self._memory)
        _STATE.pack_into(self._memory, 0, size, upto)

    def rest(self) -> bytes:
        """What was read and not written."""
        size, done = _STATE.unpack_from(self._memory)
        return bytes(self._text[done:size])


class Relay(threading.Thread):
    """One channel from its source to its target, until the source ends or `leave` is set and nothing more comes."""

    def __init__(self, channel: Channel, piece: Piece, copy: Copy, closed: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.channel, self.piece = channel, piece
        self.unwritten = 0
        self.fault = ""
        self.ended = False
        self.leave = threading.Event()
        self._copy, self._closed = copy, closed

    def run(self) -> None:
        """Pass everything on."""
        self._write(memoryview(self.piece.rest()))
        poll = select.poll()
        poll.register(self.channel.source, select.POLLIN)
        while not self.ended:
            if not poll.poll(_PATIENCE_MS):
                if self.leave.is_set():
                    return
                continue
            self._pass_on()

    def _pass_on(self) -> None:
        try:
            text = self.piece.read(self.channel.source)
        except OSError:  # a terminal whose other end is closed
            text = memoryview(b"")
        if not text:
            self.ended = True
            return
        self._write(text)
        self._copy(bytes(text))

    def _write(self, text: memoryview) -> None:
        done = 0
        while done < len(text):
            try:
                done += os.write(self.channel.target, text[done:])
            except BlockingIOError:
                select.select([], [self.channel.target], [], _PATIENCE_MS / 1000)
            except OSError as error:
                self._lost(error, len(text) - done)
                done = len(text)
            self.piece.written(done)

    def _lost(self, error: OSError, size: int) -> None:
        """A reader that has gone is told to the command as it would be without us; anything else costs only output."""
        self.unwritten += size
        self.fault = error.strerror or str(error)
        if error.errno == errno.EPIPE:
            self.ended = True
            with suppress(OSError):
                os.close(self.channel.source)
            self._closed()
