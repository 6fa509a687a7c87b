"""Tells when a job no longer gets on: no output for long, or a compilation that takes far longer than those before."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

_STARTED = re.compile(
    rb"\|\|NEURON_CC_WRAPPER\|\|: Call compiler with|\[INFO\]: Compiling|Compiling HLO module|Call compiler"
)
_ENDED = re.compile(rb"Compiler status (?:PASS|ERROR)|Compilation Time|Failed compilation|Using a cached neff")
_FAR_LONGER = 5.0
_LEAST = 600.0
_OF_INTEREST = (b"ompil", b"cached neff")


@dataclass
class Hang:
    """Watches what arrives. `silence`: seconds without output that are taken for a hang, 0 for never.

    `clock` gives seconds. Every silence and every compilation is told once.
    """

    silence: float
    clock: Callable[[], float]
    last: float = field(init=False)
    compiling: float | None = None
    slowest: float = 0.0
    told: bool = False

    def __post_init__(self) -> None:
        self.last = self.clock()

    def look(self, text: bytes) -> str | None:
        """What is wrong, in words, when something is; `text` is what has arrived since the last look."""
        now = self.clock()
        if text:
            self.last, self.told = now, False
            if any(word in text for word in _OF_INTEREST):
                self._compilations(text, now)
        return self._silent(now) or self._slow(now)

    def _compilations(self, text: bytes, now: float) -> None:
        starts = [found.end() for found in _STARTED.finditer(text)]
        ends = [found.end() for found in _ENDED.finditer(text)]
        if ends and self.compiling is not None:
            self.slowest = max(self.slowest, now - self.compiling)
        if starts or ends:
            self.compiling = now if starts and starts[-1] > (ends[-1] if ends else -1) else None

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


def duration(seconds: float) -> str:
    """Seconds in words: `12 s`, `3 min 20 s`, `2 h 5 min`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
