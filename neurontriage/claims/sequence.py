"""Events in the order of the log: a record is known only when it has ended, after lines that stand below it."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from neurontriage.model import Event

IN_LINE = 1 << 24
"""Room in the order of events for those of one line, each of which has a byte of it at least."""
_LATEST = 300 * IN_LINE
"""How far below its own line an event may come: the longest stack."""


@dataclass(eq=False, repr=False)
class Sequence:
    """Holds events back until none can come that stands above them. `held`: (order, number, event), as a heap."""

    held: list[tuple[int, int, Event]] = field(default_factory=list)
    _taken: int = 0

    def take(self, events: Iterable[Event]) -> None:
        """Events that are known now."""
        for event in events:
            self._taken += 1
            heapq.heappush(self.held, (event.order, self._taken, event))

    def upto(self, open_from: float, now: float = 0) -> Iterator[Event]:
        """The events above what is open, which begins at `open_from`, and all that stand far above `now`, in order."""
        limit = max(open_from, now - _LATEST)
        while self.held and self.held[0][0] < limit:
            yield heapq.heappop(self.held)[2]
