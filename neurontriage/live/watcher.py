"""The process beside a command: holds a copy of its output, and takes over when the first process is killed.

It is forked, so that nothing that happens here (a crash, no memory left) can touch the command or its output. What
reads and explains is imported when the output is much, when the command runs for long, and when it fails.
"""

from __future__ import annotations

import os
import select
import time

from neurontriage.live import signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neurontriage.live.channels import Channels
    from neurontriage.live.plan import Plan
    from neurontriage.live.relay import Piece

ANSWERED = b"k"
_NICE = 10
_READ = 64 << 10
_MUCH = 1 << 20
_LONG = 10.0
"""Bytes of output, and seconds, that are only held."""


class Watcher:
    """Lives in the forked process. `line`: frames from the first process; `answer`: where it waits for ANSWERED.

    `held`: what has come of the frames, the last of it at `last` (seconds of the monotonic clock).
    """

    def __init__(self, plan: Plan, channels: Channels, pieces: list[Piece], line: int, answer: int) -> None:
        self.plan, self.channels, self.pieces, self.line, self.answer = plan, channels, pieces, line, answer
        self.started = self.last = time.monotonic()
        self.held = b""

    def run(self) -> None:
        """Go along with the command to its end; one that ends well ends this process."""
        os.nice(_NICE)
        self._hold()
        from neurontriage.live.explaining import explain

        explain(self)

    def _hold(self) -> None:
        """Until the first process has gone, or it would be too much, or too long to know whether the job gets on."""
        poll = select.poll()
        poll.register(self.line, select.POLLIN)
        parts, size = [], 0
        end = self.started + min(_LONG, self.plan.silence or _LONG)
        while size < _MUCH and (left := end - time.monotonic()) > 0 and poll.poll(left * 1000):
            if not (text := os.read(self.line, _READ)):
                break
            parts.append(text)
            size += len(text)
            self.last = time.monotonic()
        self.held = b"".join(parts)


def fork(watcher: Watcher, echo: int, mine: tuple[int, ...]) -> int:
    """Start the watcher in a process of its own; gives its id. `mine`: what only the first process keeps open."""
    if started := os.fork():
        return started
    try:
        for descriptor in mine:
            os.close(descriptor)
        signals.report(echo)
        watcher.run()
    finally:
        os._exit(0)
