"""A command that runs: its output passed on, its signals too, and a copy for the watcher."""

from __future__ import annotations

import _thread
import marshal
import os
import select
import time

from neurontriage.live import signals
from neurontriage.live.channels import IN
from neurontriage.live.feed import CLOSED, EXIT, OUTPUT, Feed
from neurontriage.live.relay import Piece, Relay
from neurontriage.live.signals import AWAITED, calls
from neurontriage.live.watcher import ANSWERED, Watcher, fork

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neurontriage.live.channels import Channels
    from neurontriage.live.plan import Plan

_FOR_THE_ANSWER = 60.0
_PATIENCE = 1.0
_STOPS = {calls.SIGINT, calls.SIGTERM, calls.SIGHUP}


class Job:
    """A running command, its process id, and the watcher that is forked here, with what feeds it.

    `echoes`: signals that the watcher got; `answers`: ends when it is done.
    """

    def __init__(self, plan: Plan, channels: Channels, command: int) -> None:
        self.plan, self.channels, self.command = plan, channels, command
        self.started = time.monotonic()
        line, mine = os.pipe()
        self.echoes, echo = os.pipe()
        self.answers, answer = os.pipe()
        pieces = [Piece() for _ in channels.outputs]
        # It keeps the end of `echoes` that is read, too: when we have gone, a signal to it finds no broken pipe.
        self.watcher = fork(Watcher(plan, channels, pieces, line, answer), echo, (mine, self.answers))
        for its in (line, echo, answer):
            os.close(its)
        self.feed = Feed(mine)
        self.relays = [self._relay(number, piece) for number, piece in enumerate(pieces)]
        for relay in self.relays:
            relay.start()
        if channels.master is not None and channels.session:
            _thread.start_new_thread(_keys, (channels.master,))

    def _relay(self, number: int, piece: Piece) -> Relay:
        return Relay(
            self.channels.outputs[number],
            piece,
            lambda data: self.feed.send(OUTPUT, number, data),
            lambda: self.feed.send(CLOSED, number),
        )

    def _status(self) -> int | None:
        """The command's exit code, -N for signal N, None while it runs."""
        ended, status = os.waitpid(self.command, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if ended else None

    def wait(self) -> int:
        """Pass signals on until the command has ended; gives its exit code, -N for signal N."""
        forwarding = signals.Forwarding(self.command, self.channels.session, self.echoes)
        while (code := self._status()) is None:
            found = calls.sigwaitinfo(AWAITED)
            if found.si_signo == calls.SIGWINCH:
                self.channels.resize()
            elif found.si_signo != calls.SIGCHLD:
                forwarding.take(found.si_signo, found.si_code)
        return code

    def drain(self) -> None:
        """Let what the command has written through; what its children still write, the watcher passes on."""
        for relay in self.relays:
            relay.leave()
        for relay in self.relays:
            relay.join()

    def explain(self, code: int) -> None:
        """Let the watcher explain how the command ended, and wait for its answer.

        Where the command ended well, and nothing is to be explained or to be passed on, the watcher has to end, too.
        """
        unwritten = sum(relay.unwritten for relay in self.relays)
        fault = next((relay.fault for relay in self.relays if relay.fault), "")
        still_open = [number for number, relay in enumerate(self.relays) if not relay.ended]
        if code == 0 and not (self.plan.report or unwritten or still_open):
            os.kill(self.watcher, calls.SIGKILL)
            return
        seconds = time.monotonic() - self.started
        report = {"code": code, "seconds": seconds, "unwritten": unwritten, "fault": fault, "open": still_open}
        self.feed.send(EXIT, 0, marshal.dumps(report))
        self.feed.finish(_PATIENCE if code == 0 and not self.plan.report else 0)
        if code != 0 or self.plan.report:
            self._answered()

    def _answered(self) -> None:
        from neurontriage.live.answer import say

        end = time.monotonic() + _FOR_THE_ANSWER
        while time.monotonic() < end and not calls.sigpending() & _STOPS:
            if select.select([self.answers], [], [], 0.05)[0]:
                if os.read(self.answers, 1) != ANSWERED:
                    say("the process that explains the output was killed; the command was not touched")
                return
        say("no answer in time; the command was not touched")


def _keys(master: int) -> None:
    """What is typed goes to the command's terminal."""
    try:
        while keys := os.read(IN, 4096):
            os.write(master, keys)
    except OSError:
        return
