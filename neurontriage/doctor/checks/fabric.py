"""EFA: the adapter, its provider in libfabric, locked memory, and what multi-node jobs need besides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neurontriage.doctor.check import Check, Look
from neurontriage.doctor.checks.limits import limit
from neurontriage.doctor.host import Host
from neurontriage.knowledge.versions import Releases, parsed

_ADAPTER = Look("efa-adapter", "the EFA adapter can be used")
_LOCKED = Look("locked-memory", "the limit of locked memory allows EFA to register memory")
_FORK = Look("efa-fork-safe", "FI_EFA_FORK_SAFE is set where the kernel needs it")
_SETTINGS = ("FI_PROVIDER", "FI_EFA_USE_DEVICE_RDMA", "FI_EFA_FORK_SAFE")
_NEEDED = 128 << 20


def check(host: Host, releases: Releases) -> Iterator[Check]:
    """Adapter, locked memory, fork safety."""
    adapters = host.matches("/sys/class/infiniband/*")
    yield _adapter(host, adapters)
    yield _locked(host, adapters)
    yield _fork(host, adapters)


def _adapter(host: Host, adapters: list[str]) -> Check:
    provider = host.environ.get("FI_PROVIDER", "")
    if not adapters:
        if provider == "efa":
            return _ADAPTER.fault(
                "COL-MultiInstanceWithoutEfa", "FI_PROVIDER=efa, but there is no EFA adapter", provider=provider
            )
        return _ADAPTER.not_run("no adapter in /sys/class/infiniband")
    if provider and provider != "efa":
        return _ADAPTER.fault(
            "EFA-ProviderNotEfa", f"FI_PROVIDER={provider}, but the OFI plugin needs efa", provider=provider
        )
    said = host.run(("fi_info", "-p", "efa"))
    if said is None:
        return _ADAPTER.fault("COL-MultiInstanceWithoutEfa", f"{len(adapters)} adapters, but fi_info is not installed")
    if not re.search(r"provider:\s*efa", said):
        return _ADAPTER.fault("EFA-ProviderNotEfa", "fi_info -p efa finds no provider", provider="efa")
    return _ADAPTER.ok(f"{len(adapters)} adapters, provider efa", adapters=str(len(adapters)))


def _locked(host: Host, adapters: list[str]) -> Check:
    most = limit(host, "Max locked memory")
    if not adapters or most is None:
        return _LOCKED.not_run("no EFA adapter" if not adapters else "/proc/self/limits is not here")
    if 0 <= most < _NEEDED:
        return _LOCKED.fault(
            "EFA-LockedMemoryLimit", f"memlock is {most:,} bytes; it should be unlimited", limit=str(most)
        )
    return _LOCKED.ok("unlimited" if most < 0 else f"{most:,} bytes", limit=str(most))


def _fork(host: Host, adapters: list[str]) -> Check:
    kernel = (host.read("/proc/sys/kernel/osrelease") or "").strip()
    if not adapters or not kernel:
        return _FORK.not_run("no EFA adapter" if not adapters else "the kernel's version is not known")
    if parsed(kernel)[:2] < (5, 15) and host.environ.get("FI_EFA_FORK_SAFE") != "1":
        return _FORK.fault(
            "EFA-ForkSafeUnset", f"Linux {kernel} is older than 5.15 and FI_EFA_FORK_SAFE is not 1", kernel=kernel
        )
    return _FORK.ok(f"Linux {kernel}", kernel=kernel)
