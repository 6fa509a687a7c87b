"""Joins lines that belong together, as grammars/record.lark says: tracebacks, their chains, messages of several lines.

Each process has a stream of its own. At most one record is open in it; a line that the grammar does not accept there
closes it, or passes by where the record still lacks its statement.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from neurontriage.claims.build import SENTENCE, Part, Told, build
from neurontriage.claims.events import with_fields
from neurontriage.claims.frames import Innermost
from neurontriage.claims.handled import Asides, framed
from neurontriage.claims.kinds import MESSAGE, STRUCTURE, kind_of, nothing
from neurontriage.claims.onwards import alone, echoed, speaker, subject, told, unfinished
from neurontriage.claims.sequence import Sequence
from neurontriage.expressions import expression
from neurontriage.lines.levels import LOUD, USUAL
from neurontriage.lines.prefix import strip
from neurontriage.model import Event, Line, Prefix
from neurontriage.parse.family import Grammar
from neurontriage.parse.moves import Moves
from neurontriage.parse.trees import Growing

_LONGEST_MESSAGE, _LONGEST_REASON = 12, 3
_LONGEST_STACK, _LEFT = 300, 40
_MOST_STREAMS, _MOST_VOICES, _HEAD = 8192, 64, 34
_LONGEST_RECORD = 10_000
"""Lines of a record; of a longer one the last so many, or less, are one. Python prints a thousand frames at most."""
_STATES = frozenset({"RAISED", "BARE", "NAMED", "HEAD", "HEADING", "STATED", "ERROR"})
_OPENS = frozenset({"TRACE", "IGNORED", "LOST"})
_LOOSE, _BLANKS = frozenset({"AT", "RULE"}), 2  # a blank line may stand around them
_FAR = frozenset({"STACK", "STACK_END", "CAUSED_BY", "CAUSES"})  # what may stand apart from the line above
_OWN = frozenset({"WHAT", "AT", "RULE"})  # what no statement says: an entry that knows it speaks for itself
_RAISES = frozenset({"TRACE", "IGNORED", "LOST", "FRAME", "RAISED", "BARE"})
_SILENT = frozenset({"AT", "POINTS", "RULE", "CODE", "CAUSED_BY", "ITEM", "EXITED", "RAISED", "BARE"})
# A header that no launcher or logger is known for: a date in brackets, or a level, also in another script.
_HEADER = expression(
    rf"[\[(](?:\d{{4}}[^\w\s]\d|\d{{4}}[^\W\d_a-zA-Z]|[^\W\d_a-zA-Z]|(?:{USUAL})[\])] )|(?:{USUAL}):[\w.]+:"
)
_MAY = frozenset({"TEXT", "NAMED", "SAID"})  # what may be the first line of a record: the one below decides
_FAILED = frozenset({"TRACE", "RAISED", "BARE", "HEAD", "STATED", "ERROR"})
_LOUD = frozenset({"exception", "coded", "status", "located", "assertion", "signal", "labelled"})
_FOREIGN = expression(r"(?:[a-z]\w*\.)+[A-Z][\w$]*: ")
_NAMES, _TRACED = frozenset({"RAISED", "BARE"}), frozenset({"TRACE", "FRAME", "CODE"})
_KEPT = frozenset({*STRUCTURE.values(), "INNER", "CAUSES"})
Events = tuple[Event, ...]
Process = tuple[str, int | None, str | None, str | None]


@dataclass(eq=False, repr=False)
class Stream:
    """The lines of one process. `parts`: those of the open record; `main`: what it is about; `voices`: who spoke.

    `headed`: its first line has a time of its own (1) or a level (2); a line that has more never goes on with it.
    `each`: so have the later ones, so that a line that has less never goes on with them; `level`: that of the first.
    """

    moves: Moves
    tree: Growing | None = None
    parts: list[Part] = field(default_factory=list)
    main: Event | None = None
    stack: bool = False
    last: int = 0
    below: str = ""
    above: str = ""
    seen: int = 0
    headed: int = 0
    each: int = 0
    level: str | None = None
    told: Told = field(default_factory=Told)
    asides: Asides = field(default_factory=Asides)
    voices: set[str] = field(default_factory=set)

    def heads(self, headed: int, level: str | None) -> None:
        """Be told how the line that was read last is headed."""
        first = len(self.parts) < 2
        self.headed, self.each, self.level = (headed, 0, level) if first else (self.headed, headed, self.level)

    def take(self, part: Part) -> Events:
        """The next line: it continues the open record, closes it and begins another, or passes it by."""
        events, kind, said = self._next(part), part.kind, part.event.said
        if kind in _FAILED or said.kind in _LOUD or said.level in LOUD:
            self.told.failed = part.event.evidence.line
        return events

    def _next(self, part: Part) -> Events:
        tree, at, far = self.tree, part.event.evidence, self.last + _LONGEST_MESSAGE
        if tree is None:
            return self._begin(part)
        if part.kind == "FRAME" and len(self.parts) >= _LONGEST_RECORD:
            return (*self.close(), *self._begin(part))
        ready = self._unsure or tree.accepts()
        if not (ready and self._ends_before(part)):
            # Lines of other ranks may stand between; where there are none, a name far below begins anew.
            if tree.accepts(part.kind) and not (part.kind == "NAMED" and at.rank is None and at.line > far):
                return self._feed(tree, part)
            if not ready and part.kind not in _OPENS:
                return _alone(part)
        return (*self.close(), *self._begin(part))

    def _begin(self, part: Part) -> Events:
        """A line above which no record is open."""
        first = self.moves.first
        names = part.kind in _MAY and "a" <= part.payload[:1] <= "z" and ": " in part.payload[:_HEAD]
        if names and len(self.voices) < _MOST_VOICES:
            self.voices.add(speaker(part.payload))
        if first[part.kind] is None:
            return _alone(part)
        self.tree = Growing(first)
        self.told.begins(part.kind, self.asides.over if part.adjoins else "")
        return self._feed(self.tree, part)

    def close(self) -> Events:
        """End the open record; what still lacks its statement has been passed on line by line."""
        events: Events = ()
        if self.tree is not None and self.tree.accepts():
            events = tuple(build(self.tree.ended(), self.parts, self.told))
        elif self._unsure:
            events = _alone(self.parts[0])
        self.tree, self.parts, self.main, self.stack = None, [], None, False
        return events

    @property
    def _unsure(self) -> bool:
        """Whether the line below decides if a record begins with the line that was read last."""
        parts = self.parts
        return len(parts) == 1 and parts[0].kind in _MAY

    @property
    def _sentence(self) -> bool:
        """Whether the open record is one sentence over several lines, none of which says anything for itself."""
        return any(part.payload.lstrip().startswith(SENTENCE) for part in self.parts)

    def _ends_before(self, part: Part) -> bool:
        """Whether the open record ends here: the line stands apart from it, or it has grown too long."""
        if part.kind in _FAR:
            return False
        if part.kind in _MAY and self.parts[0].kind in _RAISES and self._told(part):
            return True
        loose = part.kind in _LOOSE or self.parts[-1].kind in _LOOSE
        if not part.adjoins and not (loose and part.event.evidence.line <= self.last + _BLANKS):
            return True
        return part.kind in MESSAGE and sum(one.kind in MESSAGE for one in self.parts) >= self._most

    def _told(self, part: Part) -> bool:
        """Whether the line above is complete, and this one says what is done next, or stands for itself."""
        above, last = self.parts[-1].payload, self.parts[-1].kind
        if last == "RULE" and above.lstrip().startswith("+-") and part.payload.lstrip()[:1] not in ("|", "+"):
            return True  # below the frame that Python draws around a group of exceptions
        bare = part.adjoins and (last == "BARE" or self.parts[-2:][0].kind in _TRACED) and alone(above)
        return bare or told("" if last == "RULE" else above, part.payload, self.voices)

    def whole(self, payload: str) -> bool:
        """Whether all that is open is an exception without a traceback, and a line says something else."""
        return len(self.parts) == 1 and self.below == "RAISED" and not (payload[:1] == " " or unfinished(self.above))

    @property
    def _most(self) -> int:
        """How many lines of a message the open record may have."""
        if self.stack:
            return _LONGEST_STACK
        main = self.main or self.parts[0].event
        return _LONGEST_MESSAGE if main.family in ("python", "neuronx_cc") or self._sentence else _LONGEST_REASON

    def _feed(self, tree: Growing, part: Part) -> Events:
        kind, event = part.kind, part.event
        tree.take(kind, len(self.parts))
        self.parts.append(part)
        self.last = event.evidence.line
        self.stack = self.stack or kind == "STACK"
        if self._unsure or (self.main is None and kind in _STATES):
            self.main = event
        elif kind in _KEPT or ((kind in _OWN or self.stack) and event.hits):
            return (event,) if event.hits else ()
        elif kind not in _SILENT and not self.stack and (event.hits or (event.said.size and not self._sentence)):
            return (event._replace(said=event.said._replace(words=event.said.words | {"CONTINUATION"})),)
        return ()


@dataclass(eq=False, repr=False)
class Joiner:
    """Reads events and yields records, both in the order of the log; of each process at most one is open at a time.

    `since`: from which line on every line was read, up to the `newest`; lines of one process adjoin if none is missing.
    """

    grammar: Grammar
    streams: dict[Process, Stream] = field(default_factory=dict)
    open: dict[Process, Stream] = field(default_factory=dict)
    innermost: Innermost = field(default_factory=Innermost)
    since: int = 0
    newest: int = 0
    known: Sequence = field(default_factory=Sequence)

    def join(self, pairs: Iterable[tuple[Event, Line]]) -> Iterator[Event]:
        """Events with their lines → records: exceptions with message, frame and place in the chain."""
        known, innermost = self.known, self.innermost
        for event, line in pairs:
            if innermost.takes(event):
                self._stream(event)[1].asides.failed = max(line.number, line.end)
                continue
            if innermost.held is not None:
                known.take(innermost.ended(line.number))
            events = self._take(event, line)
            if len(events) == 1 and not (known.held or self.open or innermost.held):
                yield events[0]
                continue
            if events:
                known.take(events)
            if known.held:
                yield from known.upto(self._open_from(), event.order)
        for stream in self.streams.values():
            known.take(stream.close())
        known.take(innermost.ended())
        yield from known.upto(math.inf)

    def _open_from(self) -> float:
        """The order of the first event that what is open may still give."""
        if not self.open and self.innermost.held is None:
            return math.inf
        mains = [one.main.order for one in self.open.values() if one.main is not None]
        return min([*mains, self.innermost.held.order if self.innermost.held else math.inf])

    def _take(self, event: Event, line: Line) -> Events:
        """The events that are known once a line is."""
        key, stream = self._stream(event)
        others = self.open and (len(self.open) > 1 or key not in self.open)
        events = self._close_left(stream, line.number) if others else ()
        if line.number > self.newest + 1 and not line.passed:
            self.since = line.number
        self.newest = max(line.number, line.end)
        prefix = strip(line.text, line.own)
        if not event.hits and nothing(prefix.payload, line):
            stream.seen, stream.below, stream.above = -1, "", ""
            return events
        told = self._read(stream, event, line, prefix)
        if stream.tree is not None:
            self.open[key] = stream
        elif self.open:
            self.open.pop(key, None)
        return (*events, *told) if events else told

    def _stream(self, event: Event) -> tuple[Process, Stream]:
        """The process that an event is of."""
        key = (event.evidence.path, event.evidence.rank, event.process, event.host)
        if key not in self.streams:
            if len(self.streams) >= _MOST_STREAMS:
                self._forget(event.evidence.line - _MOST_STREAMS // 2)
            self.streams[key] = Stream(self.grammar.moves)
        return key, self.streams[key]

    def _forget(self, line: int) -> None:
        """Let go of processes that have printed nothing from this line on, and of which no record is open."""
        self.streams = {key: one for key, one in self.streams.items() if one.tree is not None or one.seen >= line}

    def _read(self, stream: Stream, event: Event, line: Line, prefix: Prefix) -> Events:
        """The events of a stream that are known once a line of it is that is not blank."""
        payload = prefix.payload
        headed = 2 if prefix.level or _HEADER.match(payload) else int(prefix.time is not None)
        alike = headed == stream.each if len(stream.parts) > 1 else headed <= stream.headed
        alike = alike and (min(headed, stream.headed) < 2 or prefix.level == stream.level)
        adjoins = self.since <= stream.seen and alike and not (event.process and stream.whole(payload))
        event = framed(event) if stream.asides.frames(prefix) else event
        again = adjoins and echoed(stream.above, payload)
        kind = "LINE" if again else kind_of(event, payload, stream.below if adjoins else "")
        if adjoins and (found := subject(stream.above, payload)):
            event = with_fields(event, subject=found)
        opens = kind == "TRACE" or (stream.below not in _TRACED and bool(kind in _NAMES or _FOREIGN.match(payload)))
        traced = not prefix.level and (kind == "FRAME" or (kind == "CODE" and stream.below == "FRAME"))
        aside = (stream.asides.goes_by if traced else stream.asides.read)(event, line, prefix, opens)
        events = stream.take(Part(kind, event, payload, adjoins))
        stream.above, stream.below, stream.seen = payload, kind, line.number
        if stream.tree is not None or event.hits or event.said.size:
            stream.asides.failed = self.newest
        stream.heads(headed, prefix.level)
        return (aside, *events) if aside else events

    def _close_left(self, stream: Stream, number: int) -> Events:
        """What other processes left open long ago ends: its order in the log is worth more than a late line."""
        left = [key for key, one in self.open.items() if one is not stream and number > one.last + _LEFT]
        return tuple(event for key in left for event in self.open.pop(key).close())


def _alone(part: Part) -> Events:
    """A line that belongs to no record; of a traceback, and of what only follows, just what a pattern hit."""
    passed = part.event.hits if part.kind in _KEPT else part.event.family != "follow"
    return (part.event,) if passed and part.kind != "CODE" else ()
