"""Signals reach the command exactly once, whoever sends them and to whom.

A key on the terminal signals its whole foreground group, and `kill -- -GROUP` does too: then the command, which is in
our group, has it already. `kill PID` reaches us alone, and must be passed on. The two look the same to us, but the
watcher is in our group as well: what it also got went to the group.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
else:
    try:
        import _signal
    except ImportError:
        import signal as _signal
calls = _signal
"""Those of `signal` without its enumerations, which take a tenth of what `run` costs a short command."""

PASSED_ON = (calls.SIGINT, calls.SIGTERM, calls.SIGHUP, calls.SIGQUIT, calls.SIGUSR1, calls.SIGUSR2)
AWAITED = (*PASSED_ON, calls.SIGCHLD, calls.SIGWINCH)
_BY_KERNEL = 0  # si_code above it: sent by the kernel, for a terminal
_ECHO = 0.1


def report(to: int) -> None:
    """In the watcher: survive every signal, and write its number to a pipe, even in the middle of other work."""
    os.set_blocking(to, False)
    calls.set_wakeup_fd(to, warn_on_full_buffer=False)
    for one in PASSED_ON:
        calls.signal(one, lambda *_: None)
    calls.pthread_sigmask(calls.SIG_UNBLOCK, AWAITED)


class Forwarding:
    """Decides what the command still has to get. `session`: it has a process group of its own."""

    def __init__(self, command: int, session: bool, echoes: int) -> None:
        self._command, self._session, self._echoes = command, session, echoes

    def take(self, number: int, code: int) -> None:
        """Pass a signal on, unless the command has it already."""
        try:
            if self._session:
                os.killpg(self._command, number)
            elif not self._echoed(number) and code <= _BY_KERNEL:
                os.kill(self._command, number)
        except (ProcessLookupError, PermissionError):
            return

    def _echoed(self, number: int) -> bool:
        import select
        import time

        end = time.monotonic() + _ECHO
        while (left := end - time.monotonic()) > 0 and select.select([self._echoes], [], [], left)[0]:
            seen = os.read(self._echoes, 4096)
            if not seen:
                return False
            if number in seen:
                return True
        return False
