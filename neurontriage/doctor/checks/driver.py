"""Kernel module, device nodes, runtime library, and whether driver and runtime work together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neurontriage.doctor.check import Check, Look
from neurontriage.doctor.host import Host
from neurontriage.knowledge.versions import Releases

_LOADED = Look("driver", "the Neuron kernel module is loaded")
_NODES = Look("device-nodes", "the device nodes can be opened")
_RUNTIME = Look("runtime-library", "the Neuron runtime library is installed")
_PAIR = Look("driver-and-runtime", "driver and runtime library work together")
_VENDOR, _NEURON_DEVICES = "0x1d0f", re.compile(r"0x(?:7064|7065|7066|7067|7164|7264|7364)$")


def check(host: Host, releases: Releases) -> Iterator[Check]:
    """Whether module, device nodes and runtime library are there, and driver and runtime fit each other."""
    driver, runtime = driver_version(host), runtime_version(host)
    yield _loaded(host, driver)
    yield _nodes(host)
    yield _library(host, runtime)
    yield _pair(driver, runtime, releases)


def on_pci(host: Host) -> int:
    """How many Neuron devices the PCI bus shows (vendor 1d0f with a device id of the driver's table)."""
    ids = [(host.read(f"{one}/vendor"), host.read(f"{one}/device")) for one in host.matches("/sys/bus/pci/devices/*")]
    return sum(
        (vendor or "").strip() == _VENDOR and bool(_NEURON_DEVICES.match((device or "").strip()))
        for vendor, device in ids
    )


def driver_version(host: Host) -> str | None:
    """The version of the loaded kernel module; "" when it is loaded and tells none, None when it is not loaded."""
    version = host.read("/sys/module/neuron/version")
    if version is not None:
        return version.strip()
    modules = host.read("/proc/modules") or ""
    return "" if re.search(r"^neuron ", modules, re.MULTILINE) else None


def runtime_version(host: Host) -> str | None:
    """The version of libnrt: from the name of the library, else from the package database."""
    for path in host.matches("/opt/aws/neuron/lib/libnrt.so.*"):
        if found := re.search(r"libnrt\.so\.(\d+\.\d[\d.]*)$", path):
            return found[1]
    listed = host.run(("dpkg-query", "-W", "-f", "${Package} ${Version}\\n", "aws-neuronx-runtime-lib")) or ""
    found = re.search(r"aws-neuronx-runtime-lib (\d[\d.]*)", listed)
    return found[1] if found else None


def _loaded(host: Host, version: str | None) -> Check:
    if version is not None:
        return _LOADED.ok(f"module neuron {version or 'of unknown version'}", driver=version)
    devices = on_pci(host)
    if devices:
        status = host.run(("dkms", "status")) or ""
        if "neuron" in status and "installed" not in status:
            return _LOADED.fault(
                "DKMS-BuildFailed", f"{devices} devices on the PCI bus; dkms: {_line(status)}", dkms=_line(status)
            )
        return _LOADED.fault(
            "DRV-NotLoaded", f"{devices} Neuron devices on the PCI bus, but no module neuron", devices=str(devices)
        )
    if host.matches("/dev/neuron*"):
        return _LOADED.not_run("device nodes are here, but /sys/module is not shown (a container)")
    return _LOADED.not_run("no Neuron device on the PCI bus")


def _line(status: str) -> str:
    return next((line.strip() for line in status.splitlines() if "neuron" in line), "")


def _nodes(host: Host) -> Check:
    nodes = [one for one in host.matches("/dev/neuron*") if re.fullmatch(r"/dev/neuron\d+", one)]
    if not nodes:
        if driver_version(host) is not None:
            return _NODES.fault("DRV-DeviceNodeMissing", "the module is loaded, but there is no /dev/neuron*")
        return _NODES.not_run("no /dev/neuron*")
    closed = [one for one in nodes if not _readable(host, one)]
    if closed:
        return _NODES.fault(
            "DRV-DevicePermission", f"no permission to open {', '.join(closed[:4])}", devices=", ".join(closed)
        )
    return _NODES.ok(f"{len(nodes)} device nodes", devices=str(len(nodes)))


def _readable(host: Host, node: str) -> bool:
    import os

    return os.access(host.path(node), os.R_OK | os.W_OK)


def _library(host: Host, version: str | None) -> Check:
    if version is not None:
        return _RUNTIME.ok(f"libnrt {version}", runtime=version)
    if host.matches("/dev/neuron*") or driver_version(host) is not None:
        return _RUNTIME.fault("PKG-LibnrtMissing", "a Neuron device is here, but no libnrt in /opt/aws/neuron/lib")
    return _RUNTIME.not_run("no Neuron device and no runtime library")


def _pair(driver: str | None, runtime: str | None, releases: Releases) -> Check:
    if not driver or not runtime:
        return _PAIR.not_run("the versions of driver and runtime library are not both known")
    notes = [note for note in releases.ended({"driver": driver, "runtime": runtime}) if "driver" in note]
    said = f"driver {driver}, runtime library {runtime}"
    if notes:
        return _PAIR.fault("DRV-TooOld", f"{said}: {notes[0]}", driver=driver, runtime=runtime)
    return _PAIR.ok(said, driver=driver, runtime=runtime)
