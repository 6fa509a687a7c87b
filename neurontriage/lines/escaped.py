r"""A line that holds many lines as one escaped text: what an API, a job's status, a record of JSON or a repr carries.

The text stands between quotes behind a name that says what it is (`"FailureReason": "…\n…"`, `stderr=b'…\n…'`), is a
whole line of its own (`"…\n…"`), or has lost its quotes. Escaped twice and more it is read as well. Whether it is a
log is told by what its lines begin with: a message of a few lines, a template, a path or a pattern stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from neurontriage.expressions import expression
from neurontriage.lines.carried import carried
from neurontriage.lines.levels import LOUD
from neurontriage.lines.prefix import strip

LEAST = 3
"""Lines that are worth it."""
_MANY, _SHARE = 6, 0.8
"""Lines that need no sign, and how much of the line they are then."""
_DEPTH = 4
"""How often a text may be escaped."""
_HEAD, _NEAR, _LOOKED = 2000, 60, 12
_BREAK = b"\\n"
_OTHER = b"another"
_END = expression(rb"(?<!\\)(?:\\r)?\\n")
_DEEPER = expression(rb"\\\\(?:r\\\\)?n")
_ESCAPE = expression(rb"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrtbfa\"'\\/]))")
_SIMPLE = {b"n": b"\n", b"t": b"\t", b"r": b"", b"b": b"", b"f": b"", b"a": b""}
_OPENS = expression(rb"(?:^|(?<=[\s:=,(\[{]))(?P<bytes>[bB]?)(?P<quote>[\"'])")
# What a text is called that says how something went.
_NAMED = expression(
    rb"(?:^|[\s,{(\[\"'])(?:(?:[\w.@$-]*[_.@$-])?(?:message|msg|err|errors?|exc|exc_info|exception|stack|stack_?trace|trace"
    rb"|traceback|reason|cause|details?|body|payload|line|raw|description|MESSAGE|textPayload)"
    rb"|\w*[a-z](?:Log|Logs|Message|Error|Exception|Trace|Payload|Reason|Cause|Details?)"
    rb"|[A-Z]\w*(?:Log|Message|Error|Exception|Reason)"
    rb"|(?<=[\"']@message[\"'], [\"'])value)[\"']?(?: ?[:=] ?| )$"
)
_OUTPUT = expression(rb"(?i)(?:^|[\s,{(\[\"'])(?:\w+_)?(?:logs?|std_?err|std_?out|output)[\"']?(?: ?[:=] ?| )$")
_RAISED = expression(rb"(?<!raise )\b\w+(?:Error|Exception)\($")
_GIVEN = expression(rb"(?:^|[^=!])[=:(,{\[] ?$")
# What models are asked and answer is no log, whatever it quotes.
_TALK = expression(
    rb"[\"'](?:instruction|prompt|role|completion|question|answer|input_ids|messages|chat_template)[\"']: ?"
)
# The words of the program, which a status quotes over several lines.
_QUOTED = expression(rb"(?m)^ErrorMessage \"(?![\"\n])")
_UNQUOTED = expression(rb"(?m)\"$(?=\n[A-Z]|\Z)")
# What is left of a line that held nothing but one such text.
_EMPTIED = expression(rb"[\s{\[]*(?:- )?(?:[\w.@$\"'-]+ ?[:=]? ?)?[bB]?(?:\"\"|'')[\s,}\]]*")
# How lines of logs begin.
_SIGN = expression(
    rb"(?m)^[ \t]*(?:Traceback \(most recent call last\)|File \"[^\"\n]+\", line \d|at [\w.$<>]+\()"
    rb"|^(?:ExitCode \d|ErrorMessage |panic: |goroutine \d|terminate called|Killed$|Aborted|Segmentation fault|E: "
    rb"|npm ERR!|make(?:\[\d+\])?: \*\*\* |error(?:\[\w+\])?: |[IWEF]\d{4} \d\d:"
    rb"|[\[(<]?(?:\d{4}[-/](?:\d\d|[A-Z][a-z]{2})[-/]\d\d[T ]|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:)"
    rb"|[\[<]?(?:INFO|DEBUG|WARN|WARNING|ERROR|CRITICAL|FATAL)\b[\]>: |]"
    rb"|(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?:: |$)"
    rb"|[^\n]{1,60}?\b\d{4}-(?:\d\d|[A-Z][a-z]{2})-\d\d[T ]\d\d:\d\d:\d\d"
    rb"|\S{1,200}: (?:(?:fatal )?error|ERROR|FATAL|fatal): )"
)


class _Text(NamedTuple):
    """A quoted text in a line: where it begins and ends without its quotes, and what quotes it.

    `named`: what stands in front of it says that it may be a log, or nothing does; `output`: that it is one.
    """

    start: int
    end: int
    quote: bytes
    named: bool
    output: bool


def opened(line: bytes, depth: int = _DEPTH, alone: bool = False) -> list[bytes] | None:
    """The lines that a line holds; None where it holds none. `alone`: it is most of its log.

    What carries them speaks of them, and comes last; a record whose message they are comes first, with their first one.
    """
    first = line.find(_BREAK)
    if not depth or first < 0 or _TALK.search(line):
        return None
    above, around, inner, done, within = False, list[bytes](), list[bytes](), 0, False
    for text in _texts(line):
        within = within or text.start <= first < text.end
        if not text.named or (found := _lines(line, text, depth)) is None:
            continue
        around.append(line[done : text.start])
        if _is_message(line, text):
            above = True
            around.append(_escaped(found.pop(0), text.quote))
        inner += found
        done = text.end
    if inner:
        carrier = b"".join((*around, line[done:]))
        carriers = [] if _EMPTIED.fullmatch(carrier) else [carrier]
        return [*carriers, *inner] if above else [*inner, *carriers]
    return None if within else _bare(line, depth, alone)


def _lines(line: bytes, text: _Text, depth: int) -> list[bytes] | None:
    """The lines of a quoted text; None where it is no log, or its carrier says that nothing failed."""
    own = line[text.start : text.end]
    found = _read(_unescaped(own), depth)
    if found is None or not (text.output or len(own) + 2 >= len(line) or _log(found, len(own), len(line))):
        return None
    level = strip(_carrier(line, text)).level
    return None if level and level not in LOUD else found


def _carrier(line: bytes, text: _Text) -> str:
    """What carries a text, with another one instead."""
    before, below = line[max(0, text.start - _HEAD) : text.start], line[text.end : text.end + _HEAD]
    return b"".join((before, _OTHER, below)).decode("utf-8", "replace")


def _is_message(line: bytes, text: _Text) -> bool:
    """Whether a text is the message of a record that has a level."""
    found = carried(_carrier(line, text))
    return found is not None and "level" in found.said and found.text == _OTHER.decode()


def _read(text: bytes, depth: int) -> list[bytes] | None:
    """The lines of a text that was unescaped once, those that hold lines themselves opened, too."""
    lines = _unquoted(text).rstrip(b"\n").split(b"\n")
    found = [one for line in lines for one in (opened(line, depth - 1) or [line])]
    return found if len(found) >= LEAST else None


def _unquoted(text: bytes) -> bytes:
    """A status with the words of the program on lines of their own. Each end is sought once: a text may have many."""
    begins = _QUOTED.search(text)
    ends = _UNQUOTED.search(text, begins.end()) if begins else None
    if not (begins and ends):
        return text
    head, said = text[: begins.end() - 2], text[begins.end() : ends.start()]
    return b"\n".join((head, said, text[ends.end() :]))


def _log(lines: list[bytes], size: int, whole: int) -> bool:
    """Whether lines are those of a log. `size`: of their text, in a line of `whole` bytes."""
    return _signed(lines) or (_worded(lines) and size >= _SHARE * whole)


def _signed(lines: list[bytes]) -> bool:
    """Whether one of these lines, or of the first where there are many, begins like a line of a log."""
    return bool(_SIGN.search(b"\n".join(lines))) or any(map(_headed, lines[:_LOOKED]))


def _worded(lines: list[bytes]) -> bool:
    """Whether these are many lines, most of them of several words."""
    return len(lines) >= _MANY and 2 * sum(b" " in line.strip() for line in lines) > len(lines)


def _bare(line: bytes, depth: int, alone: bool) -> list[bytes] | None:
    """The lines of a text that has lost its quotes."""
    if not _END.search(line):
        return opened(_unescaped(line), depth - 1, alone) if _DEEPER.search(line) else None
    parts = _END.split(line.rstrip(b"\r"))
    while parts and not parts[-1]:
        parts.pop()
    if len(parts) < LEAST or line[:4].isspace() or not (_signed(parts[1:]) or _worded(parts)):
        return None
    level = strip(parts[0][:_HEAD].decode("utf-8", "replace")).level
    if level and level not in LOUD and not (alone or any(map(_headed, parts[1:]))):
        return None
    quoted = b'\\"' in line and b'"' not in line.replace(b'\\"', b"")
    parts = [(part.replace(b'\\"', b'"') if quoted else part).replace(b"\\t", b"\t") for part in parts]
    return [one for part in parts for one in (opened(part, depth - 1) or [part])]


def _headed(line: bytes) -> bool:
    """Whether a line begins with the header of a logger."""
    found = strip(line[:_HEAD].decode("utf-8", "replace"))
    return bool(found.level or found.time)


def _texts(line: bytes) -> Iterator[_Text]:
    """The quoted texts of a line that hold ends of lines."""
    place = 0
    while found := _OPENS.search(line, place):
        start = found.end()
        end = _closed(line, found["quote"], start)
        if end < 0 and found["quote"] == b"'":
            place = start
            continue
        end = end if end >= 0 else len(line)
        place = end + 1
        if line.find(_BREAK, start, end) >= 0:
            yield _text(line, found, end)


def _text(line: bytes, found: re.Match[bytes], end: int) -> _Text:
    before = line[max(0, found.start() - _NEAR) : found.start()]
    alone = not before.strip()
    given = found["bytes"] and (alone or _GIVEN.search(before))
    output = bool(given or _OUTPUT.search(before))
    named = output or alone or bool(_NAMED.search(before) or _RAISED.search(before))
    return _Text(found.end(), end, found["quote"], named, output)


def _closed(line: bytes, quote: bytes, start: int) -> int:
    """Where a quoted text ends that begins at `start`; -1 where it does not."""
    end = line.find(quote, start)
    while end >= 0:
        before = end
        while before > start and line[before - 1] == 0x5C:
            before -= 1
        if not (end - before) % 2:
            break
        end = line.find(quote, end + 1)
    return end


def _unescaped(text: bytes) -> bytes:
    return _ESCAPE.sub(_sign, text)


def _sign(found: re.Match[bytes]) -> bytes:
    if code := found[1] or found[2]:
        number = int(code, 16)
        return bytes([number]) if found[2] else chr(number).encode("utf-8", "replace")
    return _SIMPLE.get(found[3], found[3])


def _escaped(text: bytes, quote: bytes) -> bytes:
    """A line as it stands in a text with these quotes."""
    return text.replace(b"\\", b"\\\\").replace(quote, b"\\" + quote)
