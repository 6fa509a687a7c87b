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
_READ, _LEAST_READ = 4 << 20, 64 << 10
_RESTED = 3
"""Looks in a row that find nothing new, after which a last line without an end is taken as it is."""
ABSENT, BINARY = "not there yet", "holds NUL or control bytes: not a text log"
ELSEWHERE, CUT = "elsewhere", "cut off"
NO_FILE = "no plain file, which alone can be followed; explain reads pipes and URLs"


@dataclass
class Followed:
    """One file. `window`: its last whole lines, the first of which has the number `first` (1-based).

    `rest`: the beginning of a line whose end is not there yet, at so many looks in a row as `waited` says.
    `behind`: there was more than was read at once. `fault`: why it is not followed, "" while it is.
    """

    path: Path
    window: bytes = b""
    first: int = 1
    rest: bytes = b""
    file: BinaryIO | None = None
    fault: str = ""
    waited: int = 0
    behind: bool = False

    @property
    def text(self) -> bytes:
        """What is kept of it, with a last line that has been without an end for some looks."""
        return self.window + plain(self.rest) if self.waited >= _RESTED else self.window

    def news(self, keep: int, most: int = _READ) -> bytes:
        """The whole lines that were added since the last call; the window then holds them and what it has room for.

        A line without an end is new once it has waited for it, and again as a whole when that has come. `most`: how
        many bytes are read at once.
        """
        text = self._added(keep, most)
        self.behind = len(text) == most
        if not text or self.fault == BINARY:
            return self._rested()
        self.waited = 0
        if self.first == 1 and not self.window and is_binary(text[:PROBE]):
            self.fault = BINARY
            return b""
        lines = self.rest + text
        cut = lines.rfind(b"\n") + 1 if len(lines) < _READ else len(lines)
        new, self.rest = plain(lines[:cut]), lines[cut:]
        self._extend(new, keep)
        return new

    def _rested(self) -> bytes:
        self.waited += bool(self.rest)
        return plain(self.rest) if self.waited == _RESTED else b""

    def ended(self) -> bytes:
        """Nothing more will be read: a last line without an end, where it is not known yet."""
        fresh, self.waited = self.waited < _RESTED, _RESTED
        return plain(self.rest) if fresh else b""

    def _extend(self, new: bytes, keep: int) -> None:
        whole = self.window + new
        start = max(0, len(whole) - max(keep, len(new)))
        start = whole.find(b"\n", start - 1) + 1 if start else 0
        self.first += whole.count(b"\n", 0, start)
        self.window = whole[start:]

    def _added(self, keep: int, most: int) -> bytes:
        if self.file is None:
            self._open(keep)
        if self.file is None:
            return b""
        if text := self.file.read(most):
            return text
        now = self._now()
        if text := self.file.read(most):  # written since, perhaps just before its name was given to another file
            return text
        if now == ELSEWHERE and self.rest:  # its last line ends here
            return b"\n"
        if now:
            self.close()
            self.window, self.rest, self.first = b"", b"", 1
        return b""

    def _open(self, keep: int) -> None:
        """Open the file; of one that is large already, only the end is read, but its lines are counted."""
        try:
            if not self.path.is_file():
                self.fault = NO_FILE if self.path.exists() else ABSENT
                return
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

    def _now(self) -> str:
        """What became of the file: its name means another one, or it was cut off; "" where it goes on."""
        if self.file is None:
            return ""
        try:
            now, ours = self.path.stat(), os.fstat(self.file.fileno())
        except OSError:
            return ""
        if (now.st_dev, now.st_ino) != (ours.st_dev, ours.st_ino):
            return ELSEWHERE
        return CUT if now.st_size < self.file.tell() else ""

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

    @property
    def behind(self) -> bool:
        """Whether more is there than was read at once."""
        return any(file.behind for file in self.files.values())

    def news(self) -> dict[str, bytes]:
        """What was added to which file."""
        most = min(_READ, max(_LEAST_READ, _TOGETHER // max(1, len(self.files))))
        return {name: text for name, file in self.files.items() if (text := file.news(self.keep, most))}

    def rests(self) -> dict[str, bytes]:
        """Of which file nothing more will be read, and the line without an end that it has."""
        return {name: text for name, file in self.files.items() if (text := file.ended())}
