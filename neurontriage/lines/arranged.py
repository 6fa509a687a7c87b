"""Blocks of a log as its program printed it: rows of an export or a collector opened, and the oldest line first.

Whether a log is kept in such a form its first lines show, and only then it is held, up to a bound: all others go by.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from neurontriage.expressions import expression
from neurontriage.lines.allocated import give_back
from neurontriage.lines.forms import form_of
from neurontriage.lines.order import LEAST, falling, stamp
from neurontriage.lines.rows import Numbered, Opened, Row
from neurontriage.read.encoding import plain
from neurontriage.read.inputs import BLOCK
from neurontriage.read.places import Arranged, Places

MOST = 4 << 20
"""Bytes of a log that is held: a longer one is read as it stands."""
_HEAD, _FIRST, _DEPTH = 16 << 10, 12, 3
_BARE = expression(rb"\x1b(?!\[)")  # of a colour whose other signs are gone
_TIMED = expression(
    rb"(?m)^[\[(\"]?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|1[5-9]\d{8}|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:)[^\n]{0,60}"
)


def arranged(content: Iterable[bytes]) -> Iterator[bytes]:
    """The blocks of a log, as they are or with its lines as they were printed; Ctrl-C loses no block."""
    rest = iter(content)
    held, size = deque(islice(rest, 1)), 0
    if held and not isinstance(held[0], Arranged) and _shows(held[0]):
        try:
            size = len(held[0])
            while size <= MOST and (block := next(rest, None)) is not None:
                held.append(block)
                size += len(block)
        except KeyboardInterrupt:
            yield from held
            raise
        if size <= MOST:
            held = deque(_arranged(b"".join(held)) or held)
            give_back()
    while held:
        yield held.popleft()
    yield from rest


def _shows(block: bytes) -> bool:
    """Whether the beginning of a log shows a form, or times that fall."""
    head = block[:_HEAD]
    lines = head.split(b"\n")
    last = lines[-2:][0]
    timed = _clocked(lines[0]) and _clocked(last) and last < lines[0]
    return bool(form_of(_first(lines[: 2 * _FIRST])) or (timed and _falls(head)))


def _clocked(line: bytes) -> bool:
    """Whether a line may begin with a time."""
    return line[1:3].isdigit() or line[4:6].strip().isdigit()


def _first(lines: Sequence[bytes]) -> list[bytes]:
    return [line for line in lines if line and not line.isspace()][:_FIRST]


def _falls(head: bytes) -> bool:
    found: list[bytes] = _TIMED.findall(head)
    return len(found) > LEAST and found[-1] < found[0] and falling(list(map(stamp, found)))


def _arranged(text: bytes) -> list[bytes] | None:
    """A whole log in blocks; None where it stands as it was printed."""
    lines: Sequence[Numbered] = list(enumerate(text.split(b"\n"), 1))
    count, turned, opened = text.count(b"\n") + (not text.endswith(b"\n")), False, False
    if lines and not lines[-1][1]:
        lines = lines[:-1]
    for _ in range(_DEPTH):
        form = form_of(_first([line for _, line in lines[: 2 * _FIRST]]))
        found = (form(lines) if form else None) or _timed(lines)
        if found is None:
            break
        if falling([row.time for row in found.rows if row.time]):
            found.rows.reverse()
            turned = True
        opened, lines = True, found.lines()
    if not opened:
        return None
    return _blocks(lines, Places(array("q", (number for number, _ in lines)), count, len(text), turned))


def _timed(lines: Sequence[Numbered]) -> Opened | None:
    """Lines that begin with a time, with all below them that do not, where these times fall."""
    opened = Opened([], [], [])
    for number, line in lines:
        if time := stamp(line):
            opened.rows.append(Row(time, [(number, line)]))
        else:
            opened.goes_on(number, line)
    times = [row.time for row in opened.rows]
    return opened if len(times) > LEAST and falling(times) else None


def _blocks(lines: Sequence[Numbered], places: Places) -> list[bytes]:
    """Lines in blocks, as long as those that are read; the first one knows where all stand."""
    text = plain(_BARE.sub(b"", b"".join(line + b"\n" for _, line in lines)))
    blocks, start = list[bytes](), 0
    while start < len(text):
        end = text.rfind(b"\n", start, start + BLOCK) + 1 or text.find(b"\n", start + BLOCK) + 1 or len(text)
        blocks.append(text[start:end])
        start = end
    first = Arranged(blocks[0] if blocks else b"\n")
    first.places = places
    return [first, *blocks[1:]]
