"""The parse of a record (grammars/record.lark) → its event: the statement, what it says in all its lines, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from neurontriage.claims.frames import Frame, begins, instead, is_library, own_function, where
from neurontriage.claims.kinds import printed
from neurontriage.expressions import expression
from neurontriage.lines.levels import CALM, name
from neurontriage.model import Event, Said
from neurontriage.parse import command
from neurontriage.parse.trees import Tree

SENTENCE = "╰─▶ "
"""What uv puts in front of the sentence that says why; it goes on in the lines below."""
_ASSERT = expression(r"\s*(?:-*>\s*)?(?:\d+\s+)?assert\b")
_THREAD = "_bootstrap_inner"  # of Python's threading.py: the outermost frame of every thread but the main one
_MAIN = frozenset({"<module>", "_run_module_as_main"})  # the outermost frame of a program
_LETTER = expression(r"[^\W\d_]")
_CAUSED = expression(r"^\s*(?:Caused by:|--->|(?:├|╰)─▶) ?")
_CLASS = expression(r"(?:[A-Za-z_]\w*\.)+[A-Z][\w$]*$|[A-Z]\w*(?:Error|Exception|Failure|Timeout|Fault)$")
_NUMBER = expression(r"\s*(?:\d{1,3}: |(?:[\w.-]{1,40}: ){1,4} {2,}(?:\[[A-Z]{4,8}\] )?)?")
_TELLS = expression(r"[^\W\d_]\S* +\S")
# Words of a line that is no reason for an end with an error.
_WELL = frozenset({"SUCCESS", "ENDED", "PROGRESS", "ZERO", "QUOTATION", "TEARDOWN", "CALM"})
_ILL = frozenset({"LEVEL", "INABILITY", "FAILED", "MISSING", "REFUSED", "INVALID", "REASON", "LIMIT"})
_NEAR, _SOME = 2, 2
_FAR = 40  # lines above its end in which a process said why
_UNFINISHED = expression(r"(?:^|with message:|error:|===|:\d+:)$")


class Part(NamedTuple):
    """One line of a record. `adjoins`: no line is missing between it and the one before of the same process."""

    kind: str
    event: Event
    payload: str
    adjoins: bool = True


@dataclass(eq=False, repr=False)
class Told:
    """What a process told of its chain of exceptions so far. `link`: how the next exception says it is linked.

    `failed`: the last line that told of a failure in a form of its own; `level`: of what heads the open chain;
    `caught`: the function in which the last exception began, which is where it was caught if another one followed.
    """

    link: str = ""
    chain: int = 0
    place: int = 0
    failed: int = -_FAR
    level: str = ""
    caught: str = ""

    def begins(self, kind: str, above: str) -> None:
        """A record begins, below a line of this level; what is linked to the one before is below the same."""
        if kind != "LINK" and not self.link:
            self.level = above

    def next(self, number: int, deeper: int) -> tuple[int, int]:
        """Chain and place of an exception with this number, which names so many deeper ones; no link: a new chain."""
        linked = bool(self.link and self.place)
        self.chain, self.place = (self.chain, self.place + 1) if linked else (number, 1)
        self.place += deeper
        self.link = ""
        return self.chain, self.place

    def handled(self, event: Event, frames: Sequence[Frame]) -> Event:
        """An exception with what the handler of the one before called instead, if it was raised in that."""
        called = instead(frames, self.caught) if self.link == "chained" else ""
        self.caught = begins(frames)
        return event._replace(fields={"instead": called, **event.fields}) if called else event


def build(tree: Tree, parts: Sequence[Part], told: Told) -> Iterator[Event]:
    """The events of a record; none where it only is the head of a traceback, which may belong to the next one."""
    record = tree.trees[0]
    if record.rule == "link":
        told.link = parts[0].event.kind
    elif record.rule == "raised":
        yield from _raised(record, parts, told)
    elif record.rule == "ended":
        yield from _ended(parts, told)
    elif record.rule == "statement":
        causes = _printed(parts, list(_causes(record, parts)))
        event = _statement(record, parts) if parts[0].kind != "CAUSES" else causes.pop(0) if causes else None
        if event is not None:
            yield from _chained(event, causes, (event.order, len(causes) + 1)) if causes else [event]


def _printed(parts: Sequence[Part], causes: list[Event]) -> list[Event]:
    """The causes of a list; of the log of what was run those lines that tell of a failure, the first one deepest."""
    if len(causes) < _SOME or not any(part.kind == "CAUSES" and printed(part.payload) for part in parts):
        return causes
    return [event for event in reversed(causes) if not event.said.words.isdisjoint(_ILL)]


def _ended(parts: Sequence[Part], told: Told) -> Iterator[Event]:
    """What a process said last before it ended with an error; that is why, where it told of no failure before."""
    last, end = parts[0].event, parts[-1].event
    said, far = last.said, last.evidence.line - told.failed >= _FAR
    own = _TELLS.match(parts[0].payload.strip()) and said.level not in CALM and not said.words & _WELL
    near = end.evidence.line - last.evidence.end_line <= _NEAR  # lines of other processes may stand between
    if far and own and near and not last.hits:
        yield _labelled(last)
    elif last.hits or last.family != "follow":
        yield last
    yield end


def _labelled(event: Event) -> Event:
    """The event of a line that states a failure by where it stands, as if it called itself an error."""
    said = event.said._replace(kind="labelled", words=event.said.words | {"LABEL"}, size=max(event.said.size, 2))
    return event._replace(family="plain", kind="error", said=said)


def _raised(record: Tree, parts: Sequence[Part], told: Told) -> Iterator[Event]:
    """An exception, and what was raised or caused it below it."""
    opens = parts[0].kind
    caused, causes = told.link == "caused", list(_causes(record, parts))
    frames = _frames(record, parts)
    event = told.handled(_exception(record, parts, frames), frames)
    chain = told.next(event.order, len(causes))
    if opens == "IGNORED":
        yield from (one._replace(kind="ignored", hits=(), said=Said()) for one in (event, *causes))
        return
    words = event.said.words | ({"CAUSED"} if caused else set())
    words |= {"THREAD"} if opens == "LOST" else set()  # it ended a task, not the program
    level = event.said.level or (told.level if name(told.level) == "WARNING" and not _outermost(frames) else "")
    yield from _chained(event._replace(said=event.said._replace(words=words, level=level)), causes, chain)


def _outermost(frames: Sequence[Frame]) -> bool:
    """Whether a traceback begins with the program itself: nobody below has caught that, nor logs it."""
    return bool(frames) and frames[0][0].fields.get("function") == "<module>"


def _chained(event: Event, causes: Sequence[Event], chain: tuple[int, int]) -> Iterator[Event]:
    """An event and its causes, the deepest last, with their places in the chain; the event itself comes last in it."""
    for place, one in enumerate([event, *causes]):
        kind = "reraised" if one.family == "python" and chain[1] > place + 1 else one.kind
        yield one._replace(kind=kind, chain=(chain[0], chain[1] - place))


def _causes(record: Tree, parts: Sequence[Part]) -> Iterator[Event]:
    """What stands below as the cause: `Caused by: …`, or the traceback of the exception that was raised again."""
    for tree in record.trees:
        if tree.rule == "cause":
            yield _continued(_caused(_own(tree, parts)[0]), _below(tree, "text", parts))
        elif tree.rule == "listed":
            yield from _items(tree, parts)
        elif tree.rule == "inner" and _stated(tree, parts):
            yield _exception(tree, parts, _frames(tree, parts))


def _caused(part: Part) -> Event:
    """The event of a line `Caused by: …`: an exception by its name as Java prints it, or prose as Rust does."""
    text = _CAUSED.sub("", part.payload, count=1).strip()
    name, _, message = text.partition(": ")
    if not _CLASS.match(name):
        return _labelled(part.event._replace(fields={**part.event.fields, "message": text}))
    fields = {**part.event.fields, "exception": name, "message": message}
    return part.event._replace(family="python", kind="exception", fields=fields)


def _items(tree: Tree, parts: Sequence[Part]) -> Iterator[Event]:
    """The causes of a list, from the outermost to the deepest, each with the lines that it goes on in."""
    item: Event | None = None
    for one in tree.parts:
        if isinstance(one, Tree) and item is not None:
            item = _continued(item, _own(one, parts))
        elif isinstance(one, int) and parts[one].kind == "ITEM":
            if item is not None:
                yield item
            part = parts[one]
            item = _labelled(
                part.event._replace(fields={**part.event.fields, "message": _NUMBER.sub("", part.payload, count=1)})
            )
    if item is not None:
        yield item


def _stated(tree: Tree, parts: Sequence[Part]) -> list[Part]:
    return [part for part in _own(tree, parts) if part.kind in ("RAISED", "BARE", "NAMED")]


def _exception(tree: Tree, parts: Sequence[Part], frames: Sequence[Frame]) -> Event:
    """The exception of a traceback with its message, its place, and the line that says why."""
    stated, below = _stated(tree, parts)[0], _below(tree, "message", parts)
    event = _named(stated)
    words = event.said.words - {"UNHIT"} | {"EXCEPTION"} | _framed(frames)  # by whatever name
    said, fields = event.said._replace(kind="exception", words=words), {**where(frames), **event.fields}
    whole = _continued(event._replace(kind="exception", said=said, fields=fields), below)
    if after := _below(tree, "after", parts):
        return _with_reason(_continued(whole, after, grow=False), after[0])
    if event.fields["message"] not in ("", stated.payload.strip()):
        return whole
    asserted = [part for part in parts if part.kind == "CODE" and _ASSERT.match(part.payload)]
    why = [*below[:1], *asserted[-1:]]
    return _with_reason(whole, why[0]) if why else whole


def _framed(frames: Sequence[Frame]) -> set[str]:
    """The words for an exception with frames; one that only ended a thread did not end the program."""
    if not frames:
        return set()
    outer = frames[0][0].fields
    if outer.get("function") == _THREAD:
        return {"FRAMED", "THREAD"}
    return {"FRAMED", "MAIN"} if outer.get("function") in _MAIN and not is_library(outer["file"]) else {"FRAMED"}


def _named(stated: Part) -> Event:
    """The event of an exception, also of one that no grammar knows by its name."""
    event = stated.event
    if event.family == "python":
        return event
    name, _, message = stated.payload.partition(":")
    return event._replace(family="python", fields={"exception": name, "message": message.strip()})


def _statement(record: Tree, parts: Sequence[Part]) -> Event:
    head, below = parts[0].event, _below(record, "text", parts)
    if parts[0].kind == "STATED":
        return _continued(head, parts[1:])
    if parts[-1].kind == "POINTS":
        return _located(head, parts[-1])
    words = [part for part in parts if part.kind == "WHAT"]
    if words:
        head = head._replace(fields={**head.fields, "message": ""})
    after = _below(record, "after", parts)
    event = _continued(_continued(head, [*words, *below]), after, grow=False)
    short = parts[0].kind == "HEAD" and _UNFINISHED.search(head.fields["message"].strip())
    plain = [part for part in below if part.kind not in ("AT", "RULE")]
    why = [*after, *words, *(plain if short else ())][:1]
    return _with_reason(event, why[0]) if why else event


def _located(event: Event, place: Part) -> Event:
    """The event of a diagnostic whose place in a source stands on the line below it."""
    fields = {**event.fields, "place": place.payload.split()[-1]}
    evidence = event.evidence._replace(end_line=place.event.evidence.end_line)
    return event._replace(said=event.said._replace(kind="located"), fields=fields, evidence=evidence)


def _continued(event: Event, below: Sequence[Part], grow: bool = True) -> Event:
    """The event with the lines below it in its message; `grow`: they adjoin it, so that they are its evidence, too."""
    if not below:
        return event
    texts = filter(_LETTER.search, (_words(part) for part in below if part.kind not in ("AT", "RULE")))
    message = " ".join([event.fields["message"], *texts]).strip()
    native = own_function([part.payload for part in below if part.kind == "AT"])
    fields = {**command.inside(message), **event.fields, "message": message} | ({"function": native} if native else {})
    last = below[-1].event.evidence.end_line if grow else event.evidence.end_line
    evidence = event.evidence._replace(end_line=last)
    return event._replace(fields=fields, evidence=evidence)


def _with_reason(event: Event, why: Part) -> Event:
    """The event with the line that says why it failed, unless an entry knows that line: then it is its own event."""
    if why.event.hits:
        return event
    return event._replace(reason=why.event.evidence, fields={"reason": _words(why), **event.fields})


def _words(part: Part) -> str:
    return (part.event.fields["message"] if part.kind == "WHAT" else part.payload).strip()


def _frames(tree: Tree, parts: Sequence[Part]) -> list[Frame]:
    """Each frame with the first line of source below it."""
    trees = [one for one in tree.trees if one.rule == "frames"]
    found: list[Frame] = []
    for part in (part for one in [*trees, tree] for part in _own(one, parts)):
        if part.kind == "FRAME":
            found.append((part.event, ""))
        elif part.kind == "CODE" and found and not found[-1][1]:
            found[-1] = found[-1][0], part.payload.strip()
    return found


def _own(tree: Tree, parts: Sequence[Part]) -> list[Part]:
    """The lines that stand directly below a rule."""
    return [parts[token] for token in tree.tokens]


def _below(tree: Tree, rule: str, parts: Sequence[Part]) -> list[Part]:
    """The lines of the part of a record with this rule's name, outside of its causes."""
    trees = [one for one in tree.trees if one.rule in (rule, "dump")]
    for one in trees:
        if one.rule == rule:
            return _own(one, parts)
        if rule == "after":
            return [part for text in one.found("text") for part in _own(text, parts)]
    return []
