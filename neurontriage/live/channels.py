"""What a command writes into: a terminal of its own where ours is one, else pipes, so that it behaves as without us.

Where standard output and standard error are the same open file, they share one channel, so that the order of what is
written stays.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

IN, OUT, ERR = 0, 1, 2


class Channel:
    """One stream of output: read at `source`, written unchanged to `target`."""

    def __init__(self, source: int, target: int) -> None:
        self.source, self.target = source, target


class Channels:
    """All streams of a command. `stdout`, `stderr`: its ends, to be closed here once it has them.

    `session`: it gets a session of its own, with the pseudo-terminal `master` as its controlling terminal and its
    standard input.
    """

    def __init__(self, session: bool) -> None:
        self.session = session
        self.outputs: list[Channel] = []
        self.stdout, self.stderr = OUT, ERR
        self.master: int | None = None

    def given(self) -> None:
        """Close the command's ends: it has them now, and we must see when it closes them."""
        for end in {self.stdout, self.stderr}:
            os.close(end)

    def resize(self) -> None:
        """Give the command's terminal the size of ours."""
        if self.master is None:
            return
        import fcntl
        import termios

        try:
            size = fcntl.ioctl(OUT, termios.TIOCGWINSZ, bytes(8))
            fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)
        except OSError:
            return


def hold() -> None:
    """Open what is closed of our three streams, so that no other file gets its number; the command does not see it."""
    while (lowest := os.open(os.devnull, os.O_RDWR)) <= ERR:
        pass
    os.close(lowest)


def opened() -> Channels:
    """The streams for a command that is about to start. Raises OSError when the system has no more of them."""
    channels = Channels(os.isatty(IN) and os.isatty(OUT) and _foreground())
    channels.stdout = _ends(channels, OUT)
    shared = _same_file() or (os.isatty(OUT) and os.isatty(ERR))
    channels.stderr = channels.stdout if shared else _ends(channels, ERR)
    channels.resize()
    return channels


def _foreground() -> bool:
    try:
        return os.tcgetpgrp(IN) == os.getpgrp()
    except OSError:
        return False


def _same_file() -> bool:
    try:
        out, err = os.fstat(OUT), os.fstat(ERR)
    except OSError:
        return False
    return (out.st_dev, out.st_ino, out.st_rdev) == (err.st_dev, err.st_ino, err.st_rdev)


def _ends(channels: Channels, target: int) -> int:
    """Open a channel and give the end that the command writes into."""
    if not os.isatty(target):
        source, end = os.pipe()
    else:
        source, end = os.openpty()
        channels.master = source if channels.master is None else channels.master
        _like(end, target, channels.session)
    channels.outputs.append(Channel(source, target))
    return end


def _like(end: int, target: int, session: bool) -> None:
    """Give a new terminal the modes of ours; one for output only leaves line ends to ours."""
    import termios

    try:
        modes = termios.tcgetattr(target)
        if not session:
            modes[1] &= ~termios.OPOST
        termios.tcsetattr(end, termios.TCSANOW, modes)
    except termios.error:
        return


def raw_input(channels: Channels) -> Callable[[], None]:
    """Let every key go to the command's terminal; gives what puts ours back as it was."""
    if not channels.session:
        return lambda: None
    import termios
    import tty

    modes = termios.tcgetattr(IN)
    tty.setraw(IN, termios.TCSANOW)

    def restore() -> None:
        try:
            termios.tcsetattr(IN, termios.TCSADRAIN, modes)
        except termios.error:
            return

    return restore
