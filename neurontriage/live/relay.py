"""Passes a command's output on, byte for byte, and a copy to the watcher; the copy never makes the command wait.

What has been read and not yet written stands in memory that the watcher shares, so that it can go on where this process
was killed.
"""

from __future__ import annotations

import _thread
import errno
import fcntl
import mmap
import os
import select
import sys
import termios

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from neurontriage.live.channels import Channel

PIECE = 64 << 10
_PATIENCE_MS = 100
_MARK = 16
_NUMBER, _NUMBERS = 8, 4
_STATE = _NUMBER * _NUMBERS + _MARK
"""Bytes read, bytes written, the position of the target before, the length of the mark; then the mark."""


class Piece:
    """The bytes in passing: how many were read, how many of them are written. Shared with a forked process.

    A kill can fall between a system call and the note of it. So the buffer is marked before it is read into (what is
    still marked was not read), and a file says by its own position how much of it was written.
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _STATE + PIECE)
        self._text = memoryview(self._memory)[_STATE:]

    def read(self, source: int, target: int) -> memoryview:
        """The next bytes of the source, none at its end."""
        ready = min(_ready(source), PIECE)
        mark = os.urandom(min(ready, _MARK))
        self._text[: len(mark)] = mark
        self._note((ready, 0, _position(target), len(mark)), mark)
        size = os.readv(source, [self._text[: ready or PIECE]])
        self._note((size, 0, _position(target), 0))
        return self._text[:size]

    def written(self, upto: int) -> None:
        """Note that so many bytes have reached their target."""
        size, _, start, _ = self._noted()
        self._note((size, upto, start, 0))

    def rest(self, target: int) -> bytes:
        """What was read and not written."""
        size, done, start, marked = self._noted()
        if marked and self._text[:marked] == self._memory[_STATE - _MARK : _STATE - _MARK + marked]:
            return b""
        now = _position(target)
        if start >= 0 and now >= start:
            done = max(done, now - start)
        return bytes(self._text[done:size])

    def _note(self, numbers: tuple[int, int, int, int], mark: bytes = b"") -> None:
        """All at once, so that a kill finds the state before or the one after."""
        state = b"".join([one.to_bytes(_NUMBER, sys.byteorder, signed=True) for one in numbers]) + mark
        self._memory[: len(state)] = state

    def _noted(self) -> tuple[int, int, int, int]:
        size, done, start, marked = memoryview(self._memory)[: _NUMBER * _NUMBERS].cast("q")
        return size, done, start, marked


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


class Relay:
    """One channel from its source to its target, until the source ends, or after `leave` when nothing more comes.

    `copy` gets what was passed on, `closed` is called when the reader of the target has gone; both in its own thread.
    """

    def __init__(
        self, channel: Channel, piece: Piece, copy: Callable[[bytes], None], closed: Callable[[], None]
    ) -> None:
        self.channel, self.piece = channel, piece
        self.unwritten = 0
        self.fault = ""
        self.ended = False
        self._left, self._door = os.pipe()
        self._copy, self._closed = copy, closed
        self._working = _thread.allocate_lock()

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._working.acquire()
        _thread.start_new_thread(self._run, ())

    def join(self) -> None:
        """Wait until it has ended."""
        with self._working:
            return

    def leave(self) -> None:
        """End when nothing more comes for a moment; from any thread, once."""
        os.close(self._door)

    def _run(self) -> None:
        try:
            self._pass_all_on()
        finally:
            self._working.release()

    def _pass_all_on(self) -> None:
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
            os.close(self.channel.source)
            self._closed()
