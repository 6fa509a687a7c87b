"""Commands of entries with the values that a log prints: `ls -l {path}` → `ls -l /var/tmp/x.neff`.

A log is hostile input and a command is pasted into a shell, so a value becomes one quoted word, and what could not be
one (line breaks, a leading hyphen, hundreds of characters) stays out. Only shell is filled, never Python.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

_GROUP = re.compile(r"(?<!\$)\{([a-z]\w*)\}")
_CAPTURED = re.compile(r"\(\?P<(\w+)>")
_WORD = re.compile(r"[^\s\x00-\x1f\x7f-\x9f-][^\x00-\x1f\x7f-\x9f]{0,199}")


def with_values(article: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """An entry's text with the captured values in its commands: those of the check and of steps that are no code.

    A group that this line does not have becomes a word in capitals: `{path}` → `PATH`.
    """
    words = {name: word(name, fields.get(name)) for name in captured(article.get("match", ()))}
    if not words:
        return dict(article)
    steps = [_step(one, words) for one in article.get("workarounds", ())]
    check = article.get("check")
    if check and check.get("command"):
        check = {**check, "command": _filled(check["command"], words)}
    return {**article, "workarounds": steps, "check": check}


def captured(match: Iterable[Mapping[str, Any]]) -> set[str]:
    """The names of the groups that the alternatives of an entry capture."""
    return {name for one in match for name in _CAPTURED.findall(one.get("text") or "")}


def word(name: str, value: object) -> str:
    """A value as one word of a shell; the group's name in capitals where it has none that could be one."""
    text = str(value or "").strip()
    return shlex.quote(text) if _WORD.fullmatch(text) else name.upper()


def _step(step: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    if step.get("kind") == "code" or not step.get("after"):
        return dict(step)
    return {**step, "after": _filled(step["after"], words)}


def _filled(command: str, words: Mapping[str, str]) -> str:
    return _GROUP.sub(lambda found: words.get(found[1], found[0]), command)
