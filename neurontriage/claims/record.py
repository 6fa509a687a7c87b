"""Joins events that belong together: tracebacks and their chains, messages over several lines, compiler frames."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from neurontriage.claims.events import with_fields
from neurontriage.lines.prefix import strip
from neurontriage.model import Event, Line, Said

_LONGEST_MESSAGE = 12
_LONGEST_REASON = 3
_BARE_MESSAGE = 40
_NAME = re.compile(r"[A-Za-z_][\w.]*(?:: .*)?$")
_LIBRARY = re.compile(r"site-packages|dist-packages|/lib/python|^<frozen|neuronx?cc/")
_PASS = re.compile(r"/([A-Z]\w+)\.py$")
_SOURCE = re.compile(
    r"\s*(?:-*>\s*)?(?:\d+\s+)?(?:raise [A-Za-z]|assert [\w(]|warnings?\.warn\(|log(?:ger|ging)?\.\w+\()"
)
_PROSE = frozenset({"follow", "text"})
_FRAMES = frozenset({("neuronx_cc", "frame"), ("neuron_cc", "frame"), ("neuronx_cc", "root")})
_BARE = frozenset({("nrt", "failure"), ("neuronx_cc", "code"), ("neuronx_cc", "tensorizer"), ("pjrt", "run")})
_BLOCKS = frozenset({("neuronx_cc", "bir")})
_DRIVER = frozenset(
    {"CommandDriver", "CompileCommand", "Job", "Pipeline", "Frontend", "Penguin", "Compile", "DotTransform"}
)


@dataclass
class Thread:
    """The traceback that one process is in the middle of printing."""

    frames: list[dict[str, str]] = field(default_factory=list)
    inside: bool = False
    raised: int = 0
    linked: bool = False
    ignored: bool = False
    chain: int = 0
    cause: bool = False


@dataclass
class Joiner:
    """Reads events in order and yields records; holds back at most one exception, until its message has ended."""

    threads: dict[tuple[str, int | None, str | None], Thread] = field(default_factory=dict)
    open: Event | None = None
    frame: Event | None = None
    chains: int = 0

    def join(self, pairs: Iterable[tuple[Event, Line]]) -> Iterator[Event]:
        """Events with their lines → records: exceptions with message, frame and place in the chain."""
        for event, line in pairs:
            if (event.family, event.kind) in _FRAMES:
                self._hold(event)
            else:
                yield from self._take(event, line)
        yield from self._close()
        yield from self._frame()

    def _hold(self, event: Event) -> None:
        """Of a run of compiler frames the innermost of a pass says where it broke: the last, or the first `root =`."""
        held = self.frame
        if held is None or (held.kind == "frame" and (event.kind != "frame" or event.hits or not held.hits)):
            self.frame = event

    def _frame(self) -> Iterator[Event]:
        if self.frame is not None:
            found = _PASS.search("/" + self.frame.fields.get("file", ""))
            fields = {"pass": found[1]} if found and found[1] not in _DRIVER else {}
            yield replace(with_fields(self.frame, **fields), kind="innermost")
            self.frame = None

    def _take(self, event: Event, line: Line) -> Iterator[Event]:
        if _SOURCE.match(strip(line.text).payload):
            return  # a line of source in a traceback: it holds the template of the message, not the message
        if self.frame is not None and event.evidence.line > self.frame.evidence.line + 3:
            yield from self._frame()
        if self.open is not None and self._continues(event, line):
            if event.hits or event.said.size:
                yield replace(event, said=replace(event.said, words=event.said.words | {"CONTINUATION"}))
            return
        yield from self._close()
        if self._head(event):
            self.open = event
        elif event.family == "python" and event.kind != "exception":
            self._structure(event)
            if event.hits:
                yield event
        elif event.family == "python" or self._unusual_exception(event, line):
            self.open = self._exception(event, line)
        elif event.family != "follow":
            yield event

    def _head(self, event: Event) -> bool:
        """Whether the reason stands below a line: a head that ends in a colon, a code or a function without words."""
        if event.family == "python" or event.said.level in ("INFO", "DEBUG", "WARNING"):
            return False
        bare = (event.family, event.kind) in _BARE and len(event.fields.get("message", "")) < _BARE_MESSAGE
        return bare or (event.family, event.kind) in _BLOCKS or ("HEADING" in event.said.words and event.said.size > 1)

    def _close(self) -> Iterator[Event]:
        if self.open is not None:
            yield self.open
            self.open = None

    def _thread(self, event: Event) -> Thread:
        key = (event.evidence.path, event.evidence.rank, event.process)
        return self.threads.setdefault(key, Thread())

    def _structure(self, event: Event) -> None:
        thread = self._thread(event)
        if event.kind == "ignored":
            thread.ignored = True
        elif event.kind == "header":
            thread.frames, thread.inside = [], True
            if not thread.linked:
                thread.raised = 0
            thread.linked = False
        elif event.kind == "frame":
            thread.frames.append(dict(event.fields))
            thread.inside = True
        else:
            thread.linked = True
            thread.cause = event.kind == "caused"

    def _unusual_exception(self, event: Event, line: Line) -> bool:
        """The line that ends a traceback is its exception, whatever its name."""
        if event.family not in _PROSE or not self._thread(event).inside:
            return False
        return bool(_NAME.match(strip(line.text).payload))

    def _exception(self, event: Event, line: Line) -> Event:
        thread = self._thread(event)
        if event.family != "python":
            name, _, message = strip(line.text).payload.partition(":")
            event = replace(event, family="python", fields={"exception": name, "message": message.strip()})
        kind = "reraised" if thread.raised else "exception"
        if not thread.inside and not thread.linked:
            kind = "exception"
        if kind == "exception":
            self.chains += 1
            thread.chain, thread.raised = self.chains, 0
        thread.raised += 1
        ignored, thread.ignored = thread.ignored, False
        frames, thread.frames, thread.inside, thread.linked = thread.frames, [], False, False
        if ignored:
            return replace(event, kind="ignored", hits=(), said=Said())
        words = event.said.words - {"UNHIT"} | ({"FRAMED"} if frames else set())
        said = replace(event.said, kind="exception", words=words | ({"CAUSED"} if thread.cause else set()))
        thread.cause = False
        where = with_fields(event, **_where(frames))
        return replace(where, kind=kind, chain=(thread.chain, thread.raised), said=said)

    def _continues(self, event: Event, line: Line) -> bool:
        """Whether a line goes on with the message of the open exception; if so it is taken in."""
        opened = self.open
        if opened is None or event.family not in _PROSE or line.path != opened.evidence.path:
            return False
        if (event.evidence.rank, event.process) != (opened.evidence.rank, opened.process):
            return False
        text = strip(line.text).payload.strip()
        most = _LONGEST_MESSAGE if opened.family in ("python", "neuronx_cc") else _LONGEST_REASON
        long = opened.evidence.end_line - opened.evidence.line >= most
        if opened.family != "python" and (event.said.level or event.said.kind in ("exception", "frame", "rule")):
            return False
        if not text or long or line.number > opened.evidence.end_line + 1:
            return False
        message = f"{opened.fields.get('message', '')} {text}".strip()
        evidence = replace(opened.evidence, end_line=line.number)
        self.open = replace(opened, fields={**opened.fields, "message": message}, evidence=evidence)
        return True


def _where(frames: list[dict[str, str]]) -> dict[str, str]:
    """The frame that raised, and the innermost frame of the user's own code where the raise is in a library."""
    if not frames:
        return {}
    raised = frames[-1]
    place = {"raised_at": f"{raised['file']}:{raised['line_number']}"}
    if "function" in raised:
        place["function"] = raised["function"]
    own = [frame for frame in frames if not _LIBRARY.search(frame["file"])]
    if own and own[-1] is not raised:
        place["called_at"] = f"{own[-1]['file']}:{own[-1]['line_number']}"
    return place
