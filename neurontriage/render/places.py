"""Where something stands, in the fewest words that still name it: `rank_5.log:2`, `build.log:410`."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from neurontriage.model import Diagnosis, Evidence
from neurontriage.render.audience import audience
from neurontriage.render.text import printable

_LONGEST = 40


class Names(NamedTuple):
    """Names of logs without the folder that all of them share. `several`: whether a line needs its file's name."""

    folder: str = ""
    several: bool = False

    def name(self, path: str) -> str:
        """The file as it is shown."""
        shown = path[len(self.folder) :] if self.folder and path.startswith(self.folder) else path
        shown = printable(shown) or printable(path)
        if len(shown) <= _LONGEST or audience().columns is None:
            return shown
        last = shown.rstrip("/").rpartition("/")[2]
        return f"…/{last}" if last != shown and len(last) <= _LONGEST else "…" + shown[-_LONGEST + 1 :]

    def place(self, evidence: Evidence) -> str:
        """`file:line`, or the number alone where there is one log only."""
        return self.at(evidence.path, evidence.line)

    def at(self, path: str, line: int | str) -> str:
        """The same for a line that is no evidence."""
        return f"{self.name(path)}:{line}" if self.several else str(line)

    def full(self, evidence: Evidence) -> str:
        """`file:line` always."""
        return f"{self.name(evidence.path)}:{evidence.line}"


def names(diagnosis: Diagnosis) -> Names:
    """How the logs of a diagnosis are called."""
    paths = [source.path for source in diagnosis.inputs]
    return Names(shared(paths), len(paths) > 1)


def shared(paths: Sequence[str]) -> str:
    """The folder that all paths begin with, with its slash; "" where they share none or there is only one."""
    if len(paths) < 2:
        return ""
    parts = [path.replace("!", "/").split("/")[:-1] for path in paths]
    same = list(itertools.takewhile(lambda level: len(set(level)) == 1, zip(*parts, strict=False)))
    return paths[0][: sum(len(level[0]) + 1 for level in same)]


def ranges(numbers: Iterable[int]) -> str:
    """`0-4, 6, 7` for 0, 1, 2, 3, 4, 6, 7."""
    groups: list[list[int]] = []
    for number in sorted(set(numbers)):
        if groups and number == groups[-1][-1] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    parts = [f"{g[0]}-{g[-1]}" if len(g) > 2 else ", ".join(map(str, g)) for g in groups]
    return ", ".join(parts)
