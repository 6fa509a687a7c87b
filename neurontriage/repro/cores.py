"""NeuronCores for processes: one process per core, also between several runs on one host.

A core belongs to one process at a time; a second one that asks for it fails in nrt_init. Numbers are those of
`NEURON_RT_VISIBLE_CORES`: logical NeuronCores. With a logical NeuronCore configuration (LNC) of 2, the default of trn2
and trn3, each stands for two physical ones.
https://awsdocs-neuron.readthedocs-hosted.com/en/latest/about-neuron/arch/neuron-features/logical-neuroncore-config.html
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from neurontriage.errors import TriageError
from neurontriage.repro.slots import slot

VISIBLE, LNC = "NEURON_RT_VISIBLE_CORES", "NEURON_LOGICAL_NC_CONFIG"
PAIRED = ("trn2", "trn3")


@dataclass(frozen=True, slots=True)
class Lease:
    """One logical core for one process."""

    core: int
    lnc: int

    @property
    def physical(self) -> tuple[int, ...]:
        """The physical NeuronCores behind it."""
        return tuple(range(self.core * self.lnc, (self.core + 1) * self.lnc))

    @property
    def environment(self) -> Mapping[str, str]:
        """What the process must have set before the Neuron runtime starts."""
        return {VISIBLE: str(self.core), **({LNC: str(self.lnc)} if self.lnc > 1 else {})}


def lnc_of(target: str) -> int:
    """Physical cores per logical one: what the user set, else the default of the instance family."""
    chosen = os.environ.get(LNC, "")
    return int(chosen) if chosen in ("1", "2") else 2 if target in PAIRED else 1


def with_settings(settings: Mapping[str, str], seen: Mapping[str, str]) -> dict[str, str]:
    """Settings of one attempt for a process that has `seen`: under another LNC its core has another number.

    Core n of pairs stands on the physical cores 2n and 2n + 1; alone it is core 2n.
    """
    before, after = int(seen.get(LNC, "1")), int(settings.get(LNC, seen.get(LNC, "1")))
    core = seen.get(VISIBLE, "")
    if before == after or not core.isdigit():
        return dict(settings)
    return {**settings, VISIBLE: str(int(core) * before // after)}


def parse_cores(text: str) -> tuple[int, ...]:
    """`0-3,8` → (0, 1, 2, 3, 8). Raises TriageError for anything else."""
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        last = last if dash else first
        if not first.isdigit() or not last.isdigit() or int(last) < int(first):
            raise TriageError(
                "wrong-cores", f"--cores {text}: no such range", "numbers and ranges such as 0-31 or 0,2,4"
            )
        found.extend(range(int(first), int(last) + 1))
    return tuple(sorted(set(found)))


def cores_at_hand(asked: str, count: int) -> tuple[int, ...]:
    """The cores to use: asked for, else those that the user's environment leaves visible, else all of the host."""
    visible = parse_cores(os.environ[VISIBLE]) if os.environ.get(VISIBLE) else None
    if not asked:
        return visible or tuple(range(count))
    chosen = parse_cores(asked)
    beyond = [core for core in chosen if (visible is not None and core not in visible) or (count and core >= count)]
    if beyond:
        where = f"{VISIBLE}={os.environ[VISIBLE]}" if visible is not None else f"the {count} logical cores of this host"
        raise TriageError(
            "cores-not-here", f"--cores {asked}: {beyond[0]} is not among {where}", "cores that exist here"
        )
    return chosen


class Allocator:
    """Hands out cores, each to one holder at a time on this host; a holder that dies gives its core back."""

    def __init__(self, cores: Sequence[int], lnc: int = 1, folder: Path | None = None) -> None:
        self._cores, self._lnc = tuple(cores), lnc
        self._folder = folder or Path(tempfile.gettempdir()) / f"neurontriage-cores-{os.getuid()}"

    def __len__(self) -> int:
        return len(self._cores)

    @contextmanager
    def lease(self) -> Iterator[Lease]:
        """A core, as soon as one is free."""
        with slot(self._folder, self._cores) as core:
            yield Lease(core, self._lnc)
