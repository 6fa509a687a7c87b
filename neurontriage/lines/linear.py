"""Patterns of entries and grammars for text from logs, outside the scanner: linear in the text, whatever it holds.

A pattern that could backtrack runs on RE2, which gives the same match as `re` (leftmost, first alternative first)
without ever going back (https://swtch.com/~rsc/regexp/regexp3.html). One without a choice to go back to runs on `re`,
which starts faster. Both take what `patterns.fault_of` allows: no look-around, no references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, cast

from neurontriage.lines import patterns
from neurontriage.lines.patterns import FLAGS, choices
from neurontriage.lines.remembered import remembered
from neurontriage.lines.words import as_re

_MEMORY, _MOST_MEMORY = 256 << 10, 1 << 20
"""Bytes that one pattern may take, and one that is too large for that. RE2 fills them with what it saw of texts, and
begins anew when they are full, still in linear time."""
_FEW = 3


@remembered(8192, of_lines=False)
def compiled(text: str) -> re.Pattern[str]:
    """A pattern in the engine in which it is linear. Raises re.error or re2.error when the text is no pattern."""
    if choices(text) <= _FEW:
        return re.compile(text, FLAGS)
    return cast("re.Pattern[str]", _re2(text, bytes=False))


def captured(text: str, line: str) -> Iterator[dict[str, str | None]]:
    """The named groups of a pattern at each place where it fits a line. Raises re.error or re2.error.

    The places are those of `compiled`. RE2 is asked for one with what stands before it: then it begins where the text
    does, and neither of the automata is built that tell where one begins and ends, which take most of its memory.
    """
    if (whole := _from_start(text)) is None:
        yield from (place.groupdict() for place in compiled(text).finditer(line))
        return
    at = 0
    while at <= len(line) and (found := whole.match(line, at)):
        yield found.groupdict()
        at = found.end() + (found.start(1) == found.end())


@remembered(8192, of_lines=False)
def _from_start(text: str) -> re.Pattern[str] | None:
    """A pattern as its first group, and before it whatever comes first; None where RE2 does not look for it."""
    if choices(text) <= _FEW or find_spec("re2") is None:
        return None
    return cast("re.Pattern[str]", _re2(f"(?s:.*?)({text})", bytes=False))


def fault_of(text: str) -> str | None:
    """Why a pattern may not be used (in words), or None when it is fine and every engine takes it."""
    if fault := patterns.fault_of(text):
        return fault
    try:
        import re2
    except ImportError:
        return None
    try:
        _re2(text, bytes=False)
    except re2.error as error:
        said = error.args[0] if error.args else b""
        return f"RE2 refuses it: {said.decode('utf-8', 'replace') if isinstance(said, bytes) else said}"
    return None


def in_bytes(text: str) -> re.Pattern[bytes]:
    """A pattern for raw bytes, in which `^` and `$` mean the ends of each line. Raises re2.error."""
    return cast("re.Pattern[bytes]", _re2(f"(?m){text}", bytes=True))


def _re2(text: str, bytes: bool) -> Any:
    try:
        import re2
    except ImportError:  # on musl, and in WebAssembly, where a log is read in a worker that can be stopped
        return re.compile(as_re(text).encode()) if bytes else re.compile(as_re(text), FLAGS)
    given, encoding = (text.encode(), re2.Options.Encoding.LATIN1) if bytes else (text, re2.Options.Encoding.UTF8)
    try:
        return re2.compile(given, _options(_MEMORY, encoding))
    except re2.error:
        return re2.compile(given, _options(_MOST_MEMORY, encoding))


def _options(memory: int, encoding: Any) -> Any:
    import re2

    options = re2.Options()
    options.max_mem, options.encoding, options.log_errors = memory, encoding, False
    return options
