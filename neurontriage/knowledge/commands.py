"""Texts and commands of entries with the values that a log prints: `ls -l {path}` → `ls -l /var/tmp/x.neff`.

A log is hostile input and a command is pasted into a shell, so a value becomes one quoted word, and what could not be
one (line breaks, a leading hyphen, hundreds of characters) stays out. Only shell is filled, never Python.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from neurontriage.expressions import expression

if TYPE_CHECKING:  # what reads a log fills texts, too, and has no entries at hand
    from neurontriage.knowledge.schema import Entry

_GROUP = expression(r"(?<!\$)\{([a-z]\w*)\}")
_CAPTURED = expression(r"\(\?P<(\w+)>")
_TEXTS = frozenset({"cause", "not_proof", "detail", "short", "look", "seen", "means"})
_FILLED = _TEXTS | {"check", "workarounds"}
_LONGEST = 120
_WORD = expression(r"[^\s\x00-\x1f\x7f-\x9f-][^\x00-\x1f\x7f-\x9f]{0,199}")


def with_values(article: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """An entry with the captured values in its texts and commands: those of the check and of steps that are no code.

    A group that this line does not have becomes `…` in a text, and a word in capitals in a command: `{path}` → `PATH`.
    """
    words = {name: word(name, fields.get(name)) for name in captured(article.get("match", ()))}
    if not words:
        return dict(article)
    values = {name: _shown(fields.get(name)) for name in words}
    said = {key: _part(key, one, values) if key in _FILLED else one for key, one in article.items()}
    steps = [_step(one, words) for one in said.get("workarounds", ())]
    check = said.get("check")
    if check and check.get("command"):
        check = {**check, "command": _filled(check["command"], words)}
    return {**said, "workarounds": steps, "check": check}


def without_log(entry: Entry) -> Entry:
    """An entry as it reads without a log."""
    return type(entry).model_validate(with_values(entry.plain(), {}))


def captured(match: Iterable[Mapping[str, Any]]) -> set[str]:
    """The names of the groups that the alternatives of an entry capture."""
    return {name for one in match for name in _names(one.get("text") or "")}


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    """The groups of one alternative, of which many lines are matches."""
    return tuple(_CAPTURED.findall(text))


def word(name: str, value: object) -> str:
    """A value as one word of a shell; the group's name in capitals where it has none that could be one."""
    text = str(value or "").strip()
    return shlex.quote(text) if _WORD.fullmatch(text) else name.upper()


def _step(step: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    if step.get("kind") == "code" or not step.get("after"):
        return dict(step)
    return {**step, "after": _filled(step["after"], words)}


def _said(part: Any, values: Mapping[str, str]) -> Any:
    """A part of an entry with the values in its texts, however deep they stand."""
    if isinstance(part, dict):
        return {key: _part(key, one, values) for key, one in part.items()}
    return [_said(one, values) for one in part] if isinstance(part, list) else part


def _part(key: str, part: Any, values: Mapping[str, str]) -> Any:
    return _filled(part, values) if key in _TEXTS and isinstance(part, str) else _said(part, values)


def _shown(value: object) -> str:
    text = " ".join(str(value or "…").split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _filled(command: str, words: Mapping[str, str]) -> str:
    if "{" not in command:
        return command
    return _GROUP.sub(lambda found: words.get(found[1], found[0]), command)
