"""Several processes read tasks; what they tell comes in the order of the tasks.

A worker that is killed loses nothing: this process reads its tasks again.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from neurontriage.claims.reading import Reading
from neurontriage.incident.task import Task, Told, read_here, told
from neurontriage.incident.watched import Watched
from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.lines.allocated import give_back
from neurontriage.lines.remembered import forget
from neurontriage.read.interrupt import Interrupt
from neurontriage.read.slices import SLICE
from neurontriage.read.trail import Trail

_AHEAD = 2
_FAST = 1
Sent = tuple[list[Task], "Future[bytes]"]
"""Tasks, and what they tell: packed until it is its turn, as other workers may be far ahead."""


def read_by(workers: int, groups: Iterable[list[Task]], catalog: Catalog, interrupt: Interrupt) -> Iterator[Told]:
    """What the tasks tell. No more is sent than `workers` can do next, so that memory stays bounded."""
    pool = _Pool(catalog, workers, interrupt)
    try:
        for bundle in groups:
            if interrupt.asked:
                break
            pool.send(bundle)
            while len(pool.pending) >= workers + _AHEAD:
                yield from pool.next()
        while pool.pending:
            yield from pool.next()
    finally:
        pool.close()


class _Pool:
    """Worker processes, and what they are at."""

    def __init__(self, catalog: Catalog, workers: int, interrupt: Interrupt) -> None:
        self.catalog, self.interrupt = catalog, interrupt
        self.pending: deque[Sent] = deque()
        context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self.stop = context.Event()
        self.pool = ProcessPoolExecutor(workers, context, _start, (_known(catalog), self.stop))

    def send(self, bundle: list[Task]) -> None:
        """Let a worker read these tasks; where all are dead, `next` will."""
        try:
            self.pending.append((bundle, self.pool.submit(_work, bundle)))
        except BrokenProcessPool as error:
            self.pending.append((bundle, Future()))
            self.pending[-1][1].set_exception(error)

    def next(self) -> list[Told]:
        """What the tasks that were sent first tell."""
        bundle, future = self.pending.popleft()
        if self.interrupt.asked:
            self.stop.set()
        try:
            found: list[Told] = pickle.loads(zlib.decompress(future.result()))
        except (BrokenProcessPool, OSError):  # killed, or not let see what lies here for it
            return read_here(bundle, self.catalog, self.interrupt)
        return found

    def close(self) -> None:
        """Let the workers end."""
        self.stop.set()
        self.pool.shutdown(cancel_futures=True)


def _known(catalog: Catalog) -> Callable[[], Catalog]:
    """How a worker gets the catalogue: it inherits it where processes are forked, else it loads it from the cache."""
    catalog.finder  # noqa: B018 - made once, before the others inherit it
    return _Inherited(catalog) if sys.platform == "linux" else _Loaded(catalog.extra)


@dataclass(frozen=True)
class _Inherited:
    catalog: Catalog

    def __call__(self) -> Catalog:
        return self.catalog


@dataclass(frozen=True)
class _Loaded:
    extra: tuple[Path, ...]

    def __call__(self) -> Catalog:
        return load(self.extra)


class _Stop:
    """Ends every log at its next piece when the first process says so."""

    def __init__(self, event: Any) -> None:
        self._event = event

    @property
    def asked(self) -> bool:
        """Whether it says so."""
        return bool(self._event.is_set())

    def watch(self, _path: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Pass the blocks through."""
        for block in blocks:
            yield block
            del block
            if self.asked:
                return


_MINE: dict[str, Any] = {}
"""What a worker process has: its reading, and what ends its work."""


def _start(known: Callable[[], Catalog], stop: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process decides what Ctrl-C means
    if first := multiprocessing.parent_process():
        threading.Thread(target=_follow, args=(first,), daemon=True).start()
    _MINE.update(reading=Reading(known()), stop=_Stop(stop))


def _follow(first: Any) -> None:
    """End with the first process, however that ends: nobody else would tell this one that nothing more comes."""
    wait([first.sentinel])
    os._exit(1)


def _work(bundle: list[Task]) -> bytes:
    found = [told(task, _MINE["reading"], Watched(Trail(()), (_MINE["stop"],))) for task in bundle]
    if long := any(task.size >= SLICE for task in bundle):
        forget(patterns=True)  # to pack what was found takes memory, too
        give_back()
    packed = zlib.compress(pickle.dumps(found, pickle.HIGHEST_PROTOCOL), _FAST)
    if long:
        del found
        give_back()
    return packed
