"""What another process will read lies in a file without a name, and what that cannot take is held all the same."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import pytest

from neurontriage.read import spooled
from neurontriage.read.spooled import Spooled

BLOCKS = [b"one\ntwo\n", b"three\n" * 9999, b"", b"the end"]


def test_blocks_come_back_as_they_were_here_and_elsewhere() -> None:
    here = Spooled(iter(BLOCKS))
    sent = pickle.dumps(here)
    assert len(sent) < 1000
    assert list(here) == list(here) == BLOCKS
    assert list(pickle.loads(sent)) == BLOCKS


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    here = Spooled(BLOCKS)
    sent = pickle.dumps(here)
    assert list(tmp_path.iterdir()) == []
    del here
    with pytest.raises(OSError):
        list(pickle.loads(sent))


class Full(io.BytesIO):
    """A disk with room for ten bytes more: of the next block a part is written, then nothing."""

    def fileno(self) -> int:
        return 0

    def write(self, block: bytes) -> int:  # type: ignore[override]
        left = 10 - self.tell()
        if not left:
            raise OSError(28, "No space left on device")
        return super().write(block[:left])


def test_what_the_disk_has_no_room_for_is_held(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    disk = Full()
    monkeypatch.setattr(spooled, "_file", lambda: disk)
    here = Spooled(BLOCKS)
    there = tmp_path / "disk"
    there.write_bytes(disk.getvalue())
    here._path = str(there)
    assert (here._sizes, here._held) == ([8], BLOCKS[1:])
    assert list(here) == BLOCKS


@pytest.mark.parametrize("how", ["no such system", "no folder"])
def test_without_a_file_all_is_held(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_: object) -> None:
        raise OSError(13, "Permission denied")

    if how == "no folder":
        monkeypatch.setattr("tempfile.TemporaryFile", refused)
    else:
        monkeypatch.setattr("sys.platform", "other")
    assert list(pickle.loads(pickle.dumps(Spooled(BLOCKS)))) == BLOCKS
