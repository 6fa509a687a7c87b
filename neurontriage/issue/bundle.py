"""The bundle of an issue: redacted logs, the diagnosis, the script and added files, with a manifest of digests."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from neurontriage import __version__
from neurontriage.errors import TriageError
from neurontriage.render.redaction import Redactor

SCHEMA = "neurontriage.bundle/1"
_TEXT_LIMIT = 32 << 20
_LARGEST = 512 << 20


@dataclass
class Bundle:
    """Files by name, in the order they were added; texts go through one redactor, so that placeholders agree."""

    redactor: Redactor
    files: dict[str, bytes] = field(default_factory=dict)
    rows: list[dict[str, object]] = field(default_factory=list)

    def text(self, name: str, text: str, left_out: int = 0) -> str:
        """Add a text without its secrets; gives the text as it was added."""
        before = Counter(self.redactor.counts)
        shown = self.redactor.text(text)
        self._add(name, shown.encode("utf-8", "replace"), dict(self.redactor.counts - before), left_out)
        return shown

    def file(self, path: Path) -> None:
        """Add a file as the user asks: text redacted, anything else as it is, which the manifest says.

        Raises TriageError when it cannot be read or is larger than 512 MB.
        """
        try:
            content = path.read_bytes() if path.stat().st_size <= _LARGEST else None
        except OSError as error:
            raise TriageError(
                "unreadable-input", f"{path}: {error.strerror}", "a file that this user may read"
            ) from error
        if content is None:
            raise TriageError(
                "too-large", f"{path}: over 512 MB", "a smaller file", "cut it, or link to it in the issue"
            )
        decoded = _decoded(content)
        if decoded is None:
            self._add(f"added/{path.name}", content, None, 0)
        else:
            self.text(f"added/{path.name}", decoded)

    def _add(self, name: str, content: bytes, redactions: dict[str, int] | None, left_out: int) -> None:
        name = self._free(name)
        self.files[name] = content
        digest = hashlib.sha256(content).hexdigest()
        self.rows.append(
            {
                "name": name,
                "bytes": len(content),
                "sha256": digest,
                "redactions": redactions,
                "lines_left_out": left_out,
            }
        )

    def _free(self, name: str) -> str:
        clean = "/".join(re.sub(r"[^\w.+-]", "_", part) for part in name.split("/") if part not in ("", ".", ".."))
        stem, number = clean, 1
        while clean in self.files:
            number += 1
            clean = f"{stem}.{number}"
        return clean

    def manifest(self) -> str:
        """What is in the bundle; `redactions` null means a file that is no text and was not looked into."""
        data = {"schema": SCHEMA, "tool": {"version": __version__}, "files": self.rows}
        return json.dumps(data, indent=2) + "\n"

    def packed(self) -> bytes:
        """The .tar.gz: the same bytes for the same content."""
        out = io.BytesIO()
        with gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as tar:
            for name, content in [("manifest.json", self.manifest().encode()), *self.files.items()]:
                info = tarfile.TarInfo(f"neurontriage-bundle/{name}")
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
        return out.getvalue()


def _decoded(content: bytes) -> str | None:
    if len(content) > _TEXT_LIMIT or b"\0" in content[:65536]:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def member_names(paths: Iterable[str]) -> dict[str, str]:
    """The names of logs in a bundle: below `logs/`, without the folders that all of them share."""
    listed = [path.replace("\\", "/") for path in paths]
    parts = [path.split("/")[:-1] for path in listed]
    shared = 0
    while parts and all(len(one) > shared and one[shared] == parts[0][shared] for one in parts):
        shared += 1
    return {path: "logs/" + "/".join(path.split("/")[shared:]) for path in listed}
