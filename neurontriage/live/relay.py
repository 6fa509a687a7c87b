"""Passes a command's output on, byte for byte, and a copy to the watcher; the copy never makes the command wait.

What has been read and not yet written stands in memory that the watcher shares, so that it can go on where this process
was killed.
"""

from __future__ import annotations

import errno
import fcntl
import mmap
import os
import select
import struct
import sys
import termios
import threading
from collections.abc import Callable
from contextlib import suppress

from neurontriage.live.channels import Channel

PIECE = 64 << 10
_PATIENCE_MS = 100
_MARK = 16
# read, written, position of the target before, length of the mark, the mark
_STATE = struct.Struct(f"=QQqQ{_MARK}s")
Copy = Callable[[bytes], None]


class Piece:
    """The bytes in passing: how many were read, how many of them are written. Shared with a forked process.

    A kill can fall between a system call and the note of it. So the buffer is marked before it is read into (what is
    still marked was not read), and a file says by its own position how much of it was written.
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _STATE.size + PIECE)
        self._text = memoryview(self._memory)[_STATE.size :]

    def read(self, source: int, target: int) -> memoryview:
        """The next bytes of the source, none at its end."""
        ready = min(_ready(source), PIECE)
        mark = os.urandom(min(ready, _MARK))
        self._text[: len(mark)] = mark
        _STATE.pack_into(self._memory, 0, ready, 0, _position(target), len(mark), mark)
        size = os.readv(source, [self._text[: ready or PIECE]])
        _STATE.pack_into(self._memory, 0, size, 0, _position(target), 0, b"")
        return self._text[:size]

    def written(self, upto: int) -> None:
        """Note that so many bytes have reached their target."""
        size, _, start, _, _ = _STATE.unpack_from(self._memory)
        _STATE.pack_into(self._memory, 0, size, upto, start, 0, b"")

    def rest(self, target: int) -> bytes:
        """What was read and not written."""
        size, done, start, marked, mark = _STATE.unpack_from(self._memory)
        if marked and bytes(self._text[:marked]) == mark[:marked]:
            return b""
        now = _position(target)
        if start >= 0 and now >= start:
            done = max(done, now - start)
        return bytes(self._text[done:size])


def _ready(source: int) -> int:
    """How many bytes wait in a pipe or terminal; 0 at its end."""
    try:
        return int.from_bytes(fcntl.ioctl(source, termios.FIONREAD, bytes(4)), sys.byteorder)
    except OSError:
        return 0


def _position(target: int) -> int:
    """Where the next byte goes in a file, -1 for what has no position of its own (pipes, terminals, appending)."""
    try:
        if fcntl.fcntl(target, fcntl.F_GETFL) & os.O_APPEND:
            return -1
        return os.lseek(target, 0, os.SEEK_CUR)
    except OSError:
        return -1


class Relay(threading.Thread):
    """One channel from its source to its target, until the source ends, or after `leave` when nothing more comes."""

    def __init__(self, channel: Channel, piece: Piece, copy: Copy, closed: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.channel, self.piece = channel, piece
        self.unwritten = 0
        self.fault = ""
        self.ended = False
        self._left, self._door = os.pipe()
        self._copy, self._closed = copy, closed

    def leave(self) -> None:
        """End when nothing more comes for a moment; from any thread, once."""
        os.close(self._door)

    def run(self) -> None:
        """Pass everything on."""
        self._write(memoryview(self.piece.rest(self.channel.target)))
        poll = select.poll()
        poll.register(self.channel.source, select.POLLIN)
        poll.register(self._left, 0)  # tells that the other end is closed
        patience = None
        while not self.ended:
            ready = dict(poll.poll(patience))
            if self.channel.source in ready:
                self._pass_on()
            elif patience is not None:
                return
            if self._left in ready:
                poll.unregister(self._left)
                patience = _PATIENCE_MS

    def _pass_on(self) -> None:
        try:
            text = self.piece.read(self.channel.source, self.channel.target)
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
