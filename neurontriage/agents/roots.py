"""Which files an agent may have read: those below the given roots, seen through every link."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from neurontriage.errors import TriageError

MOST_PATHS = 50
MOST_FILES = 10_000
MOST_BYTES = 4 << 30


class Roots:
    """Folders that may be looked into. Nothing outside is opened, whatever a path or a link says."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = tuple(folder.resolve() for folder in folders)

    def checked(self, paths: Sequence[str]) -> list[str]:
        """The paths, resolved. Raises TriageError for what lies outside, is no file or folder, or is too much."""
        if not 0 < len(paths) <= MOST_PATHS:
            raise TriageError("wrong-paths", f"{len(paths)} paths", f"1 to {MOST_PATHS} files or folders")
        return [str(self._checked(path)) for path in paths]

    def _checked(self, text: str) -> Path:
        path = self._inside(text)
        if path.is_dir():
            self._bounded(path)
        elif not path.is_file():
            raise TriageError("no-such-input", f"{text}: no such file or folder", self._said())
        return path

    def _inside(self, text: str) -> Path:
        if "\0" in text or "://" in text:
            raise TriageError("wrong-path", "not a path of this machine", self._said())
        given = Path(text)
        candidates = [given] if given.is_absolute() else [folder / given for folder in self._folders]
        inside = [one for one in (candidate.resolve() for candidate in candidates) if self._holds(one)]
        if not inside:
            raise TriageError("outside-roots", f"{text}: outside of the folders that may be read", self._said())
        return next((one for one in inside if one.exists()), inside[0])

    def _holds(self, path: Path) -> bool:
        return any(path == folder or folder in path.parents for folder in self._folders)

    def _bounded(self, folder: Path) -> None:
        """A folder is refused when something below it leads outside, or when it is too much to read."""
        files = size = 0
        for root, _, names in os.walk(folder):
            for name in names:
                path = Path(root, name)
                if path.is_symlink() and not self._holds(path.resolve()):
                    raise TriageError("outside-roots", f"{path}: a link that leads outside", self._said())
                files, size = files + 1, size + path.lstat().st_size
        if files > MOST_FILES or size > MOST_BYTES:
            limit = f"at most {MOST_FILES:,} files and {MOST_BYTES >> 30} GiB"
            raise TriageError(
                "too-much", f"{folder}: {files:,} files, {size / 1e9:.1f} GB", limit, "name the logs themselves"
            )

    def _said(self) -> str:
        return "a file or folder below " + ", ".join(map(str, self._folders))
