"""Tells when a job no longer gets on: no output for long, or a compilation that takes far longer than those before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_STARTED = (
    b"||NEURON_CC_WRAPPER||: Call compiler with",
    b"[INFO]: Compiling",
    b"Compiling HLO module",
    b"Call compiler",
)
_ENDED = (
    b"Compiler status PASS",
    b"Compiler status ERROR",
    b"Compilation Time",
    b"Failed compilation",
    b"Using a cached neff",
)
_FAR_LONGER = 5.0
_LEAST = 600.0
_OF_INTEREST = (b"ompil", b"cached neff")


class Hang:
    """Watches what arrives. `silence`: seconds without output that are taken for a hang, 0 for never.

    `clock` gives seconds. Every silence and every compilation is told once.
    """

    def __init__(self, silence: float, clock: Callable[[], float]) -> None:
        self.silence, self.clock = silence, clock
        self.last = clock()
        self.compiling: float | None = None
        self.slowest = 0.0
        self.told = False

    def look(self, text: bytes) -> str | None:
        """What is wrong, in words, when something is; `text` is what has arrived since the last look."""
        now = self.clock()
        if text:
            self.last, self.told = now, False
            if any(word in text for word in _OF_INTEREST):
                self._compilations(text, now)
        return self._silent(now) or self._slow(now)

    def _compilations(self, text: bytes, now: float) -> None:
        start, end = _last(_STARTED, text), _last(_ENDED, text)
        if end >= 0 and self.compiling is not None:
            self.slowest = max(self.slowest, now - self.compiling)
        if max(start, end) >= 0:
            self.compiling = now if start > end else None

    def _silent(self, now: float) -> str | None:
        if not self.silence or self.told or now - self.last < self.silence:
            return None
        self.told = True
        return f"no output for {duration(now - self.last)}"

    def _slow(self, now: float) -> str | None:
        if self.compiling is None or not self.slowest:
            return None
        taken = now - self.compiling
        if taken < max(_LEAST, _FAR_LONGER * self.slowest):
            return None
        self.compiling = None
        return (
            f"a compilation has been running for {duration(taken)}; the longest before it took {duration(self.slowest)}"
        )


def _last(words: Sequence[bytes], text: bytes) -> int:
    """Where the last of these words stands in a text, -1 without one."""
    return max(text.rfind(word) for word in words)


def duration(seconds: float) -> str:
    """Seconds in words: `12 s`, `3 min 20 s`, `2 h 5 min`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
