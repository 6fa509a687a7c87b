"""Whether a code block of an entry parses: as Python, as shell, as YAML or JSON, or as lines of a known file."""

from __future__ import annotations

import ast
import re
import shlex
import textwrap
import warnings

import yaml

from neurontriage.knowledge.documents import LOADER

_ASSIGNMENT = re.compile(r"(?:export |ENV |ARG )?[A-Za-z_]\w*=")
_COMMAND = re.compile(r"(?:sudo |\$ )?(?:\.{0,2}/|\. /)?[a-zA-Z][\w./+-]*(?:[\s;]|$)")
# Lines of files: Dockerfile, requirements, limits.conf, kernel command line, flags that are given to a program.
_LINE = re.compile(
    r"(?:FROM|RUN|COPY|CMD|ENTRYPOINT|ENV|ARG) |--?[\w-]+|[\w.\[\]-]+\s*(?:[=<>!~]=|@ )|[*@] |\w+ +(?:soft|hard) |#"
)


def parses(text: str) -> bool:
    """Whether a block can be pasted somewhere as it stands."""
    block = textwrap.dedent(text).strip("\n")
    return _python(block) or _shell(block) or _data(block)


def runs_in_shell(text: str) -> bool:
    """Whether a line can be given to a shell: all of its words are closed, and each begins like a command."""
    return _shell(text.strip())


def _python(block: str) -> bool:
    inside = f"async def _():\n{textwrap.indent(block, '    ')}"
    return any(map(_compiles, (block, f"{block}\n    pass", f"{block}\ndef _(): ...", inside)))


def _compiles(source: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            ast.parse(source)
        except (SyntaxError, ValueError):
            return False
    return True


def _shell(block: str) -> bool:
    try:
        shlex.split(block, comments=True)
    except ValueError:
        return False
    lines = [line.strip() for line in re.sub(r"\\\n", " ", block).splitlines() if line.strip()]
    return all(_ASSIGNMENT.match(line) or _COMMAND.match(line) or _LINE.match(line) for line in lines)


def _data(block: str) -> bool:
    try:
        return isinstance(yaml.load(block, Loader=LOADER), dict | list)
    except yaml.YAMLError:
        return False
