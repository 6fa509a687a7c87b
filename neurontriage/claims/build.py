"""The parse of a record (grammars/record.lark) → its event: the statement, what it says in all its lines, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from lark import Token, Tree

from neurontriage.claims.frames import Frame, where
from neurontriage.model import Event, Said

_ASSERT = re.compile(r"\s*(?:-*>\s*)?(?:\d+\s+)?assert\b")
_LETTER = re.compile(r"[^\W\d_]")
_UNFINISHED = re.compile(r"(?:^|with message:|error:|===|:\d+:)$")


class Part(NamedTuple):
    """One line of a record. `adjoins`: no line is missing between it and the one before of the same process."""

    kind: str
    event: Event
    payload: str
    adjoins: bool = True


@dataclass
class Told:
    """What a process told of its chain of exceptions so far. `link`: how the next exception says it is linked."""

    link: str = ""
    chain: int = 0
    place: int = 0

    def next(self, number: int, apart: bool) -> tuple[int, int]:
        """Chain and place of an exception with this number; `apart`: no link leads to it."""
        self.chain, self.place = (number, 1) if apart or not self.place else (self.chain, self.place + 1)
        self.link = ""
        return self.chain, self.place


def build(tree: Tree[Token], parts: Sequence[Part], told: Told) -> Iterator[Event]:
    """The events of a record; none where it only is the head of a traceback, which may belong to the next one."""
    record = tree.children[0]
    assert isinstance(record, Tree)
    if record.data == "link":
        told.link = parts[0].event.kind
    elif record.data == "raised":
        yield from _causes(_raised(record, parts, told), record, parts)
    elif record.data == "statement":
        yield from _causes(_statement(record, parts), record, parts)


def _raised(record: Tree[Token], parts: Sequence[Part], told: Told) -> Event:
    stated = next(part for part in _own(record, parts) if part.kind in ("RAISED", "NAMED"))
    event, frames = _exception(stated), _frames(record, parts)
    caused, apart = told.link == "caused", not told.link
    chain = told.next(event.order, apart)
    if any(part.kind == "IGNORED" for part in parts):
        return replace(event, kind="ignored", hits=(), said=Said())
    words = event.said.words - {"UNHIT"} | ({"FRAMED"} if frames else set()) | ({"CAUSED"} if caused else set())
    said, fields = replace(event.said, kind="exception", words=words), {**where(frames), **event.fields}
    event = replace(event, kind="exception" if chain[1] == 1 else "reraised", chain=chain, said=said, fields=fields)
    bare = event.fields.get("message", "") in ("", stated.payload.strip())
    event = _continued(event, _below(record, "message", parts))
    after = _below(record, "after", parts)
    if after:
        return _with_reason(_continued(event, after, grow=False), after[0])
    below = _below(record, "message", parts)
    if below and bare:
        return _with_reason(event, below[0])
    asserted = [part for part in parts if part.kind == "CODE" and _ASSERT.match(part.payload)]
    return _with_reason(event, asserted[-1]) if asserted and bare else event


def _exception(stated: Part) -> Event:
    event = stated.event
    if event.family == "python":
        return event
    name, _, message = stated.payload.partition(":")
    return replace(event, family="python", fields={"exception": name, "message": message.strip()})


def _statement(record: Tree[Token], parts: Sequence[Part]) -> Event:
    head, below = parts[0].event, _below(record, "text", parts)
    words = [part for part in parts if part.kind == "WHAT"]
    if words:
        head = replace(head, fields={**head.fields, "message": ""})
    event = _continued(head, [*words, *below])
    after = _below(record, "after", parts)
    event = _continued(event, after, grow=False)
    short = parts[0].kind == "HEAD" and _UNFINISHED.search(head.fields.get("message", "").strip())
    why = [*after, *words, *(below if short else ())][:1]
    return _with_reason(event, why[0]) if why else event


def _continued(event: Event, below: Sequence[Part], grow: bool = True) -> Event:
    """The event with the lines below it in its message; `grow`: they adjoin it, so that they are its evidence, too."""
    if not below:
        return event
    texts = filter(_LETTER.search, map(_words, below))
    message = " ".join([event.fields.get("message", ""), *texts]).strip()
    last = below[-1].event.evidence.line if grow else event.evidence.end_line
    evidence = replace(event.evidence, end_line=last)
    return replace(event, fields={**event.fields, "message": message}, evidence=evidence)


def _with_reason(event: Event, why: Part) -> Event:
    """The event with the line that says why it failed, unless an entry knows that line: then it is its own event."""
    if why.event.hits:
        return event
    return replace(event, reason=why.event.evidence, fields={"reason": _words(why), **event.fields})


def _words(part: Part) -> str:
    return (part.event.fields["message"] if part.kind == "WHAT" else part.payload).strip()


def _causes(event: Event, record: Tree[Token], parts: Sequence[Part]) -> Iterator[Event]:
    """The event, and what it says that it was caused by; the last one said is the first that happened."""
    causes = [_caused(tree, parts) for tree in record.children if isinstance(tree, Tree) and tree.data == "cause"]
    if not causes:
        yield event
        return
    chain = event.chain[0] or event.order
    for place, one in enumerate([event, *causes]):
        yield replace(one, chain=(chain, len(causes) + 1 - place))


def _caused(tree: Tree[Token], parts: Sequence[Part]) -> Event:
    own, below = _own(tree, parts)[0], _below(tree, "text", parts)
    return _continued(own.event, below)


def _frames(record: Tree[Token], parts: Sequence[Part]) -> list[Frame]:
    found: list[Frame] = []
    for part in (part for tree in record.find_data("frames") for part in _own(tree, parts)):
        if part.kind == "FRAME":
            found.append((part.event, ""))
        elif not found[-1][1]:
            found[-1] = found[-1][0], part.payload.strip()
    return found


def _own(tree: Tree[Token], parts: Sequence[Part]) -> list[Part]:
    """The lines that stand directly below a rule."""
    return [parts[int(token)] for token in tree.children if isinstance(token, Token)]


def _below(record: Tree[Token], rule: str, parts: Sequence[Part]) -> list[Part]:
    """The lines of the first part of a record with this rule's name, outside of its causes."""
    for tree in record.children:
        if isinstance(tree, Tree) and tree.data == rule:
            return _own(tree, parts)
        if isinstance(tree, Tree) and tree.data == "dump" and rule == "after":
            return [part for inner in tree.find_data("after") for part in _after(inner, parts)]
    return []


def _after(tree: Tree[Token], parts: Sequence[Part]) -> list[Part]:
    return [part for inner in tree.find_data("text") for part in _own(inner, parts)]
