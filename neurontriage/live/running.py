"""Runs a command as if we were not there, with a watcher beside it; ends with the command's own exit code."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import termios
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

from neurontriage.live import channels as opening
from neurontriage.live import kernel, signals
from neurontriage.live.answer import say
from neurontriage.live.channels import Channels
from neurontriage.live.feed import CLOSED, EXIT, OUTPUT, Feed
from neurontriage.live.relay import Piece, Relay
from neurontriage.live.watcher import ANSWERED, Plan, Watcher, fork

_FOR_THE_ANSWER = 60.0
_PATIENCE = 1.0
NOT_FOUND, NOT_EXECUTABLE = 127, 126
"""Exit codes of a command that cannot be started, as shells have them."""
_STOPS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


@dataclass
class Job:
    """A running command with its watcher. `echoes`: signals that the watcher got; `answers`: ends when it is done."""

    channels: Channels
    process: subprocess.Popen[bytes]
    feed: Feed
    relays: list[Relay]
    echoes: int
    answers: int
    started: float = field(default_factory=kernel.now)


def run(plan: Plan) -> int:
    """Run the command to its end; gives its exit code, 128 + N when signal N ended it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signals.AWAITED)
    channels = opening.opened()
    try:
        process = _started(plan, channels)
    except OSError as error:
        say(f"{plan.words[0]}: {error.strerror}")
        return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE
    channels.given()
    restore = opening.raw_input(channels)
    try:
        job = _watched(plan, channels, process)
        code = _wait(job)
        _drained(job)
    finally:
        restore()
    _explained(plan, job, code)
    return code if code >= 0 else 128 - code


def _started(plan: Plan, channels: Channels) -> subprocess.Popen[bytes]:
    def prepare() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals.AWAITED)
        if channels.session:
            fcntl.ioctl(channels.stdout, termios.TIOCSCTTY, 0)

    return subprocess.Popen(
        plan.words,
        stdin=channels.stdin,
        stdout=channels.stdout,
        stderr=channels.stderr,
        start_new_session=channels.session,
        preexec_fn=prepare,
    )


def _watched(plan: Plan, channels: Channels, process: subprocess.Popen[bytes]) -> Job:
    """Fork the watcher, then start what passes the output on and feeds it."""
    mine, its = socket.socketpair()
    echoes, echo = os.pipe()
    answers, answer = os.pipe()
    pieces = [Piece() for _ in channels.outputs]
    fork(Watcher(plan, channels, pieces, its, answer), echo, [mine.fileno(), echoes, answers])
    its.close()
    os.close(echo)
    os.close(answer)
    feed = Feed(mine)
    relays = [_relay(channels, number, pieces[number], feed) for number in range(len(pieces))]
    for thread in (feed, *relays):
        thread.start()
    if channels.session:
        threading.Thread(target=_keys, args=(channels.master,), daemon=True).start()
    return Job(channels, process, feed, relays, echoes, answers)


def _relay(channels: Channels, number: int, piece: Piece, feed: Feed) -> Relay:
    return Relay(
        channels.outputs[number],
        piece,
        lambda data: feed.send(OUTPUT, number, data),
        lambda: feed.send(CLOSED, number),
    )


def _keys(master: int) -> None:
    """What is typed goes to the command's terminal."""
    with suppress(OSError):
        while keys := os.read(opening.IN, 4096):
            os.write(master, keys)


def _wait(job: Job) -> int:
    """Pass signals on until the command has ended; gives its exit code, -N for signal N."""
    forwarding = signals.Forwarding(job.process.pid, job.channels.session, job.echoes)
    while (code := job.process.poll()) is None:
        found = signal.sigwaitinfo(signals.AWAITED)
        if found.si_signo == signal.SIGWINCH:
            job.channels.resize()
        elif found.si_signo != signal.SIGCHLD:
            forwarding.take(found.si_signo, found.si_code)
    return code


def _drained(job: Job) -> None:
    """Let what the command has written through; what its children still write, the watcher passes on."""
    for relay in job.relays:
        relay.leave.set()
    for relay in job.relays:
        relay.join()


def _explained(plan: Plan, job: Job, code: int) -> None:
    """Tell the watcher how the command ended, and wait for its answer."""
    report = {
        "code": code,
        "seconds": kernel.now() - job.started,
        "unwritten": sum(relay.unwritten for relay in job.relays),
        "fault": next((relay.fault for relay in job.relays if relay.fault), ""),
        "open": [number for number, relay in enumerate(job.relays) if not relay.ended],
    }
    job.feed.send(EXIT, 0, json.dumps(report).encode())
    job.feed.finish()
    if code == 0 and plan.report is None:
        job.feed.join(_PATIENCE)
        return
    end = time.monotonic() + _FOR_THE_ANSWER
    while time.monotonic() < end and not signal.sigpending() & _STOPS:
        if select.select([job.answers], [], [], 0.05)[0]:
            if os.read(job.answers, 1) != ANSWERED:
                say("the process that explains the output was killed; the command was not touched")
            return
    say("no answer in time; the command was not touched")
