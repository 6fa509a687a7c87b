"""Files for the user: whole, or as they were."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from neurontriage import stored

FULL = Path("/dev/full")


def broken() -> Iterator[bytes]:
    yield b"half"
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("before", [None, b"the old page"])
def test_what_cannot_be_written_whole_leaves_what_was_there(tmp_path: Path, before: bytes | None) -> None:
    page = tmp_path / "page.html"
    if before is not None:
        page.write_bytes(before)
    with pytest.raises(OSError, match="No space left"):
        stored.place(page, broken())
    assert [*tmp_path.iterdir()] == ([page] if before is not None else [])
    assert before is None or page.read_bytes() == before


def test_a_file_keeps_its_rights_and_a_new_one_has_those_of_new_files(tmp_path: Path) -> None:
    page, other, plain = tmp_path / "page", tmp_path / "other", tmp_path / "plain"
    page.write_bytes(b"old")
    page.chmod(0o640)
    plain.write_bytes(b"")
    stored.place(page, [b"n", b"ew"])
    stored.place(other, [b"new"])
    assert (page.read_bytes(), page.stat().st_mode & 0o777) == (b"new", 0o640)
    assert other.stat().st_mode == plain.stat().st_mode


def test_a_link_stays_one(tmp_path: Path) -> None:
    page, link = tmp_path / "page", tmp_path / "link"
    link.symlink_to(page)
    stored.place(link, [b"new"])
    assert link.is_symlink()
    assert page.read_bytes() == b"new"


@pytest.mark.skipif(not FULL.exists(), reason="Linux has it")
def test_a_device_is_written_to() -> None:
    stored.place(Path(os.devnull), [b"new"])
    with pytest.raises(OSError, match="No space left"):
        stored.place(FULL, [b"new"])
    assert FULL.is_char_device()


def test_the_cache_holds_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stored.os, "fsync", full)
    stored.write(tmp_path / "some.patterns", b"data")
    assert [*tmp_path.iterdir()] == []


def test_what_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page"
    page.write_bytes(b"old")
    monkeypatch.setattr(stored.os, "access", lambda path, _: Path(path) != page)  # who may not: root may everywhere
    with pytest.raises(PermissionError):
        stored.place(page, [b"new"])
    assert page.read_bytes() == b"old"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX has them")
@pytest.mark.parametrize("what", ["pipe", "device", "folder", "loop", "longer"])
def test_what_is_no_file_of_the_cache_is_not_waited_for(tmp_path: Path, what: str) -> None:
    place = tmp_path / "some.patterns"
    if what == "pipe":
        os.mkfifo(place)
    elif what == "device":
        place.symlink_to("/dev/zero")
    elif what == "folder":
        place.mkdir()
    elif what == "loop":
        place.symlink_to(place)
    else:
        place.write_bytes(stored.guarded(b"data", place.name))
        os.truncate(place, 1 << 40)  # a hole, of which nothing is read
    assert stored.read_bytes(place) is None
