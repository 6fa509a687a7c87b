"""An incident on a Ray cluster: a task for every shard of the logs; what they tell comes in the order of the shards.

Every host has this package and sees the logs under the same names, on shared or object storage. A task that is lost
with its host is tried again; where it stays lost, its logs are named as not read, and the others are explained.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from neurontriage.claims.reading import Reading
from neurontriage.errors import TriageError
from neurontriage.fleet.cluster import cluster
from neurontriage.incident.crew import cores
from neurontriage.incident.task import Task, Told, bundles, told
from neurontriage.incident.watched import Watched
from neurontriage.knowledge.catalog import Catalog, load
from neurontriage.read.interrupt import Interrupt
from neurontriage.read.trail import Trail

_SHARD, _MOST_LOGS = 64 << 20, 100
_TRIES = 3
_AHEAD = 4
_LOOK = 0.2

Work = Callable[[list[Task], tuple[Path, ...], str], list[Told]]


def work(shard: list[Task], extra: tuple[Path, ...], digest: str) -> list[Told]:
    """Runs on any host of the cluster: what the tasks of a shard tell. `digest`: that of the knowledge to be used."""
    reading = _reading(extra)
    if reading.catalog.digest != digest:
        hint = "install the same version of neurontriage on every host"
        raise TriageError("other-knowledge", "a host of the cluster has other knowledge", "the same on all", hint)
    return [told(task, reading, Watched(Trail(()))) for task in shard]


@lru_cache(maxsize=1)
def _reading(extra: tuple[Path, ...]) -> Reading:
    return Reading(load(extra))


@dataclass(frozen=True)
class Rays:
    """Readers on the cluster at `where`; on this host with `workers` of them, 0 for one per core."""

    where: str
    workers: int = 0
    work: Work = work

    def __call__(self, tasks: Iterable[Task], catalog: Catalog, interrupt: Interrupt) -> Iterator[Told]:
        """What the tasks tell. Raises TriageError where a host has other knowledge."""
        with cluster(self.where, self.workers or cores()) as ray:
            remote = ray.remote(num_cpus=1, max_retries=_TRIES)(self.work)
            most = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
            waiting: deque[tuple[list[Task], Any]] = deque()
            for shard in bundles(tasks, _SHARD, _MOST_LOGS):
                if interrupt.asked:
                    break
                waiting.append((shard, remote.remote(shard, catalog.extra, catalog.digest)))
                while len(waiting) >= most:
                    yield from _result(ray, *waiting.popleft(), interrupt)
            while waiting:
                yield from _result(ray, *waiting.popleft(), interrupt)


def _result(ray: Any, shard: list[Task], sent: Any, interrupt: Interrupt) -> list[Told]:
    while not ray.wait([sent], timeout=_LOOK)[0]:
        if interrupt.asked:
            ray.cancel(sent, force=True)
            return []
    try:
        found: list[Told] = ray.get(sent)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, TriageError):
            raise error.cause from error
        return _lost(shard, error)
    except ray.exceptions.RayError as error:
        return _lost(shard, error)
    return found


def _lost(shard: list[Task], error: Exception) -> list[Told]:
    """The logs of a shard, none of them read, and why."""
    said = " ".join(str(error).split())[:200]
    hint = "ray status; read these logs alone on a host that sees them"
    fault = TriageError("lost-shard", "", "a host of the cluster that can read it", hint)
    return [
        Told(task.one.name, faults={task.one.name: replace(fault, message=f"{task.one.name}: not read: {said}")})
        for task in shard
    ]
