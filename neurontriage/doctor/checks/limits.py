"""Memory, shared memory, open files: what ends a compilation or a data loader when it is too small."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from neurontriage.doctor.check import Check, Look
from neurontriage.doctor.host import Host
from neurontriage.knowledge.versions import Releases

_MEMORY = Look("memory", "there is memory for a compilation")
_SHARED = Look("shared-memory", "/dev/shm is larger than a container's default")
_FILES = Look("open-files", "the limit of open files is not too low")
_LEAST_MEMORY = 4 << 20
"""Kibibytes; compilations of small models were seen to need more."""
_LEAST_SHARED = 64 << 20
"""Bytes: what Docker gives without --shm-size."""
_LEAST_FILES = 1024


def check(host: Host, releases: Releases) -> Iterator[Check]:
    """Memory, shared memory, open files."""
    yield _memory(host)
    yield _shared(host)
    yield _files(host)


def _memory(host: Host) -> Check:
    found = dict(re.findall(r"^(MemTotal|MemAvailable):\s+(\d+) kB", host.read("/proc/meminfo") or "", re.MULTILINE))
    limit = _group_limit(host)
    if "MemAvailable" not in found:
        return _MEMORY.not_run("/proc/meminfo is not here")
    free = min(int(found["MemAvailable"]), limit or int(found["MemAvailable"]))
    said = f"{free / 1048576:.1f} GiB available of {int(found.get('MemTotal', 0)) / 1048576:.1f} GiB"
    said += f", limit of this container {limit / 1048576:.1f} GiB" if limit else ""
    if free < _LEAST_MEMORY:
        return _MEMORY.fault("F137-CompilerKilled", f"{said}: neuronx-cc is likely to be killed", available=str(free))
    return _MEMORY.ok(said, available=str(free))


def _group_limit(host: Host) -> int | None:
    """The memory limit of the control group in kibibytes, None when there is none."""
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        value = (host.read(name) or "").strip()
        if value.isdigit() and int(value) < 1 << 50:
            return int(value) >> 10
    return None


def _shared(host: Host) -> Check:
    """Its size as `df` shows it, so that a recorded host can tell."""
    text = host.run(("df", "-B1", "--output=size", "/dev/shm")) or ""
    sizes = re.findall(r"^\s*(\d+)\s*$", text, re.MULTILINE)
    if not sizes:
        return _SHARED.not_run("/dev/shm is not here")
    size = int(sizes[0])
    said = f"{size / (1 << 20):,.0f} MiB"
    if size <= _LEAST_SHARED:
        return _SHARED.fault(
            "HOST-SharedMemoryFull",
            f"/dev/shm has {said}: data loaders and the runtime may end with SIGBUS",
            size=str(size),
        )
    return _SHARED.ok(said, size=str(size))


def limit(host: Host, name: str) -> int | None:
    """A soft limit of this process; -1 when it is unlimited, None when it cannot be read."""
    found = re.search(
        rf"^{name}\s+(\S+)",
        host.read("/proc/self/limits") or host.read(f"/proc/{os.getpid()}/limits") or "",
        re.MULTILINE,
    )
    if not found:
        return None
    return int(found[1]) if found[1].isdigit() else -1


def _files(host: Host) -> Check:
    most = limit(host, "Max open files")
    if most is None:
        return _FILES.not_run("/proc/self/limits is not here")
    if 0 <= most < _LEAST_FILES:
        return _FILES.fault("HOST-TooManyOpenFiles", f"nofile is {most}", limit=str(most))
    return _FILES.ok("unlimited" if most < 0 else f"{most:,}", limit=str(most))
