"""How a notebook shows a diagnosis: the page in a frame of its own, or Markdown where pages are not drawn. Redacted."""

from __future__ import annotations

import html

from neurontriage.model import Diagnosis
from neurontriage.render.redaction import redacted
from neurontriage.reports import renderer

_HEIGHT = 640


def _repr_html_(diagnosis: Diagnosis) -> str:
    """The whole page, kept apart from the notebook: its styles stay inside, and it may ask no other host."""
    page = html.escape(renderer("html")(redacted(diagnosis)), quote=True)
    style = f"width:100%;height:{_HEIGHT}px;border:1px solid #8888;resize:vertical"
    return f'<iframe title="neurontriage" sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>'


def _repr_markdown_(diagnosis: Diagnosis) -> str:
    return renderer("markdown")(redacted(diagnosis))
