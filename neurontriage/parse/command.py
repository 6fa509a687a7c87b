"""The command line of neuronx-cc or neuron-cc → target, framework, module, work folder and flags.

Logs print it as a shell line or as a Python list, whole or cut short; both are read.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import zip_longest

from neurontriage.expressions import expression

_MODULE = expression(r"MODULE_[0-9A-Za-z]+(?:\+[0-9a-f]{4,})?")
_VALUED = frozenset(
    {
        "--framework",
        "--target",
        "--output",
        "--model-type",
        "--auto-cast",
        "--auto-cast-type",
        "--lnc",
        "--verbose",
    }
)
_INPUT = (".pb", ".hlo", "/model")
_QUOTES = "\"'\\"
"""Without these a command line is its words between blanks."""
_KEPT = ("target", "framework", "model-type", "auto-cast", "auto-cast-type", "lnc", "optlevel")


def words(command: str) -> list[str]:
    """The arguments of a printed command line; a line that was cut short gives those that are whole."""
    text = command.strip()
    if text.startswith("["):
        closed = text if text.endswith("]") else text.rsplit("',", 1)[0].rstrip("',") + "']"
        try:
            listed = ast.literal_eval(closed)
        except (ValueError, SyntaxError, MemoryError):
            return re.findall(r"'([^']*)'", text)
        return [str(word) for word in listed]
    if not any(map(text.__contains__, _QUOTES)):
        return text.split()
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def inside(text: str) -> Mapping[str, str]:
    """Fields of the command line of the compiler that a text holds; none where it holds none."""
    _, found, rest = text.partition("-cc compile ")
    return read(rest) if found else {}


@lru_cache(maxsize=256)
def read(command: str) -> Mapping[str, str]:
    """Fields of a command line: target, framework, module, workdir, flags, and the usual options."""
    listed = words(command)
    options = _options(listed)
    found = {name: options[f"--{name}"] for name in _KEPT if options.get(f"--{name}")}
    levels = [word[2:] for word in listed if re.fullmatch(r"-O[0-3]", word)]
    if levels:
        found["optlevel"] = levels[0]
    inputs = [word for word in listed if word.endswith(_INPUT) and not word.startswith("-")]
    if inputs:
        found["workdir"] = os.path.dirname(inputs[0]) or "."
    module = _MODULE.search(command)
    if module:
        found["module"] = module.group()
    if flags := " ".join(_flags(listed)):
        found["flags"] = flags
    return found


def _flags(listed: list[str]) -> Iterator[str]:
    """The flags, each with its value where that is a word of its own."""
    for word, following in zip_longest(listed, listed[1:], fillvalue="-"):
        if word.startswith("-") and not word.startswith(("--output", "--verbose")):
            valued = word.startswith("--") and "=" not in word and not following.startswith("-")
            yield f"{word} {following}" if valued and not following.endswith(_INPUT) else word


def _options(listed: list[str]) -> dict[str, str]:
    """`--name=value` and `--name value` pairs."""
    options: dict[str, str] = {}
    for place, word in enumerate(listed):
        name, given, value = word.partition("=")
        if given and name.startswith("--"):
            options[name] = value
        elif word in _VALUED and place + 1 < len(listed):
            options[word] = listed[place + 1]
    return options
