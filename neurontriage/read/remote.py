"""Logs behind fsspec URLs (`s3://…`): one object, a folder (with `/` at its end), a glob. Needs the extra `fleet`."""

from __future__ import annotations

import glob
from typing import Any, BinaryIO, cast

from neurontriage.errors import TriageError

_FAULTS = (OSError, ValueError, ImportError)


def _fsspec(url: str) -> Any:
    try:
        import fsspec
    except ImportError as error:
        hint = "pip install 'neurontriage[fleet]'"
        raise TriageError("no-fsspec", f"{url}: URLs need the extra `fleet`", "a local path", hint) from error
    return fsspec


def _refused(url: str, said: object) -> TriageError:
    return TriageError("unreadable-input", f"{url}: {said}", "a URL that fsspec can open", f"aws s3 ls {url}")


def listed(url: str) -> list[str]:
    """The objects that a URL means, sorted: all below a folder, what fits a glob, else itself."""
    if not url.endswith("/") and not glob.has_magic(url):
        return [url]
    try:
        files, path = _fsspec(url).core.url_to_fs(url)
        names = files.find(path) if url.endswith("/") else files.glob(path)
        found = sorted(files.unstrip_protocol(name) for name in names if not name.endswith("/"))
    except _FAULTS as error:
        raise _refused(url, error) from error
    if not found:
        raise _refused(url, "there is nothing")
    return found


def opened(url: str) -> BinaryIO:
    """The bytes of an object, with its compression undone."""
    try:
        return cast(BinaryIO, _fsspec(url).open(url, "rb", compression="infer").open())
    except _FAULTS as error:
        raise _refused(url, error) from error
