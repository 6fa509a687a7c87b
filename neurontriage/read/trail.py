"""Files that logs name: the compiler's own log, a cache entry's log, torchelastic's error files, Slurm's output.

Those that are at hand, below the folders that may be looked into, are read as part of the incident. The others are
named, so that the user can collect them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from neurontriage.expressions import expression
from neurontriage.read.encoding import plain
from neurontriage.read.inputs import Input
from neurontriage.read.needles import Needles

_NEEDLES = Needles(
    b"log-neuron-cc.txt", b"compile_workdir/", b"model.log", b"cached failed neff", b"error_file:", b"slurm-"
)
_NEAR_END = 256 << 10
_WHOLE = 8 << 20
_BREAK = expression(rb"[\s'\"<>|=,;()\[\]{}`]+")
_WORK = expression(rb".*compile_workdir/[^/]+")
_SLURM = expression(rb"slurm-\d{1,12}(?:_\d{1,6})?\.(?:out|err)")
_LONGEST = 400
_MOST_PLACES = 200
_MOST = 16
_LARGEST_ERROR = 4 << 20


@dataclass(eq=False, repr=False)
class Trail:
    """Notes what logs name while they go by. `roots`: the folders that may be looked into, with all below them.

    `read`: the logs that were read; `by_log`: what each log names. Logs are read in any order, by several processes;
    what they name is told in one.
    """

    roots: Sequence[Path]
    by_log: dict[str, dict[str, None]] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)

    @property
    def named(self) -> list[str]:
        """All names, the one that was named last in the last log at the end."""
        found: dict[str, None] = {}
        for log in sorted(self.by_log):
            _put(found, self.by_log[log])
        return list(found)

    def watch(self, path: str, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Pass the blocks of a log through; of a large one, the end of each block is searched."""
        self.read.append(path)
        seen = 0
        for block in blocks:
            yield block
            if needles := _NEEDLES.within(block):
                self._note(path, block if seen < _WHOLE else block[-_NEAR_END:], needles)
            seen += len(block)
            del block  # it is no longer held while the next one is read

    def take(self, log: str, paths: Iterable[str], named: Iterable[str]) -> None:
        """Take in which logs were read elsewhere as parts of a `log`, and what they name."""
        self.read += paths
        self._name(log, named)

    def _name(self, log: str, names: Iterable[str]) -> None:
        if found := list(names):
            _put(self.by_log.setdefault(log, {}), found)

    def _note(self, log: str, text: bytes, needles: Iterable[bytes]) -> None:
        for at in sorted(_places(text, needles)):
            window = b" " * (at < _LONGEST) + text[max(0, at - _LONGEST) : at + _LONGEST] + b" "
            self._name(log, _names(_BREAK.split(window)[1:-1]))

    def followed(self) -> tuple[list[Input], tuple[str, ...]]:
        """What is at hand and was not read yet, as inputs; and the names of what is not at hand."""
        inputs: dict[Path, Input] = {}
        missing = []
        named = self.named[-_MOST:]
        read = {_absolute(path) for path in self.read} if named else ()
        for name in named:
            place = self._place(name)
            if place is None:
                missing.append(name)
            elif _absolute(str(place)) not in read:
                inputs[place] = Input(str(place), str(place), place.stat().st_size, sought=True)
        return list(inputs.values()), tuple(missing)

    def _place(self, name: str) -> Path | None:
        """Where a named file is: where it says, or below a root under the same last folders, as copied logs are."""
        parts = [part for part in Path(name).parts if part not in ("/", "..", ".")]
        for root in self.roots:
            inside = root.resolve()
            candidates = [Path(name)] if Path(name).is_absolute() else []
            candidates += [inside.joinpath(*parts[-size:]) for size in range(min(len(parts), 8), 1, -1)]
            candidates += [inside / parts[0]] if len(parts) == 1 else []
            for one in candidates:
                if _readable(one, inside):
                    return one
        return None


def _absolute(path: str) -> str:
    """As a string, which is a tenth of what a Path takes; as the one that is there, where it is absolute."""
    try:
        return path if path == (found := str(Path(path).absolute())) else found
    except FileNotFoundError:  # the current folder is removed
        return str(Path(path))


def _put(found: dict[str, None], names: Iterable[str]) -> None:
    """Add names in their order; one that is there already moves to the end: the last named are nearest to a failure."""
    for name in names:
        found.pop(name, None)
        found[name] = None


def _places(text: bytes, needles: Iterable[bytes]) -> set[int]:
    """Where the last of each needle stand, at most so many."""
    found: set[int] = set()
    for needle in needles:
        at = text.rfind(needle)
        for _ in range(_MOST_PLACES):
            if at < 0:
                break
            found.add(at)
            at = text.rfind(needle, 0, at)
    return found


def _names(words: Sequence[bytes]) -> Iterator[str]:
    """The files that the words of a text name."""
    for before, spoken in zip([b"", *words], words, strict=False):
        word = spoken.rstrip(b".:")
        work = _WORK.match(word)
        if word.endswith((b"log-neuron-cc.txt", b"/model.log")):
            yield _decoded(word)
        elif work:
            yield _decoded(work.group()) + "/log-neuron-cc.txt"
        elif word.endswith(b".neff") and before == b"at":
            yield _decoded(word.rpartition(b"/")[0]) + "/model.log"
        elif (before == b"error_file:" and word.startswith(b"/")) or _SLURM.fullmatch(word.rpartition(b"/")[2]):
            yield _decoded(word)


def _decoded(word: bytes) -> str:
    return word.decode("utf-8", "replace")


def _readable(path: Path, inside: Path) -> bool:
    """Whether a path is a regular file below a folder, wherever links lead."""
    try:
        return path.is_file() and path.resolve().is_relative_to(inside)
    except (OSError, ValueError):
        return False


def error_text(content: Iterable[bytes]) -> Iterator[bytes]:
    """The blocks of torchelastic's error file (JSON with the traceback in one string) as the text it stands for.

    Source: torch/distributed/elastic/multiprocessing/errors/error_handler.py. Anything else passes as it is.
    """
    text, rest = b"", iter(content)
    for block in rest:
        text += block
        if len(text) > _LARGEST_ERROR:
            break
    try:
        message = json.loads(text)["message"]
        said = message if isinstance(message, str) else message["extraInfo"]["py_callstack"]
        yield plain(str(said).encode("utf-8", "replace") + b"\n")
    except (ValueError, KeyError, TypeError, RecursionError):
        yield text
        yield from rest
