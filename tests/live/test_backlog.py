"""What a busy watcher misses: counted, without moving a line, without a line of two halves."""

from __future__ import annotations

import os
import queue
import random
import threading
from collections.abc import Iterable
from itertools import pairwise

import pytest

from neurontriage.live import backlog
from neurontriage.live.arriving import Arriving
from neurontriage.live.backlog import Backlog
from neurontriage.live.feed import EXIT, OUTPUT, Frame, frames
from neurontriage.live.relay import PIECE


def arrived(sent: Iterable[Frame]) -> Arriving:
    """All frames, as their reader has them."""
    inbox: queue.Queue[Frame | None] = queue.Queue()
    for frame in (*sent, None):
        inbox.put(frame)
    return Arriving(inbox, lambda _: False)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_left_out_moves_no_line(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(backlog, "MOST_WAITING", 20_000)
    text = b"".join(b"%d %s\n" % (n, b"x" * chance.randrange(120)) for n in range(1, 9000))
    cuts = sorted({0, len(text), *(chance.randrange(len(text)) for _ in range(900))})
    source, end = os.pipe()
    waiting = Backlog(end, b"")
    for first, last in pairwise(cuts):
        waiting.put((OUTPUT, 1, text[first:last]))
    waiting.put((EXIT, 0, b"done"))
    threading.Thread(target=waiting.finish, args=(60,)).start()
    output = arrived(frames(source, b""))
    lines = b"".join(output.blocks()).split(b"\n")
    told = text.split(b"\n")
    assert output.lost > 400_000
    assert output.status == b"done"
    assert len(lines) == len(told)
    assert {one for one in zip(lines, told, strict=True) if one[0] != one[1]} <= {(b"", one) for one in told}
    assert sum(map(bool, lines)) > 100


def test_lines_of_two_channels_stay_whole_however_much_comes_at_once() -> None:
    out = [b"%d %s" % (n, b"x" * 90) for n in range(20_000)]
    text = b"\n".join(out) + b"\n"
    pieces = [(OUTPUT, 0, text[start : start + PIECE]) for start in range(0, len(text), PIECE)]
    said = [(OUTPUT, 1, b"ERROR %d\n" % n) for n in range(len(pieces))]
    lines = b"".join(arrived(one for both in zip(pieces, said, strict=True) for one in both).blocks()).split(b"\n")
    assert [line for line in lines if not line.startswith(b"ERROR")] == [*out, b""]
