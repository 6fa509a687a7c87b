"""Growing files, as `tail -F` follows them: rotation, truncation, files that come later; memory stays bounded."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from neurontriage.errors import TriageError
from neurontriage.read.encoding import PROBE, is_binary, plain
from neurontriage.read.inputs import find

_TOGETHER = 32 << 20
_MOST, _LEAST = 256 << 10, 8 << 10
_READ = 4 << 20
ABSENT, BINARY = "not there yet", "holds NUL or control bytes: not a text log"


@dataclass
class Followed:
    """One file. `window`: its last whole lines, the first of which has the number `first` (1-based).

    `fault`: why it is not followed, "" while it is.
    """

    path: Path
    window: bytes = b""
    first: int = 1
    rest: bytes = b""
    file: BinaryIO | None = None
    fault: str = ""

    def news(self, keep: int) -> bytes:
        """The whole lines that were added since the last call; the window then holds them and what it has room for."""
        text = self._added(keep)
        if not text or self.fault == BINARY:
            return b""
        if self.first == 1 and not self.window and is_binary(text[:PROBE]):
            self.fault = BINARY
            return b""
        lines = self.rest + text
        cut = lines.rfind(b"\n") + 1 if len(lines) < _READ else len(lines)
        new, self.rest = plain(lines[:cut]), lines[cut:]
        self._extend(new, keep)
        return new

    def _extend(self, new: bytes, keep: int) -> None:
        whole = self.window + new
        start = max(0, len(whole) - max(keep, len(new)))
        start = whole.find(b"\n", start - 1) + 1 if start else 0
        self.first += whole.count(b"\n", 0, start)
        self.window = whole[start:]

    def _added(self, keep: int) -> bytes:
        if self.file is None:
            self._open(keep)
        if self.file is None:
            return b""
        text = self.file.read(_READ)
        if text:
            return text
        if self._replaced():
            self.close()
            self.window, self.rest, self.first = b"", b"", 1
        return b""

    def _open(self, keep: int) -> None:
        """Open the file; of one that is large already, only the end is read, but its lines are counted."""
        try:
            self.file = self.path.open("rb")
            size = os.fstat(self.file.fileno()).st_size
        except OSError as error:
            self.fault = error.strerror or str(error)
            return
        self.fault = ""
        while size - self.file.tell() > _READ + keep:
            skipped = self.file.read(_READ)
            self.first += skipped.count(b"\n")
            if not skipped:
                return

    def _replaced(self) -> bool:
        """Whether the name means another file now, or the file was cut off."""
        if self.file is None:
            return False
        try:
            now, ours = self.path.stat(), os.fstat(self.file.fileno())
        except OSError:
            return False
        return (now.st_dev, now.st_ino) != (ours.st_dev, ours.st_ino) or now.st_size < self.file.tell()

    def close(self) -> None:
        """Let go of the file; the next call opens it again."""
        if self.file is not None:
            self.file.close()
            self.file = None


@dataclass
class Flock:
    """All files that the paths mean, now and later."""

    paths: tuple[str, ...]
    files: dict[str, Followed] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)

    @property
    def keep(self) -> int:
        """How many bytes of each file may be kept."""
        return min(_MOST, max(_LEAST, _TOGETHER // max(1, len(self.files))))

    def look(self) -> None:
        """Find the files that are new."""
        self.absent = []
        for path in self.paths:
            try:
                found: Iterable[Path] = [one.path for one in find([path]) if one.path is not None]
            except (TriageError, OSError):
                self.absent.append(path)
                continue
            for one in found:
                self.files.setdefault(str(one), Followed(one))

    def faults(self) -> dict[str, str]:
        """Paths where there is nothing to follow now, and files that cannot be: why."""
        return dict.fromkeys(self.absent, ABSENT) | {name: one.fault for name, one in self.files.items() if one.fault}

    def news(self) -> dict[str, bytes]:
        """What was added to which file."""
        return {name: text for name, file in self.files.items() if (text := file.news(self.keep))}
