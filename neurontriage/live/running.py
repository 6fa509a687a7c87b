"""Runs a command as if we were not there, with a watcher beside it; ends with the command's own exit code.

The command starts as soon as Python has. So nothing is imported here, or by what is imported here, that costs more than
a millisecond or two (re, json, dataclasses, typing, pathlib, subprocess): what explains is loaded when there is
something to be explained.
"""

from __future__ import annotations

import fcntl
import marshal
import os
import select
import termios
import threading
import time
from contextlib import suppress

from neurontriage.live import channels as opening
from neurontriage.live import signals
from neurontriage.live.answer import say
from neurontriage.live.channels import Channels
from neurontriage.live.feed import CLOSED, EXIT, OUTPUT, Feed
from neurontriage.live.plan import Plan
from neurontriage.live.relay import Piece, Relay
from neurontriage.live.signals import AWAITED, calls
from neurontriage.live.watcher import ANSWERED, Watcher, fork

_FOR_THE_ANSWER = 60.0
_PATIENCE = 1.0
NOT_FOUND, NOT_EXECUTABLE = 127, 126
"""Exit codes of a command that cannot be started, as shells have them."""
_STOPS = {calls.SIGINT, calls.SIGTERM, calls.SIGHUP}
_IGNORED_BY_PYTHON = {calls.SIGPIPE, calls.SIGXFSZ}


class Job:
    """A running command, its process id, and its watcher.

    `echoes`: signals that the watcher got; `answers`: ends when it is done; both are made by `watch`.
    """

    def __init__(self, channels: Channels, command: int) -> None:
        self.channels, self.command = channels, command
        self.started = time.monotonic()
        self.feed: Feed
        self.relays: list[Relay]
        self.echoes: int
        self.answers: int

    def watch(self, plan: Plan) -> None:
        """Fork the watcher, then start what passes the output on and feeds it."""
        line, mine = os.pipe()
        self.echoes, echo = os.pipe()
        self.answers, answer = os.pipe()
        pieces = [Piece() for _ in self.channels.outputs]
        fork(Watcher(plan, self.channels, pieces, line, answer), echo, [mine, self.echoes, self.answers])
        for its in (line, echo, answer):
            os.close(its)
        self.feed = Feed(mine)
        self.relays = [self._relay(number, piece) for number, piece in enumerate(pieces)]
        for thread in (self.feed, *self.relays):
            thread.start()
        if self.channels.session:
            threading.Thread(target=_keys, args=(self.channels.master,), daemon=True).start()

    def _relay(self, number: int, piece: Piece) -> Relay:
        return Relay(
            self.channels.outputs[number],
            piece,
            lambda data: self.feed.send(OUTPUT, number, data),
            lambda: self.feed.send(CLOSED, number),
        )

    def status(self) -> int | None:
        """The command's exit code, -N for signal N, None while it runs."""
        ended, status = os.waitpid(self.command, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if ended else None


def run(plan: Plan) -> int:
    """Run the command to its end; gives its exit code, 128 + N when signal N ended it."""
    calls.pthread_sigmask(calls.SIG_BLOCK, AWAITED)
    opening.hold()
    channels = opening.opened()
    try:
        command = _started(plan.words, channels)
    except OSError as error:
        say(f"{plan.words[0]}: {error.strerror}")
        return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE
    channels.given()
    restore = opening.raw_input(channels)
    try:
        job = Job(channels, command)
        job.watch(plan)
        code = _wait(job)
        _drained(job)
    finally:
        restore()
    _explained(plan, job, code)
    return code if code >= 0 else 128 - code


def _started(words: list[str], channels: Channels) -> int:
    """Start the command; gives its process id. Raises OSError where it cannot be started, as `exec` says it."""
    told, tell = os.pipe()  # closed by a successful exec
    command = os.fork()
    if not command:
        _become(words, channels, tell)
    os.close(tell)
    with open(told, "rb") as answer:
        fault = answer.read()
    if fault:
        os.waitpid(command, 0)
        raise OSError(int(fault), os.strerror(int(fault)))
    return command


def _become(words: list[str], channels: Channels, tell: int) -> None:
    """In the forked process: what a shell would do, then the command itself."""
    try:
        if channels.session:
            os.setsid()
            fcntl.ioctl(channels.stdout, termios.TIOCSCTTY, 0)
        for place, end in enumerate((channels.stdin, channels.stdout, channels.stderr)):
            if end is not None:
                os.dup2(end, place)
        for one in _IGNORED_BY_PYTHON:
            calls.signal(one, calls.SIG_DFL)
        calls.pthread_sigmask(calls.SIG_UNBLOCK, AWAITED)
        os.execvp(words[0], words)
    except OSError as error:
        os.write(tell, str(error.errno).encode())
    finally:
        os._exit(NOT_EXECUTABLE)


def _keys(master: int) -> None:
    """What is typed goes to the command's terminal."""
    with suppress(OSError):
        while keys := os.read(opening.IN, 4096):
            os.write(master, keys)


def _wait(job: Job) -> int:
    """Pass signals on until the command has ended; gives its exit code, -N for signal N."""
    forwarding = signals.Forwarding(job.command, job.channels.session, job.echoes)
    while (code := job.status()) is None:
        found = calls.sigwaitinfo(AWAITED)
        if found.si_signo == calls.SIGWINCH:
            job.channels.resize()
        elif found.si_signo != calls.SIGCHLD:
            forwarding.take(found.si_signo, found.si_code)
    return code


def _drained(job: Job) -> None:
    """Let what the command has written through; what its children still write, the watcher passes on."""
    for relay in job.relays:
        relay.leave()
    for relay in job.relays:
        relay.join()


def _explained(plan: Plan, job: Job, code: int) -> None:
    """Tell the watcher how the command ended, and wait for its answer."""
    report = {
        "code": code,
        "seconds": time.monotonic() - job.started,
        "unwritten": sum(relay.unwritten for relay in job.relays),
        "fault": next((relay.fault for relay in job.relays if relay.fault), ""),
        "open": [number for number, relay in enumerate(job.relays) if not relay.ended],
    }
    job.feed.send(EXIT, 0, marshal.dumps(report))
    job.feed.finish()
    if code == 0 and not plan.report:
        job.feed.join(_PATIENCE)
        return
    end = time.monotonic() + _FOR_THE_ANSWER
    while time.monotonic() < end and not calls.sigpending() & _STOPS:
        if select.select([job.answers], [], [], 0.05)[0]:
            if os.read(job.answers, 1) != ANSWERED:
                say("the process that explains the output was killed; the command was not touched")
            return
    say("no answer in time; the command was not touched")
