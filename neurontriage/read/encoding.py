"""What the bytes of a file are: UTF-8, UTF-16 or UTF-32 text, or no text at all."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from neurontriage.expressions import expression
from neurontriage.read.needles import Needles
from neurontriage.read.pasted import meant

PROBE = 64 << 10
"""Bytes that may be looked at before reading starts."""
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = bytes({*range(32), 127} - {*b"\b\t\n\f\r\x1b"})
_MOST_CONTROL = 0.05
_LEAST_LINES = 2
_NULS = expression(rb"\x00+|\x02+")
_ESCAPE = b"\x1b"
_LOST = Needles(b"[0m", b"[39m")  # colours of which a copy has lost the escape characters
# Two expressions, each of which begins with one byte: that is sought three times as fast as either of two.
_ESCAPED = expression(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[@-Z\\^_])")
_COLOUR = expression(rb"\[\d{1,3}(?:;\d{1,3}){0,3}m(?!\])")


def plain(block: bytes) -> bytes:
    """A block without NULs, our own marks (`lines/streams.py`), byte order marks, colours and signs of a paste."""
    if b"\0" in block or b"\x02" in block:
        block = _NULS.sub("\N{REPLACEMENT CHARACTER}".encode(), block)
    if b"\xef" in block and codecs.BOM_UTF8 in block:  # also where logs with marks were put together
        block = block.replace(codecs.BOM_UTF8, b"")
    if _ESCAPE in block or _LOST.within(block):
        parts, block = list(_lines(block)), b""  # no colour goes on in the next line, and all at once take much memory
        block = b"".join(parts)
    return meant(block)


def _lines(block: bytes) -> Iterator[bytes]:
    """The lines of a block without colours, some at a time."""
    start = 0
    while start < len(block):
        end = block.find(b"\n", start + PROBE) + 1 or len(block)
        yield _COLOUR.sub(b"", _ESCAPED.sub(b"", block[start:end]))
        start = end


def encoding_of(probe: bytes) -> str | None:
    """UTF-16 or UTF-32, told by the byte order mark or by every other byte being NUL; None for what is like ASCII."""
    marked = next((name for mark, name in _BOMS if probe.startswith(mark)), None)
    if marked is not None or len(probe) < 4 or b"\0" not in probe:
        return marked
    even, odd = probe[::2].count(0), probe[1::2].count(0)
    if max(even, odd) <= len(probe) // 3 or min(even, odd) > len(probe) // 100:
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def is_binary(probe: bytes) -> bool:
    """Whether the first bytes of a file are no text: NULs or other control bytes that are no UTF-8 either.

    NULs between lines (a log cut by rotation, two writers) leave it text.
    """
    if not probe or encoding_of(probe) is not None:
        return False
    text = probe.replace(b"\0", b"")
    odd = len(text) - len(text.translate(None, _CONTROL))
    if len(text) < len(probe):
        return odd > 0 or text.count(b"\n") < _LEAST_LINES or not _is_utf8(text)
    return odd > len(text) * _MOST_CONTROL and not _is_utf8(text)


def _is_utf8(probe: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(probe)
    except UnicodeDecodeError:
        return False
    return True
