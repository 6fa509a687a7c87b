"""What an archive may cost, to the byte and to the file, and what a refusal says, to the word."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from neurontriage.errors import TriageError
from neurontriage.read import archives

ONE = 1 << 16
"""Bytes of each file; more than one read takes."""
TEXT = os.urandom(ONE // 2).hex().encode()
UNPACK = "unpack it yourself and name the files that matter"


def zipped(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.mkdir("folder")
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def tarred(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return target.getvalue()


KINDS: list[Callable[[dict[str, bytes]], bytes]] = [zipped, tarred]


def buffered(content: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(content), archives.PROBE)  # type: ignore[arg-type]


def unpack(content: bytes) -> list[tuple[str, bytes]]:
    found = archives.members(buffered(content), "a.bundle")
    assert found is not None
    return [(name, stream.read()) for name, stream in found]


def refusal(error: TriageError) -> tuple[str, str, str, str]:
    return error.reference, error.message, error.expected, error.hint


@pytest.mark.parametrize("pack", KINDS)
def test_the_files_of_an_archive_share_one_limit_to_the_byte(
    pack: Callable[[dict[str, bytes]], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = pack({f"{n}.log": TEXT for n in range(4)})
    monkeypatch.setattr(archives, "LARGEST", 4 * ONE)
    assert [len(text) for _, text in unpack(content)] == [ONE] * 4
    monkeypatch.setattr(archives, "LARGEST", 4 * ONE - 1)
    seen = []
    with pytest.raises(TriageError) as refused:
        for name, stream in archives.members(buffered(content), "a.bundle") or ():
            seen.append((name, len(stream.read())))
    assert seen == [(f"{n}.log", ONE) for n in range(3)]
    expected = "a log or module, not an archive bomb"
    assert refusal(refused.value) == (
        "archive-too-large", "a.bundle!3.log: unpacks to more than 0 MiB", expected, UNPACK
    )  # fmt: skip


@pytest.mark.parametrize("pack", KINDS)
def test_what_is_packed_in_its_files_counts_too(
    pack: Callable[[dict[str, bytes]], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten small bombs in one archive are one bomb."""
    small = gzip.compress(bytes(ONE))
    content = pack({f"{n}.log.gz": small for n in range(10)})
    monkeypatch.setattr(archives, "LARGEST", 10 * (ONE + len(small)))
    assert [len(text) for _, text in unpack(content)] == [ONE] * 10
    monkeypatch.setattr(archives, "LARGEST", 10 * ONE)
    with pytest.raises(TriageError, match=r"a.bundle!9.log.gz: unpacks to more"):
        unpack(content)


@pytest.mark.parametrize("pack", KINDS)
def test_files_are_counted_to_the_last_one(
    pack: Callable[[dict[str, bytes]], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = pack({f"{n}.log": b"x" for n in range(3)})
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    assert len(unpack(content)) == 3
    monkeypatch.setattr(archives, "MOST_MEMBERS", 2)
    with pytest.raises(TriageError) as refused:
        unpack(content)
    expected = "the logs of one incident"
    assert refusal(refused.value) == ("archive-too-many", "a.bundle: holds more than 2 files", expected, UNPACK)


def test_folders_count_beside_the_files_of_a_tar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten thousand logs, each in a folder of its own, are read; more folders than that are refused, too."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for number in range(3):
            folder = tarfile.TarInfo(f"node{number}")
            folder.type = tarfile.DIRTYPE
            archive.addfile(folder)
            inside = tarfile.TarInfo(f"node{number}/job.log")
            inside.size = 1
            archive.addfile(inside, io.BytesIO(b"x"))
    content = target.getvalue()
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    assert len(unpack(content)) == 3
    monkeypatch.setattr(archives, "MOST_MEMBERS", 2)
    with pytest.raises(TriageError, match="holds more than 2 folders"):
        unpack(content)


def test_a_limit_of_ones_own_holds_for_one_stream() -> None:
    packed = gzip.compress(bytes(3 << 20))
    assert len(archives.unpacked(buffered(packed), "m.gz", 3 << 20).read()) == 3 << 20
    with pytest.raises(TriageError, match=r"m\.gz: unpacks to more than 2 MiB"):
        archives.unpacked(buffered(packed), "m.gz", (3 << 20) - 1).read()
    with pytest.raises(TriageError, match=r"m\.gz: unpacks to more than 0 MiB"):
        archives.unpacked(buffered(packed), "m.gz", 0).read()


def test_the_limits_as_they_ship() -> None:
    assert (archives.LARGEST, archives.MOST_MEMBERS) == (8 << 30, 10_000)
    with pytest.raises(TriageError) as refused:
        archives.Budget().take((8 << 30) + 1, "x")
    assert refused.value.message == "x: unpacks to more than 8,192 MiB"


def test_the_files_of_a_zip_come_in_the_order_of_their_names() -> None:
    assert [name for name, _ in unpack(zipped({"b.log": b"2", "a.log": b"1"}))] == ["a.log", "b.log"]
    assert [name for name, _ in unpack(tarred({"b.log": b"2", "a.log": b"1"}))] == ["b.log", "a.log"]


PACKED = {
    "gz": gzip.compress(TEXT),
    "xz": lzma.compress(TEXT),
    "bz2": bz2.compress(TEXT),
    "zst": zstandard.ZstdCompressor().compress(TEXT),
    "zip": zipped({"a": TEXT}),
    "tar": tarred({"a": TEXT}),
}


@pytest.mark.parametrize("kind", PACKED)
def test_the_first_bytes_tell_of_packing(kind: str) -> None:
    assert archives.packed(PACKED[kind])
    assert not archives.packed(PACKED[kind][1:])
    assert not archives.packed(TEXT)
    if kind in ("zip", "tar"):
        assert archives.unpacked(buffered(PACKED[kind]), "x").read() == PACKED[kind]
    else:
        assert archives.members(buffered(PACKED[kind]), "x") is None


def test_frames_one_after_the_other_are_read_to_the_end() -> None:
    frames = b"".join(zstandard.ZstdCompressor().compress(text) for text in (TEXT, b"", b"end\n"))
    assert archives.unpacked(buffered(frames), "x.zst").read() == TEXT + b"end\n"
    assert archives.unpacked(buffered(gzip.compress(TEXT) + gzip.compress(b"end")), "x.gz").read() == TEXT + b"end"


@pytest.mark.parametrize("zeros", [4, 4 << 10])
def test_zeros_may_stand_between_and_behind_the_frames_of_xz(zeros: int) -> None:
    """Stream padding: https://tukaani.org/xz/xz-file-format.txt, section 2.2."""
    content = b"".join(lzma.compress(text) + bytes(zeros) for text in (TEXT, b"end\n"))
    assert archives.unpacked(buffered(content), "x.xz").read() == TEXT + b"end\n"


@pytest.mark.parametrize("pack", [lzma.compress, zstandard.ZstdCompressor().compress], ids=["xz", "zst"])
def test_a_bomb_is_refused_before_it_is_unpacked(pack: Callable[[bytes], bytes]) -> None:
    content = pack(bytes(256 << 20))
    tracemalloc.start()
    with pytest.raises(TriageError, match="unpacks to more than 1 MiB"):
        archives.unpacked(buffered(content), "x", 1 << 20).read()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 128 << 20


MANY = zstandard.ZstdCompressor().compress(TEXT * 2 + os.urandom(1 << 18).hex().encode())
CUT = {
    "x.zst": (MANY[:-9], "the last frame is cut off"),
    "y.zst": (b"\x28\xb5\x2f\xfd" + b"\xff" * 64, "zstd decompress"),
    "x.gz": (PACKED["gz"][:-9], "Compressed file ended before the end-of-stream marker was reached"),
    "y.gz": (PACKED["gz"][:-8] + bytes(8), "CRC check failed"),
    "x.xz": (PACKED["xz"][:-40], "the last frame is cut off"),
    "x.bz2": (PACKED["bz2"][:-9], "Compressed file ended before the end-of-stream marker was reached"),
}


@pytest.mark.parametrize("name", CUT)
def test_damage_is_named_with_its_reason(name: str) -> None:
    content, reason = CUT[name]
    stream = archives.unpacked(buffered(content), name)
    with pytest.raises(TriageError) as refused:
        while stream.read1(1000):
            pass
    reference, message, expected, hint = refusal(refused.value)
    assert reference == "broken-archive"
    assert message.startswith(f"{name}: the compressed data is damaged, cut off, or of an unknown kind ({reason}")
    assert expected == "a whole .gz, .xz, .bz2, .zst, .zip or .tar file"
    assert hint == "copy it again, or unpack what can be saved and name that file"


@pytest.mark.parametrize("name", CUT)
def test_what_stands_before_the_damage_is_read(name: str) -> None:
    content, _ = CUT[name]
    stream, read = archives.unpacked(buffered(content), name), b""
    try:
        while data := stream.read1(1000):
            read += data
    except TriageError:
        pass
    assert read.startswith(TEXT[: len(read)])
    assert name in ("y.zst", "x.bz2") or len(read) > ONE // 2  # nothing is whole in the one, the other is one block


class Pipe(io.BytesIO):
    """Bytes that come once."""

    def seekable(self) -> bool:
        return False


def test_what_cannot_be_read_from_a_pipe_says_what_to_do() -> None:
    stream = io.BufferedReader(Pipe(zipped({"a": b"x"})))  # type: ignore[arg-type]
    with pytest.raises(TriageError) as refused:
        list(archives.members(stream, "p") or ())
    assert refusal(refused.value) == (
        "zip-from-pipe",
        "p: a .zip cannot be read from a pipe",
        "a .zip file",
        "write it to a file first, or send a .tar.gz",
    )
    tar = io.BufferedReader(Pipe(tarred({"a": b"x"})))  # type: ignore[arg-type]
    assert [(name, one.read()) for name, one in archives.members(tar, "p") or ()] == [("a", b"x")]


def test_an_encrypted_file_is_refused_by_name(tmp_path: Path) -> None:
    content = bytearray(zipped({"a.log": b"x"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.rfind(mark) + place] |= 1
    with pytest.raises(TriageError) as refused:
        unpack(bytes(content))
    assert refusal(refused.value) == (
        "encrypted-archive",
        "a.bundle!a.log: is encrypted",
        "an archive without a password",
        "unpack it with its password and name the logs",
    )
