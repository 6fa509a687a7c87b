"""What a log shows to be set: variables of the environment, and the options of its compiler and launchers.

Only what is in force counts: an assignment (`export X=1`, `-e X=1`, a listing), a command line that was run. What a
sentence asks for (`please set X=1`) is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neurontriage.expressions import expression

VARIABLE = r"\b(?:NEURON|NCCL|VLLM|XLA|FI_E|FI_P|HF_H)[A-Z0-9_]{2,40}['\"]?[=:] ?['\"]?[\w./-]"
COMMAND = r"\b(?:neuronx?-cc['\", ]{1,4}compile|NEURON_CC_FLAGS|vllm serve|torchrun)\b"
Settings = Mapping[str, frozenset[str]]
"""What is set, by name: every value that the log shows."""
_VARIABLE = expression(r"\b([A-Z][A-Z0-9_]{3,44})['\"]?(?:=|: ?)['\"]?([\w./:-]{1,80})")
_COMMAND = expression(COMMAND)
_OPTION = expression(
    r"(?:^|[\s'\"=])(--[a-z][\w-]*)(?:(?:=|['\"]?,? ['\"]?)([\w./:][\w./:-]*))?|(?:^|[\s'\"=])-O([0-3])\b"
)
_ASKED = expression(
    r"(?i)\b(?:set|use|try|please|pass|add|unset|specify|with|by|if|via|using|needs?|require[sd]?|to|must be|should be"
    r"|recommend\w*|consider|enable|disable|without|no|not|unless|when|missing|expected)(?: the)?[\s:`'\"]{1,3}$"
)
_WANTED = expression(
    r"(?i)^[`'\")]*,? (?:is|was|are|were|has|have|had|not|never|missing|required|must|should|needs?|on|in|to|for|if)\b"
)
_SAME = {"--logical-nc-config": "--lnc", "--opt-level": "--optlevel"}
_MOST, _MOST_VALUES, _LINE = 200, 100, 4000
_ABOVE = 40
"""Characters above a variable in which a word can ask for it; a line may print hundreds of them."""
_SWITCHED_ON = "on"


class Set:
    """Collects what the lines of a log set: so many names, and of each so many values, in their order."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, None]] = {}

    def read(self, text: str) -> None:
        """Take up what a line sets."""
        for name, value in settings(text[:_LINE]):
            self._add(name, value)

    def take(self, later: Set) -> None:
        """Take in what a later part of the incident sets."""
        for name, values in later._found.items():
            for value in values:
                self._add(name, value)

    def _add(self, name: str, value: str) -> None:
        if name in self._found or len(self._found) < _MOST:
            values = self._found.setdefault(name, {})
            if len(values) < _MOST_VALUES:
                values[value] = None

    def values(self) -> Settings:
        """All that was found."""
        return {name: frozenset(values) for name, values in self._found.items()}


def settings(text: str) -> Iterator[tuple[str, str]]:
    """The variables and options which a line sets, each with its value."""
    for found in _VARIABLE.finditer(text):
        before = text[max(found.start() - _ABOVE, 0) : found.start()]
        if not _ASKED.search(before) and not _WANTED.match(text[found.end() :]):
            yield found[1], found[2]
    command = _COMMAND.search(text)
    if command and not _ASKED.search(text[: command.start()]):
        yield from options(text[command.end() :])


def options(command: str) -> Iterator[tuple[str, str]]:
    """The options of a command line under one name each: `-O1` is `--optlevel=1`."""
    for name, value, level in _OPTION.findall(command):
        yield ("--optlevel", level) if level else (_SAME.get(name, name), value or _SWITCHED_ON)
