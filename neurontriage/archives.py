"""Compressed files and archives → streams, bounded in size, count and depth; nothing is ever written to disk."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from neurontriage.errors import TriageError

LARGEST = 8 << 30
MOST_MEMBERS = 10_000
_ZSTD = b"\x28\xb5\x2f\xfd"
_BROKEN = (EOFError, gzip.BadGzipFile, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile, zlib.error)


class Bounded(io.RawIOBase):
    """A readable stream that refuses to give more than `limit` bytes and names its source when it breaks."""

    def __init__(self, stream: BinaryIO, name: str, limit: int = LARGEST) -> None:
        self._stream, self._name, self._left = stream, name, limit

    def read(self, size: int = -1) -> bytes:
        try:
            data = self._stream.read(size)
        except (*_BROKEN, OSError, RuntimeError) as error:
            raise broken(self._name, error) from error
        self._left -= len(data)
        if self._left < 0:
            raise TriageError(
                "archive-too-large",
                f"{self._name}: unpacks to more than {LARGEST >> 30} GiB",
                "a log, not an archive bomb",
                "unpack it yourself and name the files that matter",
            )
        return data

    def close(self) -> None:
        self._stream.close()
        super().close()


def broken(name: str, error: Exception) -> TriageError:
    """The refusal of an archive that cannot be unpacked to its end."""
    return TriageError(
        "broken-archive",
        f"{name}: the compressed data is damaged or cut off ({error})",
        "a whole .gz, .xz, .bz2, .zst, .zip or .tar file",
        "copy it again, or unpack what can be saved and name that file",
    )


def opened(path: Path) -> BinaryIO:
    """A file as a stream of its plain bytes; the compression is told by its first bytes, not its name."""
    with path.open("rb") as probe:
        head = probe.read(6)
    stream: object
    if head.startswith(b"\x1f\x8b"):
        stream = gzip.open(path, "rb")
    elif head.startswith(b"\xfd7zXZ"):
        stream = lzma.open(path, "rb")
    elif head.startswith(b"BZh"):
        stream = bz2.open(path, "rb")
    elif head.startswith(_ZSTD):
        stream = _zstd(path)
    else:
        return path.open("rb")
    return cast(BinaryIO, Bounded(cast(BinaryIO, stream), str(path)))


def _zstd(path: Path) -> BinaryIO:
    return cast(BinaryIO, _ZstdStream(path.open("rb")))


class _ZstdStream(io.RawIOBase):
    """Zstandard frames, one after the other; unlike the library's own reader it tells when the last is cut off.

    It feeds the decoder by the kilobyte, because one compressed byte can stand for 32 KiB of text.
    """

    _FED = 1 << 10

    def __init__(self, source: BinaryIO) -> None:
        self._source, self._rest = source, b""
        self._frame: Any = None

    def read(self, size: int = -1) -> bytes:
        import zstandard

        while raw := self._rest or self._source.read(self._FED):
            if self._frame is None or self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
            try:
                data = self._frame.decompress(raw)
            except zstandard.ZstdError as error:
                raise EOFError(str(error)) from error
            self._rest = self._frame.unused_data if self._frame.eof else b""
            if data:
                return bytes(data)
        if self._frame is not None and not self._frame.eof:
            raise EOFError("the last frame is cut off")
        return b""

    def close(self) -> None:
        self._source.close()
        super().close()


def members(path: Path) -> Iterator[tuple[str, BinaryIO]] | None:
    """The files in a .zip or .tar (compressed or not) as (name, stream); None when it is no archive.

    Archives inside archives are not opened (they are refused as binaries); links and devices are left out.
    """
    if zipfile.is_zipfile(path):
        return _zip(path)
    try:
        return _tar(path) if tarfile.is_tarfile(path) else _tar_zst(path)
    except (OSError, EOFError, lzma.LZMAError, zlib.error):
        return None


def _zip(path: Path) -> Iterator[tuple[str, BinaryIO]]:
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            _count(path, len(infos))
            for info in sorted(infos, key=lambda info: info.filename):
                with archive.open(info) as stream:
                    yield (
                        info.filename,
                        cast(BinaryIO, Bounded(cast(BinaryIO, stream), f"{path}!{info.filename}")),
                    )
    except (*_BROKEN, NotImplementedError, RuntimeError) as error:
        raise broken(str(path), error) from error


def _tar_zst(path: Path) -> Iterator[tuple[str, BinaryIO]] | None:
    if path.name.endswith((".tar.zst", ".tzst")):
        return _tar(path, opened(path))
    return None


def _tar(path: Path, stream: BinaryIO | None = None) -> Iterator[tuple[str, BinaryIO]]:
    seen = 0
    try:
        with tarfile.open(path, "r|*" if stream is None else "r|", fileobj=stream) as archive:
            for info in archive:
                seen += 1
                _count(path, seen)
                inside = archive.extractfile(info) if info.isfile() else None
                if inside is not None:
                    yield info.name, cast(BinaryIO, Bounded(cast(BinaryIO, inside), f"{path}!{info.name}"))
    except _BROKEN as error:
        raise broken(str(path), error) from error


def _count(path: Path, number: int) -> None:
    if number > MOST_MEMBERS:
        raise TriageError(
            "archive-too-many",
            f"{path}: holds more than {MOST_MEMBERS} files",
            "the logs of one incident",
            "unpack it yourself and name the files that matter",
        )
