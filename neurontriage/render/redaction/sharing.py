"""How much is taken out before something is shown: the level that was asked for, or what the format needs."""

from __future__ import annotations

from typing import TypeVar

from neurontriage.errors import unknown
from neurontriage.render.redaction.redactor import Redactor

LEVELS = ("none", "secrets", "strict")
HELP = "What to take out: none, secrets, strict (hosts, users, buckets too). By default secrets in all that is shared."

Value = TypeVar("Value")


def check(level: str | None) -> None:
    """Refuse a level that does not exist."""
    if level is not None and level not in LEVELS:
        raise unknown("--redact", level, LEVELS)


def prepared(value: Value, level: str | None, made_to_be_shared: bool) -> tuple[Value, str]:
    """The value as it may be shown, and a note of what was taken out ("" when nothing was)."""
    if level == "none" or (level is None and not made_to_be_shared):
        return value, ""
    redactor = Redactor(strict=level == "strict")
    shown = redactor.value(value)
    return shown, noted(redactor)


def noted(redactor: Redactor) -> str:
    """`3 secrets taken out: 2 token, 1 account`, or "" when there was none."""
    total = sum(redactor.counts.values())
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(redactor.counts.items()))
    return f"note: {total} secret{'s' if total > 1 else ''} taken out: {kinds}" if total else ""
