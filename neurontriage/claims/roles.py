"""What part a line plays by its own form: it states a failure, wraps or echoes another's, reports an exit, a signal, …

The roles and their forms are those of a careful reading of failing logs: the grammar's kind decides, then the entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neurontriage.claims.claim import ClaimRole
from neurontriage.lines.levels import CALM
from neurontriage.model import Event

_STATES = frozenset({"coded", "exception", "status", "located", "assertion"})
_STATEMENT = frozenset({"INABILITY", "LIMIT", "MISSING", "REFUSED", "INVALID", "REASON", "EXPECTED"})
# Words of a reason: a component that gives one echoes nobody.
_REASONS = frozenset({"LIMIT", "REASON", "ASSERTION"})
# What nobody prints but of a failure, at whatever level a launcher or wrapper repeats it.
_WHATEVER_LEVEL = frozenset({"coded", "assertion"})
_SENTENCE = 5  # words
_NOTES = frozenset({"warned", "frame", "rule", "setting", ""})


def role(event: Event, brief: Mapping[str, Any] | None, kind: str) -> ClaimRole:
    """The role of one event; `kind`: what its log family calls it ("failure", "echo", "warning", "")."""
    if brief is not None and brief["role"] == "wrapper":
        return "wrap"
    said = event.said
    informs = said.level in ("INFO", "DEBUG") and not {said.kind, event.kind} & _WHATEVER_LEVEL
    if brief is None and (said.kind in _NOTES or informs):
        return "note"
    if brief is None and ("ABOVE" in said.words or (kind == "echo" and not said.words & _REASONS and not _own(event))):
        return "echo"
    if ("EXIT" in said.words and not said.words & _STATEMENT - {"INABILITY"}) or (
        said.kind == "exception" and _leaves(event)
    ):
        return "exit"
    if said.kind == "signal" or ("SIGNAL" in said.words and not said.words & _STATEMENT):
        return "signal"
    if "WRAP" in said.words and not said.words & {"REASON", "LIMIT", "SIZE", "SIGNALLED"}:
        return "wrap"
    if said.kind in _STATES or "STATUS" in said.words or kind == "failure" or said.level == "FATAL":
        return "raise"
    if brief is None and (said.level in CALM or (not said.level and "CALM" in said.words)):
        return "note"
    return "raise" if said.words & _STATEMENT else "state"


def _own(event: Event) -> bool:
    """Whether a pass of the compiler says something itself; its driver and its jobs repeat what others said."""
    component = event.fields.get("component", "")
    return event.kind == "driver" and component[:1].isupper() and event.said.size >= _SENTENCE


def _leaves(event: Event) -> bool:
    """Whether an exception only ends its process, without a word of why."""
    fields = event.fields
    if "exception" not in fields or not fields["exception"]:
        return event.evidence.text.rstrip().endswith("SystemExit")
    text = fields.get("message", "")
    return fields["exception"] == "SystemExit" and (text in ("", "SystemExit") or text.strip().lstrip("-").isdigit())
