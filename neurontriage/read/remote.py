"""Logs behind fsspec URLs (`s3://…`): one object, a folder (with `/` at its end), a glob. Needs the extra `fleet`."""

from __future__ import annotations

import glob
import io
import time
from contextlib import suppress
from typing import Any, BinaryIO, cast

from neurontriage.errors import TriageError

_WAITS = (0.2, 1.0, 3.0, None)
"""Seconds before each new try."""


def _fsspec(url: str) -> Any:
    try:
        import fsspec
    except ImportError as error:
        hint = "pip install 'neurontriage[fleet]'"
        raise TriageError("no-fsspec", f"{url}: URLs need the extra `fleet`", "a local path", hint) from error
    return fsspec


def _refused(url: str, said: object) -> TriageError:
    said = str(said) or type(said).__name__
    return TriageError("unreadable-input", f"{url}: {said}", "a URL that fsspec can open", f"aws s3 ls {url}")


def listed(url: str) -> list[str]:
    """The objects that a URL means, sorted: all below a folder, what fits a glob, else itself."""
    if not url.endswith("/") and not glob.has_magic(url):
        return [url]
    try:
        files, path = _fsspec(url).core.url_to_fs(url)
        names = files.find(path) if url.endswith("/") else files.glob(path)
        found = sorted(files.unstrip_protocol(name) for name in names if not name.endswith("/"))
    except TriageError:
        raise
    except Exception as error:  # each store's client has faults of its own: no credentials, no such bucket
        raise _refused(url, error) from error
    if not found:
        raise _refused(url, "there is nothing")
    return found


def opened(url: str) -> BinaryIO:
    """The bytes of an object as they are stored. Where the connection breaks, it is opened again and goes on there."""
    return cast(BinaryIO, _Steady(url))


class _Steady(io.RawIOBase):
    """Reads on where a connection broke, a few times: stores answer "slow down", and close long connections."""

    def __init__(self, url: str) -> None:
        self._url, self._at, self._stream = url, 0, self._open(url)

    @staticmethod
    def _open(url: str) -> Any:
        try:
            return _fsspec(url).open(url, "rb").open()
        except TriageError:
            raise
        except Exception as error:
            raise _refused(url, error) from error

    def readable(self) -> bool:
        """True: asked by io.BufferedReader."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as one read goes. Raises OSError where it breaks again and again."""
        for wait in _WAITS:
            try:
                data = self._stream.read(len(buffer))
            except Exception as error:
                if wait is None:
                    raise OSError(f"{type(error).__name__}: {error}") from error
                time.sleep(wait)
                self._again()
            else:
                buffer[: len(data)] = data
                self._at += len(data)
                return len(data)
        raise AssertionError("the last try gives bytes or an error")

    def _again(self) -> None:
        with suppress(Exception):
            self._stream.close()
        with suppress(Exception):  # else the next read fails, and tells why
            self._stream = self._open(self._url)
            self._stream.seek(self._at)
