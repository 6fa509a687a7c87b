"""Where the message of an entry stands: digests of passages, checked wherever a clone of the sources is at hand."""

from __future__ import annotations

import hashlib
import subprocess
from functools import lru_cache
from pathlib import Path

from neurontriage.knowledge.schema import SourceText


def digest(passage: str) -> str:
    """The digest of a passage: over its words joined by single blanks, so that indentation does not count."""
    return "sha256:" + hashlib.sha256(" ".join(passage.split()).encode()).hexdigest()[:16]


def checkout(folder: Path, repo: str) -> Path | None:
    """The clone of a repository below a folder: owner/name, owner+name or name, bare or not; None without one."""
    owner, name = repo.split("/")
    for place in (folder / owner / name, folder / f"{owner}+{name}", folder / name):
        for clone in (place, place / "repo", place / ".git"):
            if (clone / "HEAD").is_file():
                return clone
    return None


def passage(clone: Path, source: SourceText) -> str | None:
    """The lines of a file at a commit; None when the clone does not hold them."""
    text = _file(str(clone), f"{source.commit}:{source.file}")
    first, _, last = (source.lines or "1").partition("-")
    lines = text.split("\n")[int(first) - 1 : int(last or first)] if text is not None else []
    return "\n".join(lines) or None


def fault(clone: Path, source: SourceText) -> str | None:
    """What is wrong with a source of which a clone is at hand; None when all is as the digest says."""
    text, place = passage(clone, source), f"{source.repo} {source.file}:{source.lines}"
    if text is None:
        return f"{place} at {source.commit} is not to be found"
    if digest(text) != source.digest:
        return f"{place} at {source.commit} is another passage: {digest(text)}"
    newest = _file(str(clone), f"HEAD:{source.file}")
    if newest is None or " ".join(text.split()) not in _flat(newest):
        return f"{place} stands no longer in the newest state of the repository"
    return None


@lru_cache(maxsize=64)
def _flat(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=2048)
def _file(clone: str, name: str) -> str | None:
    """A file out of a clone's history; nothing is checked out."""
    command = ["git", "-C", clone, "--no-pager", "show", name]
    shown = subprocess.run(command, capture_output=True, check=False)
    return shown.stdout.decode("utf-8", "replace") if shown.returncode == 0 else None
