"""What is left to pass on when a kill falls between a system call and the note of it: nothing more and nothing less."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from neurontriage.live.relay import Piece


class Killed(Exception):
    """Stands for SIGKILL at that very place."""


def killed(*_: object) -> None:
    raise Killed


@pytest.mark.parametrize("text", [b"abc", b"x" * 16, b"0123456789" * 500])
def test_a_kill_around_a_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    source, feed = os.pipe()
    os.write(feed, text)
    with (tmp_path / "out").open("wb") as out:
        piece, real = Piece(), os.readv
        monkeypatch.setattr(os, "readv", killed)
        with pytest.raises(Killed):
            piece.read(source, out.fileno())
        assert piece.rest(out.fileno()) == b"", "killed before the read: all still waits in the pipe"

        def then_killed(*given: object) -> None:
            real(*given)
            raise Killed

        monkeypatch.setattr(os, "readv", then_killed)
        with pytest.raises(Killed):
            piece.read(source, out.fileno())
        assert piece.rest(out.fileno()) == text, "killed after the read: all is in the piece"
    os.close(source)
    os.close(feed)


def test_a_kill_after_a_write(tmp_path: Path) -> None:
    source, feed = os.pipe()
    os.write(feed, b"0123456789")
    with (tmp_path / "out").open("wb", buffering=0) as out:
        out.write(b"before")
        piece = Piece()
        text = piece.read(source, out.fileno())
        os.write(out.fileno(), text[:4])
        assert piece.rest(out.fileno()) == b"456789", "the file itself says how much of it is written"
        piece.written(4)
        os.write(out.fileno(), text[4:7])
        assert piece.rest(out.fileno()) == b"789"
    os.close(source)
    os.close(feed)
