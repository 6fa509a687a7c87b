"""NeuronCores: how many there are, who holds them, and whether what the environment asks for exists."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

from neurontriage.doctor.check import Check, Look
from neurontriage.doctor.host import Host
from neurontriage.knowledge.versions import Releases

_CORES = Look("neuron-cores", "the NeuronCores that the environment asks for exist")
_HOLDERS = Look("core-holders", "no other process holds the NeuronCores")


def check(host: Host, releases: Releases) -> Iterator[Check]:
    """Whether the cores that the environment asks for exist, and which processes hold them."""
    listed = _listed(host)
    yield _cores(host, listed)
    yield _holders(host, listed)


def _listed(host: Host) -> list[dict[str, Any]] | None:
    """What `neuron-ls --json-output` says, one object per device; None without the tool or with other output."""
    text = host.run(("neuron-ls", "--json-output")) or ""
    try:
        data = json.loads(text[text.index("[") :])
    except ValueError:
        return None
    return [one for one in data if isinstance(one, dict)] if isinstance(data, list) else None


def _cores(host: Host, listed: list[dict[str, Any]] | None) -> Check:
    if listed is None:
        return _CORES.not_run("neuron-ls is not here or gives no list of devices")
    total = sum(int(one.get("nc_count", 0)) for one in listed)
    said = f"{len(listed)} devices, {total} NeuronCores"
    for name in ("NEURON_RT_VISIBLE_CORES", "NEURON_RT_NUM_CORES"):
        value = host.environ.get(name, "")
        wanted = _wanted(name, value)
        if wanted > total:
            return _CORES.fault(
                "NRT-CoresNotAvailable",
                f"{name}={value}, but there are {said}",
                variable=name,
                value=value,
                cores=str(total),
            )
    return _CORES.ok(said, devices=str(len(listed)), cores=str(total))


def _wanted(name: str, value: str) -> int:
    """How many cores a variable needs on the host at least: the highest index and one, or the count."""
    numbers = [int(one) for one in re.findall(r"\d+", value)]
    return (max(numbers) + (name == "NEURON_RT_VISIBLE_CORES")) if numbers else 0


def _holders(host: Host, listed: list[dict[str, Any]] | None) -> Check:
    if listed is None and not host.matches("/dev/neuron*"):
        return _HOLDERS.not_run("no Neuron device")
    listed_holders = {
        int(p["pid"]): str(p.get("command", ""))
        for one in listed or ()
        for p in one.get("neuron_processes") or ()
        if p.get("pid")
    }
    holders = listed_holders | _open(host)
    if holders:
        said = ", ".join(f"{pid} ({command[:60].strip() or 'unknown'})" for pid, command in sorted(holders.items())[:5])
        return _HOLDERS.fault(
            "DRV-DeviceInUse", f"held by process {said}", processes=", ".join(map(str, sorted(holders)))
        )
    return _HOLDERS.ok("no process has a Neuron device open, as far as this user may see")


def _open(host: Host) -> dict[int, str]:
    """Processes with an open /dev/neuron*, as /proc shows them to this user: pid → command line."""
    found = {}
    for path in host.matches("/proc/[0-9]*/fd/*"):
        try:
            target = os.readlink(host.path(path))
        except OSError:
            continue
        pid = path.split("/")[2]
        if re.search(r"/dev/neuron\d+$", target) and int(pid) != os.getpid():
            found[int(pid)] = (host.read(f"/proc/{pid}/cmdline") or "").replace("\0", " ")
    return found
