"""The compile cache: where it is, how big, what is locked for long, what failed and will be replayed."""

from __future__ import annotations

import os
import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

from neurontriage.doctor.check import Check, Look
from neurontriage.doctor.host import Host
from neurontriage.knowledge.versions import Releases

_PLACE = Look("cache-folder", "the compile cache is kept and can be written")
_LOCKS = Look("cache-locks", "no lock in the compile cache is left over")
_FAILED = Look("cache-failed", "no failed compilation waits in the cache to be replayed")
_SPACE = Look("cache-space", "there is room for the compile cache")
DEFAULT = "/var/tmp/neuron-compile-cache"
_OLD = 6 * 3600
_MOST = 200_000
_LEAST = 2 << 30


def check(host: Host, releases: Releases) -> Iterator[Check]:
    """Place, locks, failed modules, space."""
    place = folder(host)
    yield _place(host, place)
    if "://" in place or not host.path(place).is_dir():
        why = "the cache is remote" if "://" in place else "there is no cache yet"
        yield from (look.not_run(why) for look in (_LOCKS, _FAILED, _SPACE))
        return
    files = _files(host.path(place))
    yield _locks(files)
    yield _failed(files)
    yield _space(host, place, files)


def folder(host: Host) -> str:
    """`--cache_dir` in NEURON_CC_FLAGS, else NEURON_COMPILE_CACHE_URL, else the default."""
    flags = host.environ.get("NEURON_CC_FLAGS", "")
    found = re.search(r"--cache_dir[= ]+(\S+)", flags)
    named = found[1] if found else host.environ.get("NEURON_COMPILE_CACHE_URL", "")
    return shlex.split(named)[0].removeprefix("file://") if named.strip() else DEFAULT


def _place(host: Host, place: str) -> Check:
    if re.match(r"(?:s3|gs)://", place):
        return _PLACE.ok(f"{place} (remote, not looked into)", cache=place)
    if re.match(r"/tmp/tmp[\w-]+|/dev/shm/", place):
        return _PLACE.fault(
            "CACHE-TemporaryDirectory", f"{place} is temporary: nothing is kept between runs", cache=place
        )
    existing = host.path(place)
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    if not os.access(existing, os.W_OK):
        return _PLACE.fault("CACHE-PermissionDenied", f"{place}: this user may not write there", cache=place)
    return _PLACE.ok(place + ("" if host.path(place).exists() else " (not there yet)"), cache=place)


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for root, _, names in os.walk(folder):
        found += [Path(root, name) for name in names]
        if len(found) > _MOST:
            break
    return sorted(found)


def _locks(files: list[Path]) -> Check:
    """Locks of the cache are advisory: a left-over file alone holds nobody, one that is old and beside no NEFF may."""
    now = time.time()
    old = [one for one in files if one.suffix == ".lock" and now - one.stat().st_mtime > _OLD and not _compiled(one)]
    if old:
        hours = int((now - min(one.stat().st_mtime for one in old)) / 3600)
        return _LOCKS.fault(
            "CACHE-LockTimeout", f"{len(old)} locks without a NEFF, the oldest {hours} hours old", lock=_module(old[0])
        )
    return _LOCKS.ok(f"{sum(one.suffix == '.lock' for one in files)} lock files, none of them stale")


def _compiled(lock: Path) -> bool:
    return (lock.parent / "model.neff").exists() or (lock.parent / "model.done").exists()


def _failed(files: list[Path]) -> Check:
    """A module whose folder holds `model.log` and no `model.neff` failed: its error is replayed."""
    modules = {one.parent for one in files if one.name == "model.log" and not (one.parent / "model.neff").exists()}
    if modules:
        names = ", ".join(sorted(one.name for one in modules)[:3])
        return _FAILED.fault(
            "CACHE-FailedNeffSkipped", f"{len(modules)} failed earlier: {names}", modules=str(len(modules))
        )
    return _FAILED.ok(f"{sum(one.name == 'model.neff' for one in files)} compiled modules, none failed")


def _module(path: Path) -> str:
    return next((part for part in path.parts if part.startswith("MODULE_")), path.name)


def _space(host: Host, place: str, files: list[Path]) -> Check:
    size = sum(one.lstat().st_size for one in files)
    counts = os.statvfs(host.path(place))
    free = counts.f_bavail * counts.f_frsize
    said = f"{len(files)} files, {size / 1e9:.1f} GB; {free / 1e9:.0f} GB free"
    if free < _LEAST:
        return _SPACE.fault("HOST-NoSpace", f"{place}: {said}", free=str(free))
    return _SPACE.ok(said, size=str(size), free=str(free))
