"""The shared look of the HTML pages: one autoescaping Jinja environment, one style sheet, one script.

A page is a single file that asks no host for anything. Its Content-Security-Policy names the hashes of the
one style sheet and the one script, so that markup which slipped through could still not run or restyle.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from neurontriage import __version__
from neurontriage.render.audience import audience
from neurontriage.render.language import count, say
from neurontriage.render.text import printable
from neurontriage.resources import PACKAGE

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_AT_ONCE = 64 << 10
"""Characters of a page that are put together at a time."""
FOLDER = PACKAGE / "render" / "pages"
_CODE = re.compile(r"`([^`\n]+)`")
_SAFE_URL = re.compile(r"https://[A-Za-z0-9.-]+(:\d+)?(/[^\s<>\"'`\\]*)?")


def web(url: str) -> str:
    """The address if it is a plain https one, else "": nothing else ever becomes a link."""
    return url if _SAFE_URL.fullmatch(url) else ""


def plural(number: int, one: str) -> str:
    """`1 line`, `2,000 lines`, in the reader's language."""
    return count(number, one)


def prose(text: str) -> Markup:
    """Escaped text in which what stands between backticks is code."""
    from markupsafe import Markup, escape

    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(printable(text)))))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    env = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals["say"] = say
    env.globals["language"] = lambda: audience().language
    env.filters["web"] = web
    env.filters["prose"] = prose
    return env


def _shown(value: object) -> object:
    """Every printed text loses its control characters; markup (the result of a macro) has lost them inside."""
    return printable(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _asset(name: str) -> tuple[Markup, str]:
    """A file of this folder to be put into the page as it is, and its hash for the policy."""
    from markupsafe import Markup

    text = (FOLDER / name).read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Markup(text), f"'sha256-{digest}'"


def page(name: str, **values: object) -> str:
    """The template `name` with the given values and the shared look, as one HTML document."""
    return "".join(pieces(name, **values))


def pieces(name: str, **values: object) -> Iterator[str]:
    """The same document piece by piece, for one that is too long to be held."""
    style, style_hash = _asset("page.css")
    script, script_hash = _asset("page.js")
    policy = (
        f"default-src 'none'; style-src {style_hash}; script-src {script_hash}; base-uri 'none'; form-action 'none'"
    )
    shared = {"style": style, "script": script, "policy": policy, "tool_version": __version__}
    held, size = list[str](), 0
    for part in _environment().get_template(name).generate(**shared, **values):
        held.append(part)
        size += len(part)
        if size >= _AT_ONCE:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held) + "\n"
