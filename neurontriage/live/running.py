"""Runs a command as if we were not there, with a watcher beside it; ends with the command's own exit code.

The command starts as soon as Python has; what is needed beside it is imported while it runs. Before there is something
to explain, nothing in this room imports what takes more than a fraction of a millisecond (threading, queue, contextlib,
collections, struct, re, json, dataclasses, typing, pathlib, subprocess): a start of Python takes ten.
"""

from __future__ import annotations

import os

from neurontriage.live import channels as opening
from neurontriage.live.signals import AWAITED, calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neurontriage.live.channels import Channels
    from neurontriage.live.plan import Plan

NOT_FOUND, NOT_EXECUTABLE = 127, 126
"""Exit codes of a command that cannot be started, as shells have them."""
_IGNORED_BY_PYTHON = (calls.SIGPIPE, calls.SIGXFSZ)


def run(plan: Plan) -> int:
    """Run the command to its end; gives its exit code, 128 + N when signal N ended it."""
    mask = calls.pthread_sigmask(calls.SIG_BLOCK, AWAITED)
    opening.hold()
    channels = opening.opened()
    try:
        command = _started(plan.words, channels, mask)
    except OSError as error:
        from neurontriage.live.answer import say

        say(f"{plan.words[0]}: {error.strerror}")
        return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE
    from neurontriage.live.job import Job

    channels.given()
    restore = opening.raw_input(channels)
    try:
        job = Job(plan, channels, command)
        code = job.wait()
        job.drain()
    finally:
        restore()
    job.explain(code)
    return code if code >= 0 else 128 - code


def _started(words: list[str], channels: Channels, mask: set[int]) -> int:
    """Start the command with its ends of the channels and the signals blocked that were when we started.

    Gives its process id. Raises OSError where it cannot be started, as `exec` says it. The leader of a new session gets
    the first terminal that it opens as its controlling terminal (tty_ioctl(4), open(2)).
    """
    actions: list[tuple[Any, ...]] = []
    if channels.session:
        actions.append((os.POSIX_SPAWN_OPEN, opening.IN, os.ttyname(channels.stdout), os.O_RDWR, 0))
    for place, end in ((opening.OUT, channels.stdout), (opening.ERR, channels.stderr)):
        actions.append((os.POSIX_SPAWN_DUP2, end, place))
    return os.posix_spawnp(
        words[0],
        words,
        os.environ,
        file_actions=actions,
        setsid=channels.session,
        setsigmask=mask,
        setsigdef=_IGNORED_BY_PYTHON,
    )
