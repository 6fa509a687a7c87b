"""Diagnosis → one screen: where, what, the message that proves it, why, the first fix, and what only followed.

At most 20 lines of 80 columns: the parts are drawn with less and less room until they fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from neurontriage.model import CUT_OFF, Check, Diagnosis, Evidence, Finding, Link, Suspect, Workaround
from neurontriage.render.amounts import amount
from neurontriage.render.audience import audience
from neurontriage.render.drawing import address, code, drawn, wrapped
from neurontriage.render.frames import frame, statement
from neurontriage.render.language import say
from neurontriage.render.memory import memory
from neurontriage.render.message import anchors, around, essence, message, next_line
from neurontriage.render.places import Names, names
from neurontriage.render.rooms import ROOMS, Room
from neurontriage.render.shorten import brief, shortened
from neurontriage.render.speaking import speaks
from neurontriage.render.summary import coda, consequences, explained, facts, headline
from neurontriage.render.text import printable
from neurontriage.render.verdict import cause, sentence

LINES = 20
ROWS = 22
"""Of a terminal of 24, on which the command and the next prompt stand, too; links and commands are never broken."""
_MARGIN, _FEW = 8, 3
_NUMBER = 4  # columns that the number of a line takes at least
_SAME = 40  # letters in which a title repeats the message
_ANNOUNCES = 3  # words that may stand before a colon without telling anything: `ERROR: Exception:`
_TELLING = 40  # characters of a cause below which its beginning says nothing


def render(diagnosis: Diagnosis) -> str:
    """The answer; a reader without a terminal gets whole lines, neither wrapped nor cut."""
    if audience().columns is None:
        return drawn(_screen(diagnosis, Room(links=3, others=99, roots=99)))
    for room in ROOMS:
        text = drawn(_screen(diagnosis, room))
        if text.count("\n") <= LINES and _rows(text) <= ROWS:
            break
    return text


def _rows(text: str) -> int:
    """How many rows of a terminal a text takes, which breaks the lines that are longer than it is wide."""
    columns = audience().columns or 1
    return sum(max(1, -(-cell_len(line) // columns)) for line in text.splitlines())


def _screen(diagnosis: Diagnosis, room: Room) -> Iterator[Text]:
    called = names(diagnosis)
    main = explained(diagnosis)
    yield from headline(diagnosis, called, main)
    if main is None:
        yield from wrapped(sentence(diagnosis), 0)
        yield from _harmless(diagnosis, called)
    else:
        yield from _title(main)
        yield from _gap(room)
        yield from _proof(main, called, room)
        yield from _gap(room)
        yield from _why(cause(diagnosis, main), room.why)
        yield from _look(main.check if room.look else None)
        yield from _advice(main, room)
        yield from _links(main, room)
    if fills := memory(diagnosis):
        yield from _labelled("HBM", str(fills))
    yield from _more_roots(diagnosis, main, called, room)
    for label, text in (*consequences(diagnosis, called, main), *facts(diagnosis, main)):
        yield from _labelled(label, text)
    yield from _end(main, room)


def _harmless(diagnosis: Diagnosis, called: Names) -> Iterator[Text]:
    """What a log says of which only harmless messages are known, where those are few."""
    found = [finding for finding in diagnosis.findings if finding.evidence]
    if diagnosis.verdict == "unknown" and len(found) <= _FEW:
        for finding in found:
            yield _one_line("Harmless", called.place(finding.evidence[0]), _named("", finding, None))


def _gap(room: Room) -> Iterator[Text]:
    if room.blank:
        yield Text()


def _why(text: str, most: int) -> list[Text]:
    """The cause in at most so many lines."""
    columns = audience().columns
    if columns is None:
        return _labelled("Why", " ".join(text.split()))
    room = (columns - _MARGIN) * most
    while len(lines := _labelled("Why", said := shortened(text, room))) > most and room > columns // 2:
        room -= 8
    return [] if len(said) < min(_TELLING, len(text)) else lines


def _labelled(label: str, text: str) -> list[Text]:
    name = say(label)
    sign = Text.assemble("  ", (name, "bold"), " ")
    return wrapped(text, max(_MARGIN, cell_len(sign.plain)), sign) if text else []


def _title(finding: Finding) -> list[Text]:
    """What it is; in one line where the message below says the same."""
    columns, title = audience().columns, printable(finding.title)
    repeated = _letters(title)[:_SAME] in _letters(message(finding))
    if not finding.known and repeated:
        title = say("Not recognised, most likely the root:" if finding.role == "root" else "Not recognised:")
    elif not finding.known:
        title = f"{say('Not recognised, most likely the root:')} {title}"
    elif repeated and columns is not None:
        title = shortened(title, columns)
    return wrapped(Text(title, style="bold"), 0)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _proof(finding: Finding, called: Names, room: Room) -> Iterator[Text]:
    """The deciding line, further ones that say something else, the user's own frame, the numbers."""
    home = finding.evidence[0].path if finding.evidence else ""
    shown = [(one, _beside(called, one, home), text) for one, text in _distinct(finding)][: room.proofs]
    width = max([_NUMBER, *(len(place) for _, place, _ in shown if len(place) <= 2 * _NUMBER)])
    for number, (evidence, place, text) in enumerate(shown):
        yield from _line(finding, place.rjust(width), text, room.message if not number else 2)
        if audience().columns is None and (following := next_line(evidence)):
            yield from _line(finding, str(evidence.end_line + 1).rjust(width), following, 1)
    yield from _remarks(finding, width)


def _distinct(finding: Finding) -> Iterator[tuple[Evidence, str]]:
    """The evidence with what it says, without lines that say a part of one before, or that with other numbers."""
    seen: list[str] = []
    for number, evidence in enumerate(finding.evidence):
        text = evidence.text if audience().columns is None else message(finding, number)
        key = "".join(filter(str.isalpha, text)) or text
        if not any(key in said for said in seen):
            seen.append(key)
            yield evidence, text


def _beside(called: Names, evidence: Evidence, home: str) -> str:
    """The line's number; the file too where it is not the one that the headline names, with most room for the text."""
    return str(evidence.line) if evidence.path == home else _within(called.place(evidence), 3)


def _line(finding: Finding, place: str, text: str, lines: int) -> list[Text]:
    margin = Text.assemble("  ", (printable(place), "cyan"), (" │ ", "dim"))
    indent = cell_len(margin.plain)
    columns = audience().columns
    if columns is not None:
        text = around(text, anchors(finding), (columns - indent - 3) * lines)
    return wrapped(Text(printable(text), style="bold"), indent, margin, Text(" " * (indent - 2) + "│ ", style="dim"))


def _remarks(finding: Finding, width: int) -> Iterator[Text]:
    indent = width + 5
    own = frame(finding)
    if (code := statement(finding)) and code not in (own or ""):
        yield from wrapped(code, indent)
    if own:
        yield from wrapped(f"{say('at')} {own}", indent)
    said = [str(found)] if (found := amount(finding)) else []
    said += [say("{n} such lines", n=finding.count)] if finding.count > 1 else []
    if said:
        yield from wrapped(Text("← " + ", ".join(said), style="dim"), indent)


def _look(check: Check | None) -> list[Text]:
    """The command that looks before anything is changed; what its outcomes mean stands in the full answer."""
    return [_plain("Look", f"$ {printable(check.command)}")] if check and check.command else []


def _advice(finding: Finding, room: Room) -> Iterator[Text]:
    if not finding.workarounds:
        return
    first, *others = finding.workarounds
    yield from _first(first, room)
    shown = [brief(fix) for fix in others[: room.others]]
    for number, text in enumerate(shown, 2):
        sign = f"{' ' * (_MARGIN - 2)}{number} "
        yield from wrapped(text, cell_len(sign), sign)


def _first(fix: Workaround, room: Room) -> list[Text]:
    """The first fix whole where it fits, else as short as its warning allows; code is never cut in a line."""
    sign = Text.assemble("  ", (say("Fix"), "bold"), "   1 ")
    since = f" ({say('from')} {fix.since})" if fix.since else ""
    whole = f"{fix.title}{since}" + (f": {' '.join(fix.detail.split())}" if fix.detail else "")
    for text in (whole, brief(fix)):
        lines = wrapped(text, max(_MARGIN, cell_len(sign.plain)), sign)
        commands = code(fix, _MARGIN)
        if audience().columns is None or len(lines) + len(commands) <= room.fix:
            return lines + commands
    kept = code(Workaround(fix.title, fix.kind, after=fix.after or fix.before), _MARGIN)
    left = max(room.fix - len(lines), 1)
    return [*lines, *kept[:left], *([Text(f"{' ' * _MARGIN}…", style="dim")] if len(kept) > left else [])]


def _links(finding: Finding, room: Room) -> Iterator[Text]:
    for number, link in enumerate(finding.links[: room.links]):
        yield _link(link, number == 0)


def _link(link: Link, first: bool) -> Text:
    state = f" ({say(link.state)})" if link.state else ""
    return _plain("See" if first else "", address(link, 0).append(state))


def _plain(label: str, text: str | Text) -> Text:
    """What is to be copied, in one line: where it is longer than the screen, the terminal breaks it, not we."""
    line = Text.assemble("  ", (say(label) if label else "", "bold"), no_wrap=True)
    line.append(" " * max(_MARGIN - cell_len(line.plain), 1))
    return line.append(text)


def _more_roots(diagnosis: Diagnosis, main: Finding | None, called: Names, room: Room) -> Iterator[Text]:
    """Other root causes, errors that nothing connects with one, and the lines under suspicion besides."""
    unlike = [(label, one) for label, found in _unlike(diagnosis, main) for one in found if one.evidence]
    listed = [(label, one) for label, one in unlike if label == "Root" or _tells(one, main)]
    rows = [(label, called.place(one.evidence[0]), _named(label, one, main)) for label, one in listed]
    for suspect in _suspects(diagnosis, [main, *(one for _, one in listed)]):
        rows.append(("Maybe", called.at(suspect.path, suspect.line), essence(suspect.text)))
    most = len(rows) if len(rows) == room.roots + 1 else room.roots  # one more takes no more room than saying so
    yield from (_one_line(*row) for row in rows[:most])
    if len(rows) > most:
        yield Text(f"{' ' * _MARGIN}… {say('{n} more', n=len(rows) - most)}", style="dim")


def _unlike(diagnosis: Diagnosis, main: Finding | None) -> Iterator[tuple[str, list[Finding]]]:
    """Further roots; errors that are neither a root nor a consequence of one, the likeliest first."""
    yield "Root", [root for root in diagnosis.roots if root is not main]
    yield "Error", [f for f in diagnosis.findings if f.severity == "error" and f.role == "context" and f is not main]


def _tells(finding: Finding, main: Finding | None) -> bool:
    """Whether an error says more than the main one says, too, and more than that something follows."""
    said = message(finding).strip()
    if main is None:
        return True
    announces = said.endswith(":") and len(said.split()) <= _ANNOUNCES
    bare = said in (main.fields.get("exception", ""), "")
    own = finding.known and finding.id != main.id
    silent = not finding.known and not speaks(said)
    return not (announces or bare or silent or (not own and _repeats(finding, said, main)))


def _repeats(finding: Finding, said: str, main: Finding) -> bool:
    """Whether it is a line of the main one's message, or has its words."""
    first = finding.evidence[0]
    inside = any(one.path == first.path and one.line <= first.line <= one.end_line for one in main.evidence)
    return inside or (len(said) > _TELLING and said.rstrip(" .…") in message(main))


def _named(label: str, finding: Finding, main: Finding | None) -> str:
    """A root by its title, an error that may have to do with it or not by what the log says."""
    said = finding.title if label == "Root" else message(finding)
    same = main is not None and finding.id == main.id
    return f"{finding.id} {said}" if finding.known and not same else said


def _suspects(diagnosis: Diagnosis, told: Sequence[Finding | None]) -> list[Suspect]:
    """Without the lines that are already told of: as evidence, or as consequences."""
    known = (*told, *(finding for finding in diagnosis.findings if finding.role in ("root", "consequence")))
    shown = {(e.path, e.line) for one in known if one for e in one.evidence}
    new = (one for one in diagnosis.suspects if (one.path, one.line) not in shown)
    return [one for one in new if one.why == CUT_OFF or speaks(essence(one.text))]


def _one_line(label: str, place: str, text: str) -> Text:
    line = Text.assemble("  ", (f"{say(label)}  ", "bold"), (_within(place), "cyan"), (" │ ", "dim"), no_wrap=True)
    text = " ".join(printable(text).split())
    columns = audience().columns
    line.append(text if columns is None else around(text, (), columns - cell_len(line.plain)))
    return line


def _within(place: str, share: int = 2) -> str:
    """The end of a place that would take more than a half (or another share) of a line."""
    columns, text = audience().columns, printable(place)
    return text if columns is None or len(text) <= columns // share else "…" + text[2 - columns // share :]


def _end(main: Finding | None, room: Room) -> Iterator[Text]:
    """Where there is more, and as the last line the cause with the first fix: it stays when all else scrolls away."""
    yield from _gap(room)
    said = say("more: add --full")
    if main is not None and main.known:
        said += f"; neurontriage kb show {printable(main.id)}"
    yield from wrapped(Text(said, style="dim"), 0)
    if main is not None:
        yield Text(coda(main, audience().columns), no_wrap=True)
