"""Bytes and plain data in files: guarded by length and checksum, written atomically, never trusted from other users."""

from __future__ import annotations

import contextlib
import errno
import marshal
import os
import stat
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

GUARD, _LENGTH = 12, 8
_FORMAT = 2  # of marshal: every Python reads it, and the same data give the same bytes (later ones count references)
_KEPT = 3
_UNFINISHED, _HOUR = ".part", 3600


def _guard(raw: bytes, name: str) -> bytes:
    """Length and checksum: a file that was cut off or damaged is never taken for a whole one, nor for another's."""
    return _length(len(raw)) + zlib.crc32(raw, zlib.crc32(os.fsencode(name))).to_bytes(GUARD - _LENGTH, "big")


def _length(size: int) -> bytes:
    return size.to_bytes(_LENGTH, "big")


def packed(data: Any) -> bytes:
    """Plain data as bytes."""
    return marshal.dumps(data, _FORMAT)


def unpacked(raw: bytes) -> Any:
    """The plain data in bytes. Raises EOFError, ValueError or TypeError where there are none."""
    return marshal.loads(raw)


def guarded(raw: bytes, name: str = "") -> bytes:
    """The bytes of a file of the cache that holds these under its `name`, or of one that is shipped, whatever its."""
    return _guard(raw, name) + raw


def read_bytes(path: Path, shipped: bool = False, file: int | None = None) -> bytes | None:
    """What a file holds; None where there is none that is whole. `file`: it is open as this, and stays open.

    `shipped`: it lies beside the program, and so is as trustworthy as that, whoever owns it. What is kept under another
    name is not taken: another version, or of other patterns.
    """
    try:
        status = os.stat(path if file is None else file)
        if not shipped and hasattr(os, "geteuid") and status.st_uid not in (0, os.geteuid()):
            return None  # what another user has written is not trusted
        if not stat.S_ISREG(status.st_mode):
            return None  # a pipe would be waited for, a device has no end
        with open(path if file is None else file, "rb", buffering=0, closefd=file is None) as opened:
            guard = opened.read(GUARD)
            raw = opened.read() if guard[:_LENGTH] == _length(status.st_size - GUARD) else b""
    except (OSError, OverflowError):
        return None
    return raw if guard == _guard(raw, "" if shipped else path.name) else None


def read(path: Path, shipped: bool = False) -> dict[str, Any] | None:
    """The plain data in a file; None where there is none that is whole."""
    raw = read_bytes(path, shipped)
    try:
        data: dict[str, Any] | None = None if raw is None else unpacked(raw)
    except (EOFError, ValueError, TypeError):
        return None
    return data


def writable(path: Path) -> bool:
    """Whether a file could be kept there."""
    folder = next((one for one in path.parents if one.exists()), path.parent)
    return os.access(folder, os.W_OK)


def write(path: Path, raw: bytes) -> None:
    """Keep bytes; a place that cannot be written only costs time."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _replace(path, [guarded(raw, path.name)], 0o600)
        _prune(path)


def place(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file for the user: who looks sees the old one or the whole new one. Raises OSError, and leaves the old.

    A link stays one. A pipe or device is written to, as is a file in a folder in which nothing new can be made.
    """
    found = path.resolve()
    known = found.stat() if found.exists() else None
    if known is not None and (not stat.S_ISREG(known.st_mode) or not os.access(found.parent, os.W_OK)):
        with found.open("wb") as file:
            file.writelines(pieces)
        return
    if known is not None and not os.access(found, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    _replace(found, pieces, stat.S_IMODE(known.st_mode) if known else None)


def _replace(path: Path, pieces: Iterable[bytes], mode: int | None) -> None:
    """Write beside a file and rename; `mode`: None for that of a new file."""
    beside = path.parent / f".{os.urandom(8).hex()}{_UNFINISHED}"
    handle = os.open(
        beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666 if mode is None else 0o600
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if mode not in (None, 0o600):
            os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def _prune(newest: Path) -> None:
    """Old forms of the same kind go, and what a program that was killed left: the cache does not grow."""
    with contextlib.suppress(OSError):
        for left in newest.parent.glob(f"*{_UNFINISHED}"):
            if left.stat().st_mtime < newest.stat().st_mtime - _HOUR:
                left.unlink(missing_ok=True)
        found = sorted(newest.parent.glob(f"*{newest.suffix}"), key=lambda p: p.stat().st_mtime, reverse=True)
        for path in found[_KEPT:]:
            path.unlink(missing_ok=True)
