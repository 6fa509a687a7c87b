"""Pieces of terminal output that several commands draw: the console, workarounds, links."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from collections.abc import Iterable

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from neurontriage.model import Link, Workaround
from neurontriage.render.text import printable

_WIDEST = 110
_NARROWEST = 40
_SHORT_DETAIL = 160
_SHORT_CODE = 6


def drawn(parts: Iterable[RenderableType]) -> str:
    """Renderables as text; colours and hyperlinks only where standard output is a terminal that takes them."""
    target = io.StringIO()
    console = Console(
        file=target,
        force_terminal=sys.stdout.isatty() and "NO_COLOR" not in os.environ,
        no_color="NO_COLOR" in os.environ,
        width=max(_NARROWEST, min(shutil.get_terminal_size((80, 24)).columns, _WIDEST)),
        highlight=False,
        markup=False,
        emoji=False,
    )
    for part in parts:
        unbroken = isinstance(part, Text) and bool(part.no_wrap)
        console.print(part, crop=False, soft_wrap=unbroken)
    return "\n".join(line.rstrip() for line in target.getvalue().splitlines()) + "\n"


def section(name: str, text: str) -> Padding:
    """`Name: text`, wrapped and set in by two columns."""
    return Padding(Text.assemble((f"{name}: ", "bold"), printable(text), overflow="fold"), (1, 0, 0, 2))


def workarounds(listed: Iterable[Workaround], whole: bool) -> Iterable[RenderableType]:
    """Numbered workarounds; where not `whole`, the first in full, the next shorter, the rest by title."""
    for number, workaround in enumerate(listed, 1):
        yield Padding(_workaround(number, workaround, whole), (0, 0, 0, 4))


def _workaround(number: int, workaround: Workaround, whole: bool) -> Group:
    since = f" (from {workaround.since})" if workaround.since else ""
    parts: list[RenderableType] = [Text(f"{number}. {printable(workaround.title)}{since}", style="bold")]
    if workaround.detail and (whole or number <= 3):
        detail = printable(workaround.detail.strip())
        detail = detail if whole or number == 1 else _start(detail)
        parts.append(Padding(Text(detail, overflow="fold"), (0, 0, 0, 3)))
    if whole or number <= 2:
        parts += _code(workaround, None if whole else _SHORT_CODE)
    return Group(*parts)


def _code(workaround: Workaround, most: int | None) -> list[RenderableType]:
    lines = []
    for sign, code, style in (("-", workaround.before, "red"), ("+", workaround.after, "green")):
        for line in (code or "").rstrip().splitlines()[:most]:
            text = Text(f"{sign} {printable(line)}", style=style, overflow="fold")
            lines.append(Padding(text, (0, 0, 0, 3)))
    return list(lines)


def _start(text: str) -> str:
    """The first sentences of a text, as many as fit two lines."""
    if len(text) <= _SHORT_DETAIL:
        return text
    ends = [match.end() for match in re.finditer(r"[.;:] ", text) if match.end() <= _SHORT_DETAIL]
    return text[: ends[-1]].rstrip(" ;:") if ends else text[:_SHORT_DETAIL].rsplit(" ", 1)[0] + " …"


def links(listed: Iterable[Link]) -> Iterable[RenderableType]:
    """Title and state of each link, and its address on a line of its own that is never broken."""
    for link in listed:
        state = f" [{link.state}]" if link.state else ""
        yield Text(f"    {printable(link.title)}{state}")
        yield Text(f"    {link.url}", style=Style(link=link.url, color="blue"), no_wrap=True, overflow="ignore")
