"""Bytes and plain data in files: guarded by length and checksum, written atomically, never trusted from other users."""

from __future__ import annotations

import contextlib
import marshal
import os
import zlib
from pathlib import Path
from typing import Any

GUARD = 12
_FORMAT = 2  # of marshal: every Python reads it, and the same data give the same bytes (later ones count references)
_KEPT = 3
_UNFINISHED, _HOUR = ".part", 3600


def _guard(raw: bytes) -> bytes:
    """Length and checksum: a file that was cut off or damaged is never taken for a whole one."""
    return len(raw).to_bytes(8, "big") + zlib.crc32(raw).to_bytes(4, "big")


def packed(data: Any) -> bytes:
    """Plain data as bytes."""
    return marshal.dumps(data, _FORMAT)


def unpacked(raw: bytes) -> Any:
    """The plain data in bytes. Raises EOFError, ValueError or TypeError where there are none."""
    return marshal.loads(raw)


def guarded(raw: bytes) -> bytes:
    """The bytes of a file that holds these."""
    return _guard(raw) + raw


def read_bytes(path: Path | int, shipped: bool = False) -> bytes | None:
    """What a file holds; None where there is none that is whole. An open file stays open.

    `shipped`: it lies beside the program, and so is as trustworthy as that, whoever owns it.
    """
    try:
        if not shipped and hasattr(os, "geteuid") and os.stat(path).st_uid not in (0, os.geteuid()):
            return None  # what another user has written is not trusted
        with open(path, "rb", buffering=0, closefd=not isinstance(path, int)) as file:
            guard, raw = file.read(GUARD), file.read()
    except OSError:
        return None
    return raw if guard == _guard(raw) else None


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
    import tempfile

    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=_UNFINISHED)
        with os.fdopen(handle, "wb") as file:
            file.write(guarded(raw))
        os.replace(name, path)
        _prune(path)


def _prune(newest: Path) -> None:
    """Old forms of the same kind go, and what a program that was killed left: the cache does not grow."""
    with contextlib.suppress(OSError):
        for left in newest.parent.glob(f"*{_UNFINISHED}"):
            if left.stat().st_mtime < newest.stat().st_mtime - _HOUR:
                left.unlink(missing_ok=True)
        found = sorted(newest.parent.glob(f"*{newest.suffix}"), key=lambda p: p.stat().st_mtime, reverse=True)
        for path in found[_KEPT:]:
            path.unlink(missing_ok=True)
