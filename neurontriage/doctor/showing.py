"""What the checks say, as text for a terminal and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from neurontriage import __version__
from neurontriage.doctor.check import Check
from neurontriage.render.drawing import drawn, section
from neurontriage.render.text import printable

SCHEMA = "neurontriage.doctor/1"
_SIGNS = {"ok": ("ok     ", "green"), "fault": ("FAULT  ", "bold red"), "not-run": ("not run", "dim")}


def document(checks: Sequence[Check]) -> str:
    """The JSON of schema `neurontriage.doctor/1`."""
    rows = [
        {
            "id": c.id,
            "title": c.title,
            "outcome": c.outcome,
            "reason": c.reason,
            "entry": c.entry,
            "fields": dict(c.fields),
        }
        for c in checks
    ]
    return json.dumps({"schema": SCHEMA, "tool": {"version": __version__}, "checks": rows}, indent=2) + "\n"


def text(checks: Sequence[Check], articles: Mapping[str, Mapping[str, Any]]) -> str:
    """One line per check; below it, for each fault, what its entry says: the cause and the first thing to do."""
    return drawn(_parts(checks, articles))


def _parts(checks: Sequence[Check], articles: Mapping[str, Mapping[str, Any]]) -> Iterable[RenderableType]:
    for check in checks:
        sign, style = _SIGNS[check.outcome]
        yield Text.assemble((sign, style), f"  {check.title}: {printable(check.reason)}")
        if check.entry and check.entry in articles:
            article = articles[check.entry]
            yield Padding(Text(check.entry, style="bold"), (0, 0, 0, 9))
            yield section("What it means", article["cause"])
            for item in article["workarounds"][:1]:
                yield section("What to do", f"{item['title']}. {item.get('detail', '')}")
            yield Padding(Text(f"neurontriage kb show {check.entry}"), (0, 0, 1, 4))
    counts = {name: sum(check.outcome == name for check in checks) for name in _SIGNS}
    yield Text(f"\n{counts['fault']} faults, {counts['ok']} ok, {counts['not-run']} not run")
