"""The disk for artefacts: full or read-only, it is said as such, and never taken for what a compiler did."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from neurontriage.errors import TriageError

PROBE = 1 << 16
"""Bytes that must still fit after a case: a full disk leaves empty files, which read like a process that died."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EEXIST)


def check(folder: Path) -> None:
    """Makes the folder and writes a little into it; raises OSError where that cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / ".probe"
    try:
        probe.write_bytes(bytes(PROBE))
    finally:
        probe.unlink(missing_ok=True)


def ready(folder: Path) -> None:
    """The same before anything is done; raises TriageError (exit 2) for every reason that there may be."""
    with written(folder, (*NO_ROOM, errno.ENOENT)):
        check(folder)


@contextmanager
def written(folder: Path, numbers: Sequence[int] = NO_ROOM) -> Iterator[None]:
    """Turns an OSError of these numbers into a TriageError (exit 2); what was kept before stays."""
    try:
        yield
    except OSError as error:
        if error.errno not in numbers:
            raise
        raise TriageError(
            "cannot-write",
            f"{folder} cannot be written: {error.strerror or error}",
            "room and permission for artefacts, a few MB for each case",
            "results that are there are kept; the same command goes on from them, -o chooses another folder",
        ) from error
