"""Preflight → one self-contained HTML page."""

from __future__ import annotations

from neurontriage.preflight import wording
from neurontriage.preflight.model import Preflight
from neurontriage.render.pages import page, plural


def render(found: Preflight) -> str:
    """The page; it needs neither network nor scripts to be read."""
    return page("preflight.html", found=found, wording=wording, plural=plural, tones=_TONES)


_TONES = {"unsupported": "bad", "supported": "ok"}
