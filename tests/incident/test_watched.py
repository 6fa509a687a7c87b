"""What is handed on of a log once the user has had enough."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neurontriage.incident.watched import Watched

LINE = b"x" * 1023 + b"\n"


class Ending:
    """Asks to end once so many pieces were handed on, or before the first."""

    def __init__(self, left: int) -> None:
        self.left = left

    @property
    def asked(self) -> bool:
        return self.left <= 0

    def watch(self, _path: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
        for block in blocks:
            yield block
            if self.asked:
                return


def handed_on(ending: Ending, blocks: int) -> int:
    """Bytes of so many blocks of a megabyte that are handed on."""
    size = 0
    for piece in Watched(None, (ending,)).blocks("a.log", [LINE * 1024] * blocks):
        assert piece.endswith(b"\n")
        size += len(piece)
        ending.left -= 1
    return size


def test_all_of_a_log_is_handed_on_in_pieces() -> None:
    assert handed_on(Ending(100), 3) == 3 << 20


def test_who_is_asked_to_end_leaves_out_the_rest_of_a_block() -> None:
    assert handed_on(Ending(2), 3) == 512 << 10


def test_the_block_that_had_just_come_is_read_whole() -> None:
    assert handed_on(Ending(0), 3) == 1 << 20
