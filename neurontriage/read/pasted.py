"""Signs that a browser, a messenger, a ticket or a table put in place of those that a log was printed with.

Typographic quotes and dashes, blanks that do not break, entities and line breaks of HTML. No line feed comes or
goes.
"""

from __future__ import annotations

import re

from neurontriage.expressions import expression
from neurontriage.read.needles import Needles

_NBSP, _GENERAL = "\N{NO-BREAK SPACE}".encode(), b"\xe2\x80"
_ENTITIES = (b"&quot;", b"&lt;", b"&gt;", b"&#", b"&nbsp;")
_SIGNS = Needles(_NBSP, _GENERAL, b"<br", *_ENTITIES)
_OPENING = "\N{LEFT DOUBLE QUOTATION MARK}".encode()
_CLOSING = "\N{RIGHT DOUBLE QUOTATION MARK}".encode()
# Compilers and tools print single ones themselves.
_SINGLE = expression("(?:Error|Exception|named|argument)\\b:?[^\n]{0,200}[\N{LEFT SINGLE QUOTATION MARK}]".encode())
_TYPED = {
    "\N{LEFT DOUBLE QUOTATION MARK}": b'"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": b'"',
    "\N{LEFT SINGLE QUOTATION MARK}": b"'",
    "\N{RIGHT SINGLE QUOTATION MARK}": b"'",
    "\N{HORIZONTAL ELLIPSIS}": b"...",
    "\N{ZERO WIDTH SPACE}": b"",
}
_SIGN = expression(rb"\xe2\x80[\x98\x99\x9c\x9d\xa6\x8b]")
_OPTION = expression(rb"(?<=[\s'\"=])\xe2\x80[\x93\x94](?=[a-z>])")  # an option of a command line
_ENTITY = expression(rb"&(?:quot|lt|gt|amp|nbsp|apos|#0?34|#0?39|#x27|#x22|#160);")
_MEANT = {b"quot": b'"', b"lt": b"<", b"gt": b">", b"amp": b"&", b"nbsp": b" ", b"apos": b"'"} | {
    b"#34": b'"', b"#034": b'"', b"#39": b"'", b"#039": b"'", b"#x27": b"'", b"#x22": b'"', b"#160": b" "
}  # fmt: skip
_TURN = expression(rb"<br ?/?>(?P<end>[ \t]*\r?\n)?")


def meant(block: bytes) -> bytes:
    """A block with the signs that were meant; itself where it holds no other ones."""
    if not (found := _SIGNS.within(block)):
        return block
    pasted = _NBSP in found or _OPENING in block or _CLOSING in block
    if _NBSP in found:
        block = block.replace(_NBSP, b" ")
    if any(one in found for one in _ENTITIES):
        block = _ENTITY.sub(lambda entity: _MEANT[entity[0][1:-1]], block)
    if b"<br" in found:
        block = _TURN.sub(lambda turn: turn["end"] or b"\\n", block)
    if _GENERAL in found and (pasted or _SINGLE.search(block)):
        block = _OPTION.sub(b"--", _SIGN.sub(_typed, block))
    return block


def _typed(sign: re.Match[bytes]) -> bytes:
    return _TYPED[sign[0].decode()]
