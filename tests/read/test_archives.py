"""Archives as they come from clusters, and as an enemy makes them: what is no text is left out, the rest is bounded."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import struct
import tarfile
import threading
import zipfile
from pathlib import Path

import pytest

from neurontriage.errors import Exit, TriageError
from neurontriage.knowledge.catalog import Catalog
from neurontriage.read import archives
from neurontriage.read.inputs import find, logs
from neurontriage.triage import explain

TEXT = b"starting\n[TEN404] Internal tensorizer error: InferIntrinsicOnCC\n"
NEFF = b"NEFF\0\0\0\1" * 100


def tarred(members: dict[str, bytes], mode: str = "w", odd: tuple[tarfile.TarInfo, ...] = ()) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:  # type: ignore[call-overload]
        for info in odd:
            archive.addfile(info)
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return target.getvalue()


def zipped(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def read(path: Path, catalog: Catalog) -> tuple[list[str], list[str]]:
    """The names of the logs in a path, and of what was left out."""
    inputs = find([str(path)])
    diagnosis = explain(inputs, catalog)
    short = [source.path.rpartition("!")[2] for source in diagnosis.inputs]
    return short, [name.rpartition("!")[2] for name in dict.fromkeys(left for one in inputs for left in one.left_out)]


@pytest.mark.parametrize("pack", [tarred, zipped, lambda members: tarred(members, "w:gz")])
def test_binaries_beside_the_logs_are_left_out(pack, tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "job.bundle"
    path.write_bytes(pack({"a/model.neff": NEFF, "core.123": b"\x7fELF\0", "rank0.log": TEXT, "old.zip": zipped({})}))
    found, left_out = read(path, catalog)
    assert found == ["rank0.log"]
    assert sorted(left_out) == ["a/model.neff", "core.123", "old.zip"]


@pytest.mark.parametrize("pack", [tarred, zipped])
def test_compressed_members_are_read(pack, tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "job.bundle"
    path.write_bytes(pack({"rank0.log.gz": gzip.compress(TEXT), "rank1.log.xz": lzma.compress(TEXT)}))
    assert read(path, catalog) == (["rank0.log.gz", "rank1.log.xz"], [])


def test_a_binary_in_a_folder_is_left_out_and_a_named_one_refused(tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "a.log").write_bytes(TEXT)
    (tmp_path / "b.log").write_bytes(NEFF)
    (tmp_path / "c.log").mkdir()
    assert read(tmp_path, catalog) == ([str(tmp_path / "a.log")], [str(tmp_path / "b.log")])
    with pytest.raises(TriageError, match="not a text log"):
        read(tmp_path / "b.log", catalog)


def test_links_devices_and_far_names_do_no_harm(tmp_path: Path, catalog: Catalog) -> None:
    link, device, pipe = tarfile.TarInfo("l.log"), tarfile.TarInfo("d.log"), tarfile.TarInfo("p.log")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    device.type, device.devmajor, device.devminor = tarfile.CHRTYPE, 1, 5
    pipe.type = tarfile.FIFOTYPE
    path = tmp_path / "odd.tar"
    path.write_bytes(tarred({"/etc/cron.d/x.log": TEXT, "../../up.log": TEXT}, odd=(link, device, pipe)))
    assert sorted(read(path, catalog)[0]) == ["../../up.log", "/etc/cron.d/x.log"]
    assert sorted(os.listdir(tmp_path)) == ["odd.tar"]


def encrypted() -> bytes:
    content = bytearray(zipped({"a.log": TEXT}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.find(mark) + place] |= 1
    return bytes(content)


def lying() -> bytes:
    """A zip whose directory promises another size and checksum than its content has."""
    content = bytearray(zipped({"a.log": TEXT * 100}))
    struct.pack_into("<I", content, content.find(b"PK\x01\x02") + 16, 12345)
    return bytes(content)


REFUSED = {
    "encrypted.zip": (encrypted(), "encrypted-archive"),
    "checksum.zip": (lying(), "broken-archive"),
    "cut.zip": (zipped({"a.log": TEXT * 100})[:60], "broken-archive"),
    "cut.tar": (tarred({"a.log": TEXT * 1000})[:5000], "broken-archive"),
    "cut.tar.gz": (tarred({"a.log": os.urandom(50_000).hex().encode()}, "w:gz")[:20_000], "broken-archive"),
    "cut.gz": (b"\x1f\x8b\x08", "broken-archive"),
    "cut.bz2": (b"BZh9", "broken-archive"),
    "cut.xz": (b"\xfd7zXZ\0\0", "broken-archive"),
    "cut.zst": (b"\x28\xb5\x2f\xfd", "broken-archive"),
    "zeros.log": (bytes(100_000), "binary-input"),
    "zeros.tar": (bytes(10_240), "binary-input"),
    "wrong.gz": (NEFF, "binary-input"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_damage_is_said_in_one_message(name: str, tmp_path: Path, catalog: Catalog) -> None:
    content, reference = REFUSED[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(TriageError) as refused:
        read(path, catalog)
    assert (refused.value.reference, refused.value.exit_code) == (reference, Exit.USAGE)
    assert name in str(refused.value)
    assert refused.value.hint


@pytest.mark.parametrize("name", ["text.gz", "text.zip", "text.tar", "empty.zip.log", "empty.gz"])
def test_the_kind_is_told_by_the_bytes(name: str, tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / name
    path.write_bytes(b"" if name.startswith("empty") else TEXT)
    assert read(path, catalog) == ([str(path)], [])


def test_members_share_one_limit(tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST", 1 << 20)
    path = tmp_path / "bomb.zip"
    path.write_bytes(zipped({f"{n}.log": b"nothing\n" * 50_000 for n in range(4)}))
    with pytest.raises(TriageError) as refused:
        read(path, catalog)
    assert refused.value.reference == "archive-too-large"


@pytest.mark.parametrize(
    "content", [TEXT, gzip.compress(TEXT), tarred({"a.log": TEXT}, "w:gz")], ids=["plain", "gzip", "tar"]
)
def test_a_named_pipe_is_read_once(content: bytes, tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(content,), daemon=True)
    writer.start()
    assert explain(find([str(path)]), catalog).findings[0].id.startswith("TEN404")
    writer.join(5)


def test_a_zip_in_a_pipe_is_refused_with_advice(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "logs.zip.gz"
    path.write_bytes(gzip.compress(zipped({"a.log": TEXT})))
    with pytest.raises(TriageError, match=r"\.zip"):
        read(path, catalog)


def test_endless_input_without_text_ends_at_once(catalog: Catalog) -> None:
    with pytest.raises(TriageError, match="not a text log"):
        explain(find(["/dev/zero"]), catalog)


def test_a_log_that_grows_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "growing.log"
    path.write_bytes(TEXT)
    ((_, blocks),) = ((name, list(content)) for name, content in _grown(path))
    assert b"".join(blocks) == TEXT * 2


def _grown(path: Path):
    for name, content in logs(find([str(path)])[0]):
        with path.open("ab") as more:
            more.write(TEXT)
        yield name, content


def test_a_glob_without_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rank0").mkdir()
    with pytest.raises(TriageError, match="glob match"):
        find([str(tmp_path / "*")])
