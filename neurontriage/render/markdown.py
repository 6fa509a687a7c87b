"""Text of a log → Markdown that shows exactly this text: nothing in it becomes markup, a link or a mention."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neurontriage.render.chain import Node
from neurontriage.render.text import printable

_MARKUP = re.compile(r"[\\*_{}\[\]|~]")
_ENTITIES = (
    ("&", "&amp;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ("@", "&#64;"),
    ("`", "&#96;"),
    ("#", "&#35;"),
    ("://", "&#58;//"),
    ("www.", "www&#46;"),
)
_START = re.compile(r"(\d{0,9})([-+=.)])")
_SPAN = re.compile(r"`([^`\n]+)`")
_SAFE_URL = re.compile(r"https://[A-Za-z0-9.-]+(:\d+)?(/[^\s<>\"'`\\()\[\]|]*)?")


def plain(text: str) -> str:
    """One line of escaped text."""
    line = " ".join(printable(text).split())
    for sign, entity in _ENTITIES:
        line = line.replace(sign, entity)
    line = _MARKUP.sub(lambda found: "\\" + found[0], line)
    return _START.sub(r"\1\\\2", line, count=1) if _START.match(line) else line


def prose(text: str) -> str:
    """Paragraphs of escaped text in which what stands between backticks is code."""
    return "\n\n".join(_paragraph(block) for block in printable(text).split("\n\n") if block.strip())


def _paragraph(text: str) -> str:
    parts = _SPAN.split(" ".join(text.split()))
    return "".join(span(part) if number % 2 else _kept(part) for number, part in enumerate(parts))


def _kept(part: str) -> str:
    """Escaped, with the blanks at both ends that separate it from code."""
    inner = plain(part)
    head = " " if part[:1] == " " and inner else ""
    tail = " " if part[-1:] == " " and inner else ""
    return head + inner + tail if inner else part


def span(text: str) -> str:
    """Code in a line; the fence is longer than any run of backticks inside."""
    line = " ".join(printable(text).split())
    fence = "`" * (_longest(line) + 1)
    pad = " " if "`" in line else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else ""


def change(before: str | None, after: str | None, language: str = "") -> Iterator[str]:
    """The code of a fix as blocks, which are named where there are two."""
    for name, text in (("Before", before), ("After", after)):
        if text:
            yield (f"{name}:\n\n" if before else "") + block(text, language)


def block(text: str, language: str = "") -> str:
    """A fenced block of code, with nothing in it that could end it."""
    body = printable(text).rstrip("\n")
    fence = "`" * max(3, _longest(body) + 1)
    return f"{fence}{language}\n{body}\n{fence}"


def link(url: str, title: str) -> str:
    """A link where the address is a plain https one, else the title alone."""
    return f"[{plain(title)}]({url})" if _SAFE_URL.fullmatch(url) else plain(title)


def tree(node: Node, depth: int = 0) -> Iterator[str]:
    """A list of a finding with its place and, set in below it, what it caused."""
    finding = node.finding
    place = f" ({span(f'{finding.evidence[0].path}:{finding.evidence[0].line}')})" if finding.evidence else ""
    yield f"{'  ' * min(depth, 6)}- {plain(finding.title)}{place}"
    for child in node.caused:
        yield from tree(child, depth + 1)


def _longest(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
