"""Pieces of terminal output that several commands draw: wrapped lines, sections, workarounds, links."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from neurontriage.model import Check, Link, Workaround
from neurontriage.render.audience import Audience, audience
from neurontriage.render.language import say
from neurontriage.render.shorten import brief
from neurontriage.render.text import printable

if TYPE_CHECKING:
    from rich.console import Console, Group, RenderableType
    from rich.padding import Padding

_UNBOUND = 10_000
_NEVER_FIRST = frozenset("、。，．）」』】：；！？")


def drawn(parts: Iterable[RenderableType]) -> str:
    """Renderables as text; colours and hyperlinks only for a reader who sees them."""
    listed, to = list(parts), audience()
    if not to.colour and all(isinstance(part, Text) for part in listed):
        return _stripped("".join(f"{part.plain}\n" for part in listed if isinstance(part, Text)))
    return _stripped(_printed(listed, to))


def _stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def _printed(parts: Iterable[RenderableType], to: Audience) -> str:
    """What takes a console, whose library is not loaded for plain lines."""
    from rich.console import Console, Group

    target = io.StringIO()
    console = Console(
        file=target,
        force_terminal=to.colour,
        no_color=not to.colour,
        width=to.columns or _UNBOUND,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for part in parts:
        console.print(part, crop=False, soft_wrap=isinstance(part, Text | Group))
    return target.getvalue()


def wrapped(text: Text | str, indent: int, first: str | Text = "", later: str | Text = "") -> list[Text]:
    """A text set in by `indent` columns; `first` and `later` stand in the margin of the first and the other lines.

    Lines are broken for the reader's columns, Chinese characters counting two; without columns there is one line.
    """
    body = Text(printable(text)) if isinstance(text, str) else text
    columns = audience().columns
    lines = _lines(body, max(columns - indent, 12)) if columns else [body]
    return [_margin(first if not number else later, indent) + line for number, line in enumerate(lines or [Text()])]


def _lines(body: Text, room: int) -> list[Text]:
    """Lines of at most `room` columns; a text with characters of two columns may be broken before each of them."""
    if cell_len(body.plain) == len(body.plain):
        return list(body.wrap(_measure(), room, overflow="fold"))
    return list(body.divide(_breaks(body.plain, room)))


def _breaks(text: str, room: int) -> list[int]:
    """Where a text is broken: after blanks, and before wide characters that may begin a line."""
    found: list[int] = []
    start = may = cells = 0
    for at, one in enumerate(text):
        size = cell_len(one)
        if (size > 1 and one not in _NEVER_FIRST) or text[at - 1 : at] == " ":
            may = at
        cells += size
        while cells > room and start < at:  # twice where a narrow character made way for a wide one
            start = may if may > start else at
            found.append(start)
            cells = cell_len(text[start : at + 1])
    return found


def _measure() -> Console:
    from rich.console import Console

    return Console(file=io.StringIO(), width=_UNBOUND, force_terminal=False)


def _margin(sign: str | Text, indent: int) -> Text:
    margin = Text(sign) if isinstance(sign, str) else sign.copy()
    margin.append(" " * max(indent - cell_len(margin.plain), 0))
    return margin


def section(name: str, text: str) -> Group:
    """`Name: text`, wrapped and set in by two columns, after an empty line."""
    from rich.console import Group

    return Group(Text(), *wrapped(Text.assemble((f"{say(name)}: ", "bold"), printable(text)), 2))


def line(text: str, indent: int = 2, style: str = "") -> Padding:
    """One line set in by `indent` columns; what does not fit is folded."""
    from rich.padding import Padding

    return Padding(Text(printable(text), style=style, overflow="fold"), (0, 0, 0, indent))


def heading(name: str) -> Group:
    """A bold line after an empty one."""
    from rich.console import Group

    return Group(Text(), Text(f"  {say(name)}", style="bold"))


def look(check: Check | None) -> Iterable[RenderableType]:
    """What to look at before anything is changed: the command, and what each outcome means."""
    if check is None:
        return
    yield section("Look first", check.look)
    if check.command:
        yield Text(f"    $ {printable(check.command)}", style="bold", no_wrap=True)
    for outcome in check.outcomes:
        way = f" → {outcome.workaround}" if outcome.workaround else ""
        yield from wrapped(f"{outcome.seen}: {outcome.means}{way}", 6, "    - ")


def workarounds(listed: Iterable[Workaround], whole: bool) -> Iterable[RenderableType]:
    """Numbered workarounds; where not `whole`, all but the first as short as their warnings allow."""
    for number, workaround in enumerate(listed, 1):
        sign = f"    {number}."
        if whole or number == 1:
            yield from _workaround(sign, workaround)
        else:
            yield from wrapped(brief(workaround), 7, sign)


def _workaround(sign: str, workaround: Workaround) -> Iterable[Text]:
    since = f" ({say('from')} {workaround.since})" if workaround.since else ""
    yield from wrapped(Text(f"{printable(workaround.title)}{since}", style="bold"), 7, sign)
    if workaround.detail:
        yield from wrapped(workaround.detail.strip(), 7)
    yield from code(workaround, 7)


def code(workaround: Workaround, indent: int) -> list[Text]:
    """What to take out and what to write instead: never broken, so that it can be copied."""
    both = (("-", workaround.before, "red"), ("+", workaround.after, "green"))
    return [
        Text(f"{' ' * indent}{sign} {printable(line)}", style=style, no_wrap=True)
        for sign, text, style in both
        for line in (text or "").rstrip().splitlines()
    ]


def links(listed: Iterable[Link]) -> Iterable[RenderableType]:
    """Title and state of each link, and its address on a line of its own that is never broken."""
    for link in listed:
        state = f" [{say(link.state)}]" if link.state else ""
        yield Text(f"    {printable(link.title)}{state}")
        yield address(link, 4)


def address(link: Link, indent: int) -> Text:
    """The address of a link, unbroken, as a hyperlink where the terminal knows them."""
    text = Text(" " * indent, no_wrap=True, overflow="ignore")
    text.append(printable(link.url), Style(link=printable(link.url), color="blue"))
    return text
