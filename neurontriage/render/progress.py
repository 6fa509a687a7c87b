"""A progress bar on stderr for inputs that take longer than a second; nothing at all for the others."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from neurontriage.render.text import printable

_PATIENCE = 1.0


@dataclass(eq=False, repr=False)
class Progress:
    """Watches blocks go by. `total`: bytes of all inputs on disk, 0 when unknown (a pipe, a URL). It ends nothing."""

    total: int
    asked = False
    started: float = field(default_factory=time.monotonic)
    seen: int = 0
    bar: Any = None

    def watch(self, path: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Pass the blocks of a log through, and show how far they are."""
        for block in blocks:
            yield block
            self.add(len(block), path)
            del block  # it is no longer held while the next one is read

    def add(self, size: int, path: str = "") -> None:
        """So many bytes more were read."""
        self.seen += size
        if time.monotonic() - self.started > _PATIENCE and self._terminal:
            self._show(path)

    @cached_property
    def _terminal(self) -> bool:
        return sys.stderr.isatty()

    def _show(self, path: str) -> None:
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import Progress as Bar

        if self.bar is None:
            self.bar = Bar(console=Console(stderr=True), transient=True)
            self.bar.start()
            self.bar.add_task("reading", total=self.total or None)
        done = min(self.seen, self.total or self.seen)
        self.bar.update(self.bar.task_ids[0], completed=done, description=escape(printable(path[-40:])))

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()
