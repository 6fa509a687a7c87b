"""Compressed files and archives → streams, bounded in size, count and depth; nothing is ever written to disk.

The kind is told by the first bytes, not by the name.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from neurontriage.errors import TriageError
from neurontriage.read.encoding import PROBE

if TYPE_CHECKING:
    import lzma

LARGEST = 8 << 30
MOST_MEMBERS = 10_000
WINDOW = 128 << 20
"""How much memory a file may ask for to be unpacked: what `xz -9` and `zstd --ultra -22` need, and no more."""
_FED = 1 << 10
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_TAR, _TAR_AT = b"ustar", 257


class Budget:
    """How many bytes may still be unpacked; all files of an archive share one, what is packed twice counts twice."""

    def __init__(self, limit: int | None = None) -> None:
        self._limit = self._left = LARGEST if limit is None else limit

    def take(self, count: int, name: str) -> None:
        """Count bytes of the named source. Raises TriageError where they are too many."""
        self._left -= count
        if self._left < 0:
            raise TriageError(
                "archive-too-large",
                f"{name}: unpacks to more than {self._limit >> 20:,} MiB",
                "a log or module, not an archive bomb",
                "unpack it yourself and name the files that matter",
            )


class Bounded(io.RawIOBase):
    """A readable stream that gives no more bytes than its budget has, and names its source when it breaks."""

    def __init__(self, stream: BinaryIO, name: str, budget: Budget) -> None:
        self._stream, self._name, self._budget = stream, name, budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        read: Callable[[int], bytes] = getattr(self._stream, "read1", self._stream.read)
        try:
            data = read(len(buffer))  # one step at a time: damage further on must not cost what stands before it
        except _TooWide as error:
            raise _too_wide(self._name) from error
        except _faults() as error:
            raise broken(self._name, error) from error
        self._budget.take(len(data), self._name)
        buffer[: len(data)] = data
        return len(data)


def _faults() -> tuple[type[Exception], ...]:
    """What the libraries raise for damaged data; they are loaded only when something is packed."""
    import lzma
    import tarfile
    import zipfile
    import zlib

    kinds = (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error)
    return (*kinds, EOFError, OSError, RuntimeError, ValueError)


def broken(name: str, error: Exception) -> TriageError:
    """The refusal of an archive that cannot be unpacked to its end."""
    return TriageError(
        "broken-archive",
        f"{name}: the compressed data is damaged, cut off, or of an unknown kind ({error})",
        "a whole .gz, .xz, .bz2, .zst, .zip or .tar file",
        "copy it again, or unpack what can be saved and name that file",
    )


class _TooWide(Exception):
    """A file asks for more memory than WINDOW."""


def _too_wide(name: str) -> TriageError:
    return TriageError(
        "archive-window",
        f"{name}: asks for more than {WINDOW >> 20} MiB of memory to be unpacked",
        "a file compressed with a usual window",
        "unpack it yourself (xz -d; zstd -d --long=31) and name that file",
    )


def packed(probe: bytes) -> bool:
    """Whether these are the first bytes of something compressed, or of an archive."""
    return probe.startswith((*(magic for magic, _ in _READERS), *_ZIP)) or probe[_TAR_AT:].startswith(_TAR)


def unpacked(stream: io.BufferedReader, name: str, limit: int | None = None) -> io.BufferedReader:
    """The plain bytes, at most `limit`, of a stream whose first bytes tell of a compression, or the stream itself."""
    return _unpacked(stream, name, Budget(limit))


def _unpacked(stream: io.BufferedReader, name: str, budget: Budget) -> io.BufferedReader:
    head = stream.peek(6)
    for magic, reader in _READERS:
        if head.startswith(magic):
            return io.BufferedReader(Bounded(reader(stream), name, budget), PROBE)
    return stream


def members(stream: io.BufferedReader, name: str) -> Iterator[tuple[str, io.BufferedReader]] | None:
    """The files in a .zip or .tar, already decompressed, as (name, stream) in a stable order; None when it is neither.

    Files in it that are compressed are decompressed too, but no archive inside an archive is opened. Links and
    devices are left out.
    """
    head = stream.peek(512)
    if head.startswith(_ZIP):
        return _zip(stream, name)
    if head[_TAR_AT:].startswith(_TAR):
        return _tar(stream, name)
    return None


def _zip(stream: io.BufferedReader, name: str) -> Iterator[tuple[str, io.BufferedReader]]:
    if not stream.seekable():
        hint = "write it to a file first, or send a .tar.gz"
        raise TriageError("zip-from-pipe", f"{name}: a .zip cannot be read from a pipe", "a .zip file", hint)
    import zipfile

    budget = Budget()
    try:
        with zipfile.ZipFile(stream) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            _count(name, len(infos))
            for info in sorted(infos, key=lambda info: info.filename):
                if info.flag_bits & 1:
                    raise _encrypted(f"{name}!{info.filename}")
                with archive.open(info) as inside:
                    yield info.filename, _member(cast(BinaryIO, inside), f"{name}!{info.filename}", budget)
    except _faults() as error:
        raise broken(name, error) from error


def _encrypted(name: str) -> TriageError:
    hint = "unpack it with its password and name the logs"
    return TriageError("encrypted-archive", f"{name}: is encrypted", "an archive without a password", hint)


def _tar(stream: io.BufferedReader, name: str) -> Iterator[tuple[str, io.BufferedReader]]:
    import tarfile

    budget = Budget()
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            seen = {"files": 0, "folders": 0}
            for info in archive:
                what = "folders" if info.isdir() else "files"
                seen[what] += 1
                _count(name, seen[what], what)
                inside = archive.extractfile(info) if info.isreg() else None
                if inside is not None:
                    yield info.name, _member(cast(BinaryIO, inside), f"{name}!{info.name}", budget)
    except _faults() as error:
        raise broken(name, error) from error


def _member(inside: BinaryIO, name: str, budget: Budget) -> io.BufferedReader:
    return _unpacked(io.BufferedReader(Bounded(inside, name, budget), PROBE), name, budget)


def _count(name: str, number: int, what: str = "files") -> None:
    if number > MOST_MEMBERS:
        raise TriageError(
            "archive-too-many",
            f"{name}: holds more than {MOST_MEMBERS} {what}",
            "the logs of one incident",
            "unpack it yourself and name the files that matter",
        )


class _Frames:
    """Compressed frames, one after the other, with an error where the last is cut off.

    `decoder` gives what unpacks one frame. It is fed by the kilobyte, because one compressed byte can stand for 32 KiB
    of text. `padding`: what may stand between frames.
    """

    def __init__(self, source: BinaryIO, decoder: Callable[[], Any], padding: bytes = b"") -> None:
        self._source, self._decoder, self._padding = source, decoder, padding
        self._rest, self._ready = b"", b""
        self._frame: Any = None

    def read(self, size: int) -> bytes:
        if not self._ready:
            self._ready = self._next()
        data, self._ready = self._ready[:size], self._ready[size:]
        return data

    def _next(self) -> bytes:
        while raw := self._rest or self._source.read(_FED):
            if self._frame is None or self._frame.eof:
                raw = raw.lstrip(self._padding)
                if not raw:
                    self._rest = b""
                    continue
                self._frame = self._decoder()
            data = _step(self._frame, raw)
            self._rest = self._frame.unused_data if self._frame.eof else b""
            if data:
                return data
        if self._frame is not None and not self._frame.eof:
            raise EOFError("the last frame is cut off")
        return b""


def _step(frame: Any, raw: bytes) -> bytes:
    """What a decoder makes of some bytes. Raises EOFError where they are damaged, _TooWide."""
    try:
        return bytes(frame.decompress(raw))
    except Exception as error:
        if any(said in str(error) for said in _WIDE):
            raise _TooWide from error
        raise EOFError(str(error)) from error


_WIDE = ("Memory usage limit exceeded", "requires too much memory")
"""What liblzma and libzstd say of a window that is larger than permitted."""


def _zstd(stream: BinaryIO) -> BinaryIO:
    import zstandard

    decoder = zstandard.ZstdDecompressor(max_window_size=WINDOW)
    return cast(BinaryIO, _Frames(stream, decoder.decompressobj))


def _gzip(stream: BinaryIO) -> BinaryIO:
    import gzip

    return cast(BinaryIO, gzip.GzipFile(fileobj=stream))


def _bz2(stream: BinaryIO) -> BinaryIO:
    import bz2

    return cast(BinaryIO, bz2.BZ2File(stream))


def _xz(stream: BinaryIO) -> BinaryIO:
    import lzma

    def decoder() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=WINDOW)

    return cast(BinaryIO, _Frames(stream, decoder, b"\0"))


_READERS: tuple[tuple[bytes, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", _gzip),
    (b"\xfd7zXZ\0", _xz),
    (b"BZh", _bz2),
    (b"\x28\xb5\x2f\xfd", _zstd),
)
