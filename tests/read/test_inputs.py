"""Inputs of every kind give the same lines; what cannot be read is refused with a name and advice."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from neurontriage.errors import Exit, TriageError
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis
from neurontriage.read import archives
from neurontriage.read import inputs as reading
from neurontriage.read.encoding import is_binary
from neurontriage.read.inputs import find, logs
from neurontriage.triage import explain

TEXT = "starting\n[TEN404] Internal tensorizer error: InferIntrinsicOnCC\nreturned non-zero exit status 70.\n"


def tarred(text: bytes, mode: str) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:  # type: ignore[call-overload]
        info = tarfile.TarInfo("logs/build.log")
        info.size = len(text)
        archive.addfile(info, io.BytesIO(text))
    return target.getvalue()


def zipped(text: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("logs/build.log", text)
    return target.getvalue()


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "build.log": lambda b: b,
    "build.log.gz": gzip.compress,
    "build.log.xz": lzma.compress,
    "build.log.bz2": bz2.compress,
    "build.log.zst": lambda b: zstandard.ZstdCompressor().compress(b),
    "logs.zip": zipped,
    "logs.tar": lambda b: tarred(b, "w"),
    "logs.tar.gz": lambda b: tarred(b, "w:gz"),
    "logs.tar.xz": lambda b: tarred(b, "w:xz"),
    "logs.tar.zst": lambda b: zstandard.ZstdCompressor().compress(tarred(b, "w")),
    "crlf.log": lambda b: b.replace(b"\n", b"\r\n"),
    "utf16le.log": lambda b: b"\xff\xfe" + b.decode().encode("utf-16-le"),
    "utf16be.log": lambda b: b"\xfe\xff" + b.decode().encode("utf-16-be"),
    "utf16bare.log": lambda b: b.decode().encode("utf-16-le"),
    "bom.log": lambda b: b"\xef\xbb\xbf" + b,
    "coloured.log": lambda b: b.replace(b"[TEN404]", b"\x1b[31m[TEN404]\x1b[0m"),
    "odd.log": lambda b: b.replace(b"starting", b"\x80\xfe starting \xc3"),
}


def read(path: Path, catalog: Catalog) -> Diagnosis:
    return explain(find([str(path)]), catalog)


@pytest.mark.parametrize("name", PACKED)
def test_every_packing_gives_the_same_answer(name: str, tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / name
    path.write_bytes(PACKED[name](TEXT.encode()))
    found = read(path, catalog)
    assert [s.lines for s in found.inputs] == [3]
    assert found.findings[0].id == "TEN404-InferIntrinsicOnCC"
    assert found.findings[0].evidence[0].line == 2


def test_lines_are_counted_by_line_feeds_only(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "bar.log"
    path.write_bytes(b"a\n" + b"\r".join(b" %d%%|x| 1/2 [a]" % i for i in range(100)) + b"\r" + TEXT.encode())
    assert read(path, catalog).findings[0].evidence[0].line == 3


def test_a_line_of_megabytes_is_cut_around_its_hit(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "long.log"
    path.write_bytes(b"x" * 3_000_000 + b" [TEN404] Internal tensorizer error: InferIntrinsicOnCC " + b"y" * 9_000_000)
    evidence = read(path, catalog).findings[0].evidence[0]
    assert evidence.line == 1
    assert len(evidence.text) < 100_000


def test_blocks_and_their_borders_do_not_matter(
    tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.log"
    trace = '[rank1]: Traceback (most recent call last):\n[rank1]:   File "t.py", line 9, in f\n[rank1]: OddName: why\n'
    path.write_text(("ok line\n" * 50 + TEXT + trace) * 3)
    whole = read(path, catalog)
    for size in (16, 61, 100, 1000):
        monkeypatch.setattr(reading, "BLOCK", size)
        assert read(path, catalog) == whole


def test_folder_and_glob_and_several_are_one_incident(tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "rank0.log").write_text(TEXT)
    (tmp_path / "rank1.log.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "model.bin").write_bytes(b"\0\1\2")
    folder = explain(find([str(tmp_path)]), catalog)
    globbed = explain(find([str(tmp_path / "rank*")]), catalog)
    assert len(folder.inputs) == len(globbed.inputs) == 2
    assert folder.findings[0].count == 2
    assert folder.findings == globbed.findings


def test_an_empty_file_is_empty(tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "empty.log").touch()
    found = read(tmp_path / "empty.log", catalog)
    assert found.verdict == "empty"
    assert found.inputs[0].lines == 0


REFUSED = {
    "missing.log": (None, "no-such-input"),
    "model.neff": (b"NEFF\0\0\0\1binary", "binary-input"),
    "cut.log.gz": (gzip.compress(TEXT.encode() * 1000)[:-40], "broken-archive"),
    "cut.log.xz": (lzma.compress(TEXT.encode() * 1000)[:-40], "broken-archive"),
    "cut.log.zst": (zstandard.ZstdCompressor().compress(TEXT.encode() * 1000)[:-9], "broken-archive"),
    "cut.zip": (zipped(TEXT.encode() * 1000)[:-1].replace(b"PK\x01\x02", b"PK\x01\x03"), "broken-archive"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused(name: str, tmp_path: Path, catalog: Catalog) -> None:
    content, reference = REFUSED[name]
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TriageError) as refused:
        read(path, catalog)
    assert refused.value.exit_code == Exit.USAGE
    assert name in str(refused.value)
    assert refused.value.expected
    assert refused.value.hint
    assert refused.value.reference in (reference, "binary-input" if name == "cut.zip" else reference)


def test_the_text_of_a_log_is_no_name_of_a_file() -> None:
    with pytest.raises(TriageError, match="too long for the name of a file") as refused:
        find([TEXT * 20])
    assert refused.value.exit_code == Exit.USAGE and "explain -" in refused.value.hint


def test_a_folder_without_logs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.safetensors").touch()
    with pytest.raises(TriageError, match="no log files"):
        find([str(tmp_path)])


def test_no_permission_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.log").write_text(TEXT)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reading, "opened", refuse)
    with pytest.raises(TriageError, match="permission denied"):
        list(logs(find([str(tmp_path / "a.log")])[0]))


def test_an_archive_bomb_is_refused(tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST", 1 << 20)
    path = tmp_path / "bomb.log.gz"
    path.write_bytes(gzip.compress(b"a line of nothing\n" * 200_000))
    with pytest.raises(TriageError) as refused:
        read(path, catalog)
    assert refused.value.reference == "archive-too-large"


def test_an_archive_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 0)
    path = tmp_path / "many.tar"
    path.write_bytes(tarred(TEXT.encode(), "w"))
    with pytest.raises(TriageError, match="more than"):
        list(logs(find([str(path)])[0]))


def test_a_glob_does_not_go_round_in_circles(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "x.log").write_text("hello\n")
    (tmp_path / "a" / "loop").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "everything").symlink_to("/")
    assert [one.name for one in find([f"{tmp_path}/**/*.log"])] == [f"{tmp_path}/a/b/x.log"]
    assert [one.name for one in find([f"{tmp_path}/a/*/x.log"])] == [f"{tmp_path}/a/b/x.log"]


def test_the_middle_of_a_text_is_never_taken_for_another_encoding() -> None:
    assert list(reading.blocks(io.BytesIO(b"\xff\xfea\n"), "x", continues=True)) == [b"\xff\xfea\n"]
    assert list(reading.blocks(io.BytesIO(b"\xff\xfea\0\n\0"), "x")) == [b"a\n"]


def test_a_link_that_leads_nowhere_is_called_one(tmp_path: Path) -> None:
    (tmp_path / "latest.log").symlink_to("job-4711.log")
    with pytest.raises(TriageError, match=r"latest\.log: a link to job-4711\.log, which is not there"):
        find([str(tmp_path / "latest.log")])


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(13, "Permission denied"), "permission denied"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (OSError("the store closed the line"), "the store closed the line"),
    ],
)
def test_what_the_system_refuses_is_told(error: OSError, said: str) -> None:
    told = reading.refused("a.log", error)
    assert (told.message, told.hint, told.exit_code) == (f"a.log: {said}", "ls -l a.log", Exit.USAGE)
    assert (told.reference, told.expected) == ("unreadable-input", "a file that this user may read")


@pytest.mark.parametrize(
    ("probe", "binary"),
    [
        (b"", False), (b"plain", False), (b"a\n" * 9, False), ("é\n".encode() * 9, False), (b"\xe9t\xe9\n" * 9, False),
        # NULs between lines leave a text what it is; few lines, other control bytes or no UTF-8 beside them do not.
        (b"a\n" * 9 + b"\0" * 99, False), ("é\n".encode() * 9 + b"\0", False), (b"a\n" * 9 + b"\0\xff\n", True),
        (b"a\0b\n", True), (b"a\n" * 9 + b"\0\1", True), (b"\0" * 99, True),
        # Without NULs it takes many control bytes, and no UTF-8.
        (b"\1\2\3\4" * 9 + b"\xff", True), (b"\1\2\3\4" * 9, False), (b"\1\xe9" + b"a" * 18, False),
        (b"\1" + b"\xe9 text\n" * 99, False),
    ],
)  # fmt: skip
def test_what_is_no_text(probe: bytes, binary: bool) -> None:
    assert is_binary(probe) is binary


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
def test_blocks_hold_all_of_a_text_and_end_with_lines(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "BLOCK", size)
    monkeypatch.setattr(reading, "LONGEST_LINE", 9)
    for text in (b"", b"a", b"\n", b"a\nbc\n\ndef", b"a\n" * 9, b"one two three four five\nsix\nseven eight nine ten"):
        found = list(reading.blocks(io.BytesIO(text), "x", continues=True))
        assert b"".join(found) == text
        assert all(block.endswith(b"\n") or len(block) > 9 for block in found[:-1])
