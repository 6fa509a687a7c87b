"""What stands in front of every line of a stream and no table knows: a log proves it by what it carries there.

A frame of a stack is indented and starts its line as it was printed: what stands in front of one was put there by a
launcher, and so was the same, but for its digits, in front of the lines around it. What most lines of the beginning of
a log start with, before texts of their own, is known for the whole log; a header with a level is a launcher's only
before what no logger but a child prints (a header of its own, a bar, a code). Where such a prefix ends is marked in the
block, so that all who read the line know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from neurontriage.expressions import expression
from neurontriage.lines.prefix import RELAYS, RUNTIME, outermost, strip
from neurontriage.read.needles import Needles

MARK = b"\x02"
"""Start of text (https://www.ecma-international.org/publications-and-standards/standards/ecma-48/)."""
_MARKED = MARK.decode()
ABOVE, BELOW = 2 << 10, 16 << 10
"""Bytes around a frame in which lines of its stream are looked for."""
_HEAD, _LONGEST, _MOST = 8 << 10, 200, 16
_LEAST, _SHARE, _DIFFERENT, _SEEN = 4, 0.8, 0.5, 12
_FRAME = expression(
    rb"(?m)^(?P<prefix>[^\r\n]{1,160}?)"
    rb'(?:  File "[^"\r\n]{1,400}", line \d|\tat [\w.$<>/]{1,200}\(|goroutine \d+ \[running\]:)'
)
_INDENTED = b'  File "'
_HEAD_OF_STACK, _FRAME_OF_STACK = "Traceback (most recent call last):", '  File "x.py", line 1, in x'
# Ansible prints the output of a task as a list of JSON, each line of it as an item of its own.
_LIST = expression(rb'"std(?:out|err)_lines": ?\[?[ \r]*(?=\n)')
_ITEM = expression(rb'\n {2,40}(?P<text>"(?:[^"\\\n]|\\.)*"),?[ \r]*(?=\n|$)')
_LISTED = b'_lines": '
_SIGNS = Needles(_INDENTED, b"\tat ", b"goroutine ")
_DIGITS = expression(rb"\d+")
_COMPILER = expression(rb" (?:[AP]M )?(?:INFO|USER|ERROR|WARNING|DEBUG|FATAL) \d+ \[")  # starts a log family, and stays
# What may stand in front of lines, behind a time: names in brackets, a name with a digit (and a word beside it), the
# name of a file, a count of seconds or of lines, the sign of a diff.
_NAMED = expression(
    rb"(?:\d[\d:/.,T-]{3,28}\dZ? ){0,2}(?:"
    rb"(?:\[[A-Za-z][\w./@:-]{0,40}\](?!:)[: ]{0,2}){1,4}(?=\S)|\d{9,10}\.\d{3,9}[ :]{1,2}|[ ]{0,6}\d{1,6}\t"
    rb"|\+(?=[^\s+])"
    rb"|(?=[\w./@-]{0,40}\d)[A-Za-z][\w.@]*[-/][\w./@-]{1,40}(?:\[\d+\])?(?:: |[ ](?:[a-z][\w-]{1,30} |(?=[^\s|:>-])))"
    rb"|[\w-]{1,60}\.(?:log|txt|out|err):(?!\d))"
)
# Where no header with a level does: a time of any form but the runtime's, keys with values, a name in brackets or
# before a sign.
_MARGIN = expression(
    rb"(?!\d{4}-[A-Z][a-z]{2}-\d\d )"
    rb"[\[(<]?(?:\d{1,4}[/:.,T_-]|[A-Z][a-z]{2}[/ -]{1,2}(?:\d{1,2} (?=\d))?){2,8}\d{1,9}Z?(?: [+-]\d{4})?[\])>]?"
    rb":? {1,3}(?=\S)"
    rb"|(?:[a-z_]{2,20}=[\w./:-]{1,60} ){1,4}(?=\S)|\(\w{1,20}\) (?=\S)|<[\w.-]{1,40}> (?=\S)"
    rb"|[\w.-]{1,40}(?:> | :: |/std(?:err|out) )(?=\S)"
)
# Where the message of a logger stands in a line of JSON, which may itself be carried in one; how it ends.
_JSON = expression(rb'(?<!\\)\\*"(?:msg|message|event|log|line)\\*": ?\\*"(?!\{)')
_QUOTE, _CLOSED = expression(rb'(?<!\\)\\+"'), expression(rb'(?<!\\)(?:\\+n)?\\*"\s*[,}].*')
# Behind a header with a level: the name of a child, and what only a child prints: bars, stacks, errors of tools.
_CHILD = expression(rb"[A-Za-z][\w.@/-]{0,60}\d:? |[a-z][a-z0-9_-]{1,30}: ")
_CHILDS = expression(
    r" *\d{1,3}%\||-{2,}> \d|.{0,80}Traceback \(most recent call last\)|  File \"|\[ *\d+\.\d{6}\] |Error! "
    r"|(?:[\w./+-]{1,100}(?::\d+){0,2}: )?(?:(?:fatal )?error|ERROR|fatal|FATAL|WARNING): "
    r"|\.*\d\d/\d\d/\d{4} |\[(?:(?:INTERNAL_)?ERROR|NCC_\w{2,20}|[A-Z]{1,3}\d{3})\]|\S{1,120}<warn> "
    rf"|{RUNTIME}|\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: [FEWI] "
    r"|(?:INFO|WARNING|ERROR):\w+:|[\w.]{1,80}(?:Error|Exception): "
    r"|(?:Killed|Terminated|Aborted|Bus error|Segmentation fault)(?: \(core dumped\))?$"
)


def unmarked(text: str) -> tuple[str, int]:
    """A line without its mark, and where its own text begins; 0 where nothing is proven."""
    own = text.find(_MARKED)
    return (text, 0) if own < 0 else (text[:own] + text[own + 1 :], own)


class Streams:
    """Marks in the blocks of one log where its lines begin behind prefixes that it proves. `head`: its first bytes."""

    def __init__(self) -> None:
        self._always: tuple[re.Pattern[bytes], ...] | None = None
        self._known: dict[bytes, re.Pattern[bytes] | None] = {}
        self._open: dict[re.Pattern[bytes], int] = {}
        self._listed = False

    def begin(self, head: bytes) -> None:
        """Learn from the beginning of the log; only the first time that it is told."""
        if self._always is None:
            whole = head if len(head) < _HEAD else head[: head.rfind(b"\n", 0, _HEAD) + 1]
            framed = any(sign in whole for sign in _SIGNS.within(head))
            self._always = (*(self._proven(_FRAME.finditer(whole)) if framed else ()), *self._usual(whole))

    def marked(self, block: bytes, ahead: bytes = b"") -> bytes:
        """The block with marks, or itself. `ahead`: the beginning of the next one."""
        listed = self._listed or _LISTED in block
        if not (self._always or self._open or ahead or listed) and _INDENTED not in block:
            return block
        places = set(self._items(block)) if listed else set[int]()
        text = b"\n" + block.replace(b"\r", b"\n")  # `re` finds a line's end at once, and a line's beginning slowly
        for pattern in self._always or ():
            places.update(found.end() - 1 for found in pattern.finditer(text))
        for pattern, left in self._open.items():
            places.update(found.end() - 1 for found in pattern.finditer(text, 0, left + 1))
        self._open = {pattern: left - len(block) for pattern, left in self._open.items() if left > len(block)}
        upto: dict[re.Pattern[bytes], int] = {}
        for start, pattern in self._around(block + ahead):
            low, high = max(upto.get(pattern, 0), start - ABOVE, 0), start + BELOW
            places.update(found.end() - 1 for found in pattern.finditer(text, low, high + 1))
            upto[pattern] = high
            if high > len(block):
                self._open[pattern] = max(high - len(block), self._open.get(pattern, 0))
        return _inserted(block, sorted(places)) if places else block

    def _items(self, block: bytes) -> Iterator[int]:
        """Where the items of lists begin that hold the output of a task; a list may go on in the next block."""
        starts = [found.end() for found in _LIST.finditer(block)]
        if self._listed:
            block, starts = b"\n" + block, [0, *(start + 1 for start in starts)]
        shift, end = int(self._listed), 0
        self._listed = False
        for start in starts:
            end = start
            while found := _ITEM.match(block, end):
                yield found.start("text") - shift
                end = found.end()
            self._listed = end >= len(block.rstrip(b"\n"))

    def _around(self, text: bytes) -> Iterator[tuple[int, re.Pattern[bytes]]]:
        """Where a frame stands that proves an unknown prefix, and how lines of its stream begin."""
        place = text.find(_INDENTED)
        while place >= 0:
            start = max(text.rfind(end, max(place - _LONGEST, 0), place) for end in (b"\n", b"\r")) + 1
            found = _FRAME.match(text, start) if start < place else None
            if found and (pattern := self._pattern(found["prefix"])):
                yield start, pattern
            place = text.find(_INDENTED, place + 1)

    def _proven(self, frames: Iterable[re.Match[bytes]]) -> list[re.Pattern[bytes]]:
        found = (self._pattern(frame["prefix"]) for frame in frames)
        return list(dict.fromkeys(one for one in found if one))[:_MOST]

    def _pattern(self, prefix: bytes) -> re.Pattern[bytes] | None:
        """How lines of a stream begin; None where the prefix is known, or one that is only a margin."""
        folded = _DIGITS.sub(b"0", prefix)
        if folded not in self._known:
            if len(self._known) >= _MOST:
                return None
            self._known[folded] = _starting(folded) if _foreign(prefix) else None
        return self._known[folded]

    def _usual(self, head: bytes) -> list[re.Pattern[bytes]]:
        """How most lines of the beginning start that go on in ways of their own."""
        said = (line for line in head.split(b"\n") if line and not line.isspace())
        first = next(said, b"")
        begins = _beginning if _beginning(first) else _margin
        if not (end := begins(first)):
            return []
        lines = [first, *said]
        others = lines[len(lines) // 2], lines[-1]
        if len(lines) < 2 or not all(map(begins, others)):
            return []
        if begins is _margin and any(_DIGITS.sub(b"0", one[:end]) != _DIGITS.sub(b"0", first[:end]) for one in others):
            return []
        alike: dict[bytes, list[tuple[bytes, bytes]]] = {}
        for line, end in ((line, begins(line)) for line in lines):
            if end:
                alike.setdefault(_DIGITS.sub(b"0", line[:end]), []).append((line[:end], line[end:]))
        common = [some[0][0] for some in alike.values() if _carries(some)]
        covered = sum(len(alike[_DIGITS.sub(b"0", start)]) for start in common) >= _SHARE * len(lines)
        return [one for one in map(self._pattern, common) if one] if covered else []


def _beginning(line: bytes) -> int:
    """Where what a line may have in common with others ends; 0 where it has nothing."""
    if found := _NAMED.match(line) or (_JSON.search(line, 0, _LONGEST) if b'{"' in line[:_LONGEST] else None):
        return found.end()
    text = line[:_LONGEST].decode("utf-8", "replace")
    end = len(text[: outermost(text)].encode())
    child = _CHILD.match(line, end) if end else None
    return child.end() if child else end


def _margin(line: bytes) -> int:
    """Where ends what no logger prints, and stands in front of all lines of a log, or of none."""
    found = _MARGIN.match(line)
    return found.end() if found and not _COMPILER.match(line, found.end() - 1) else 0


def _carries(lines: list[tuple[bytes, bytes]]) -> bool:
    """Whether what stands behind a beginning is not its own: many things, or, behind a level, what a child prints."""
    rests = [rest for _, rest in lines]
    if b'{"' in lines[0][0]:
        level = strip(b"".join(lines[0]).decode("utf-8", "replace")).level
        said = [_QUOTE.sub(b'"', _CLOSED.sub(b"", rest)) for rest in rests]
        return level == "INFO" and len(said) > 1 and any(map(_childs, said))
    if outermost(lines[0][0].decode("utf-8", "replace") + "x"):
        return len(rests) > 1 and any(map(_childs, rests))
    if lines[0][0].endswith(b"\t"):
        return _numbered([int(_DIGITS.findall(start)[-1]) for start, _ in lines])
    folded = {_DIGITS.sub(b"0", rest[:_SEEN]) for rest in rests}
    return len(rests) >= _LEAST and len(folded) >= _DIFFERENT * min(len(rests), _SEEN)


def _numbered(numbers: list[int]) -> bool:
    """Whether these are the numbers of lines, as `cat -n` prints them."""
    return len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _childs(rest: bytes) -> bool:
    """Whether a text was printed by a program of its own: it has a header, or a form that no logger gives."""
    found = strip(rest[:_LONGEST].decode("utf-8", "replace"))
    headed = found.level or found.time or found.host or found.process or found.rank is not None
    return bool(headed or _CHILDS.match(found.payload))


def _foreign(prefix: bytes) -> bool:
    """Whether no table or log family knows a prefix, or it says a level that is not that of what it carries."""
    if not prefix.strip(b" \t|>") or _COMPILER.search(prefix):
        return False
    text = prefix.decode("utf-8", "replace")
    found = strip(text + _HEAD_OF_STACK)
    whole = found.payload == _HEAD_OF_STACK and strip(text + _FRAME_OF_STACK).payload == _FRAME_OF_STACK
    return not whole or (found.level == "INFO" and not RELAYS.search(text))


def _starting(folded: bytes) -> re.Pattern[bytes]:
    """What ends one line and begins the next."""
    return re.compile(rb"\n" + re.escape(folded).replace(b"0", rb"\d+"))


def _inserted(block: bytes, places: list[int]) -> bytes:
    """The block with a mark at each place; of several in one line the last counts."""
    pieces, done = list[bytes](), 0
    for place in places:
        piece, done = block[done:place], place
        if pieces and b"\n" not in piece and b"\r" not in piece:
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return MARK.join([*pieces, block[done:]])
