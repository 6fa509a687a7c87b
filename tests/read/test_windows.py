"""Small files that ask for a huge window: refused in words, before the memory is taken."""

from __future__ import annotations

import binascii
import io
import lzma
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import zstandard

from neurontriage.errors import TriageError
from neurontriage.read.archives import WINDOW
from neurontriage.read.inputs import find, logs

TEXT = b"2026-01-01 10:00:00 step 1\n" * 50
_HEADER, _SIZE = 12, 12
"""Where the header of the first block of an .xz file begins, and how long it is for one LZMA2 filter."""


def xz(dictionary: int) -> bytes:
    """A whole .xz file whose block header asks for a dictionary: 2^(n/2 + 12) bytes for even n, 40 for the most.

    Source: the .xz file format, 3.1 and 5.3.1.
    """
    data = bytearray(lzma.compress(TEXT, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16}]))
    head = data[_HEADER : _HEADER + _SIZE]
    assert head[0] == _SIZE // 4 - 1 and head[2:4] == b"\x21\x01"
    head[4] = dictionary
    head[8:] = binascii.crc32(head[:8]).to_bytes(4, "little")
    data[_HEADER : _HEADER + _SIZE] = head
    return bytes(data)


def zst(log: int) -> bytes:
    """A zstd frame of one raw block whose window is 2^log bytes. Source: RFC 8878, 3.1.1."""
    block = (len(TEXT) << 3 | 1).to_bytes(3, "little")
    return b"\x28\xb5\x2f\xfd\x00" + bytes([(log - 10) << 3]) + block + TEXT


WIDE = {"a.log.xz": xz(40), "b.log.xz": xz(34), "a.log.zst": zst(31), "b.log.zst": zst(28)}
USUAL = {
    "a.log.xz": xz(28), "b.log.xz": lzma.compress(TEXT, preset=9), "a.log.zst": zst(27),
    "b.log.zst": zstandard.ZstdCompressor(22).compress(TEXT),
    "two.log.xz": lzma.compress(TEXT[:27]) + bytes(8) + lzma.compress(TEXT[27:]) + bytes(4),
}  # fmt: skip


def text(path: Path) -> bytes:
    return b"".join(block for one in find([str(path)]) for _, content in logs(one) for block in content)


@pytest.mark.parametrize("name", USUAL)
def test_a_usual_window_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(USUAL[name])
    assert text(tmp_path / name) == TEXT


@pytest.mark.parametrize("name", WIDE)
def test_a_huge_window_is_refused_in_words(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(WIDE[name])
    with pytest.raises(TriageError) as refused:
        text(tmp_path / name)
    assert refused.value.reference == "archive-window"
    assert f"{name}: asks for more than {WINDOW >> 20} MiB of memory" in str(refused.value)


def test_a_huge_window_in_an_archive_names_its_file(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "logs.tar", "w") as archive:
        for name, data in (("fine.log", TEXT), ("wide.log.xz", WIDE["a.log.xz"])):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    with pytest.raises(TriageError, match=r"logs\.tar!wide\.log\.xz: asks for more"):
        text(tmp_path / "logs.tar")


@pytest.mark.parametrize("name", WIDE)
def test_nothing_of_the_window_is_taken(tmp_path: Path, name: str) -> None:
    """In a process that cannot have so much: it would end with a MemoryError."""
    (tmp_path / name).write_bytes(WIDE[name])
    code = (
        "import resource, sys\n"
        "from neurontriage.errors import TriageError\n"
        "from neurontriage.read.inputs import find, logs\n"
        "import zstandard\n"
        "now = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (now + (64 << 20),) * 2)\n"
        "try:\n"
        "    [list(content) for one in find(sys.argv[1:]) for _, content in logs(one)]\n"
        "except TriageError as error:\n"
        "    print(error.reference)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / name)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("archive-window\n", "")
