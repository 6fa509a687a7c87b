"""Paths → logs → blocks of whole lines as UTF-8 bytes, colours removed; memory stays bounded whatever the size."""

from __future__ import annotations

import codecs
import errno
import getpass
import glob
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from neurontriage.errors import TriageError
from neurontriage.expressions import expression
from neurontriage.read import remote
from neurontriage.read.archives import members, unpacked
from neurontriage.read.encoding import PROBE, encoding_of, is_binary, plain

BLOCK = 1 << 20
LONGEST_LINE = 2 << 20
_LOG_NAMES = expression(
    r"\.(?:log|txt|out|err|stdout|stderr|ipynb)(?:\.|$)|^log[-_.]|[-_.]log$|^messages|^syslog|^dmesg"
)
_PACKED = (".gz", ".xz", ".bz2", ".zst", ".zip", ".tar", ".tgz", ".txz", ".tbz2")


@dataclass(frozen=True, slots=True)
class Input:
    """One log to read: `name` as the user would write it, `place` where it lies, None for standard input.

    `sought`: found in a folder or by a glob, so that it may turn out to be no log. `left_out` takes the names of the
    binary files that reading met there or in an archive, `faults` what could not be read (or to its end), by name;
    all that are found at once share them.
    """

    name: str
    place: str | Path | None
    size: int = 0
    sought: bool = False
    left_out: dict[str, None] = field(default_factory=dict, compare=False)
    faults: dict[str, TriageError] = field(default_factory=dict, compare=False)

    @property
    def path(self) -> Path | None:
        """Its place; made when it is asked for, as it takes several times the memory of its name."""
        return None if self.place is None else Path(self.place)

    def holds(self, path: str) -> bool:
        """Whether it is the log of this path, or the archive that the log is packed in: `a.tar!job/rank_0.log`."""
        return path == self.name or path.startswith(f"{self.name}!")


def packed_name(name: str) -> bool:
    """Whether a name is that of something compressed, or of an archive."""
    return name.endswith(_PACKED)


def newest_workdir() -> Path | None:
    """The log of the last compilation of this user: in the current folder, or in the compile wrapper's work folders."""
    places = [Path("log-neuron-cc.txt")]
    for name in {os.environ.get("USER", "no-user"), "no-user", _user()}:
        places += Path(f"/tmp/{name}/neuroncc_compile_workdir").glob("*/log-neuron-cc.txt")
    found = [place for place in places if place.is_file()]
    return max(found, key=lambda place: place.stat().st_mtime, default=None)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run under a number that has no name
        return "no-user"


def find(paths: Iterable[str]) -> list[Input]:
    """Files, folders, globs and `-` → the inputs they mean, in a stable order, each once.

    Raises TriageError when one of them names nothing that can be read.
    """
    found: dict[str, Input] = {}
    for path in paths:
        for one in _expand(path):
            found.setdefault(one.name, one)
    return list(found.values())


def _expand(text: str) -> list[Input]:
    if text == "-":
        return [Input("-", None)]
    if "://" in text:
        names = remote.listed(text)
        return [Input(name, None, sought=names != [text]) for name in names]
    path = Path(text)
    try:
        if path.is_dir():
            return _folder(path)
        if path.exists():
            return [Input(text, text, path.stat().st_size)]
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        raise TriageError(
            "no-such-input", f"{text[:_SHOWN]!r}…: too long for the name of a file", _EXPECTED, _PIPE
        ) from None
    files = [Path(match) for match in _matches(text) if os.path.isfile(match)]
    if not files:
        raise _missing(text)
    first = Input("", None)
    return [_sought(str(path), first) for path in files]


def _matches(text: str) -> list[str]:
    """What a glob stands for. `**` does not go through links to folders, which may lead round in a circle."""
    if not glob.has_magic(text):
        return []
    if "**" not in text:
        return sorted(glob.glob(text))
    parts = Path(text).parts
    first = next(place for place, part in enumerate(parts) if glob.has_magic(part))
    inside = (str(path) for path in Path(*parts[:first]).glob("/".join(parts[first:])))
    return sorted(inside)


def _sought(path: str, first: Input) -> Input:
    try:
        size = os.stat(path).st_size
    except OSError:  # it vanished, or must not be looked at: reading it says so
        size = 0
    return Input(path, path, size, True, first.left_out, first.faults)


def _missing(text: str) -> TriageError:
    near = Path(text).parent
    hint = f"look what is there: ls {near}" if near.exists() else f"the folder {near} does not exist"
    what = (
        f"a link to {os.readlink(text)}, which is not there"
        if os.path.islink(text)
        else "no such file, folder or glob match"
    )
    return TriageError("no-such-input", f"{text}: {what}", _EXPECTED, hint)


_SHOWN = 60  # characters of what is no name
_PIPE = "the text of a log itself goes through a pipe: … | neurontriage explain -"
_EXPECTED = "a log file, a folder with logs, a glob in quotes, an archive (.zip, .tar.gz), or - for standard input"


def _folder(folder: Path) -> list[Input]:
    inputs: list[Input] = []
    first = Input("", None)

    def unreadable(error: OSError) -> None:
        name = str(error.filename or folder)
        inputs.append(Input(name, name, sought=True))  # reading it says why it cannot be read

    for root, folders, names in os.walk(folder, onerror=unreadable):
        folders.sort()
        for name in sorted(names):
            if (_LOG_NAMES.search(name) or name.endswith(_PACKED)) and (path := Path(root, name)).is_file():
                inputs.append(_sought(str(path), first))
    if not inputs:
        hint = f"name the files themselves: neurontriage explain '{folder}/*'"
        raise TriageError(
            "no-logs", f"{folder}: no log files in this folder", "files named *.log, *.txt, *.out …", hint
        )
    return inputs


def refused(name: str, error: OSError) -> TriageError:
    """The refusal of an input that the system does not let us read."""
    what = "permission denied" if isinstance(error, PermissionError) else (error.strerror or str(error))
    return TriageError("unreadable-input", f"{name}: {what}", "a file that this user may read", f"ls -l {name}")


def logs(one: Input) -> Iterator[tuple[str, Iterator[bytes]]]:
    """One input → (name, blocks) for each log in it: one for a file, several for an archive.

    Each block ends at a line feed, but for the last and for lines longer than LONGEST_LINE.
    """
    try:
        if "://" in one.name:
            stream = io.BufferedReader(cast(Any, remote.opened(one.name)), PROBE)
            yield from _logs(unpacked(stream, one.name), one.name, one)
            return
        with opened(one) as stream:
            name = "<stdin>" if one.place is None else one.name
            yield from _logs(unpacked(stream, name), name, one)
    except OSError as error:
        raise refused(one.name, error) from error


def opened(one: Input) -> io.BufferedReader:
    """The bytes of an input as they are stored; the caller closes it."""
    if one.place is not None:
        return cast(io.BufferedReader, open(one.place, "rb", buffering=PROBE))
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    return cast(io.BufferedReader, open(sys.stdin.fileno(), "rb", buffering=PROBE, closefd=False))


def _logs(stream: io.BufferedReader, name: str, one: Input) -> Iterator[tuple[str, Iterator[bytes]]]:
    inside = members(stream, name)
    if inside is None:
        if one.sought and is_binary(stream.peek()[:PROBE]):
            one.left_out[name] = None
        else:
            yield name, blocks(stream, name)
        return
    for member, content in inside:
        if is_binary(content.peek()[:PROBE]):
            one.left_out[f"{name}!{member}"] = None
        else:
            yield f"{name}!{member}", blocks(content, f"{name}!{member}")


def blocks(stream: Any, name: str, continues: bool = False) -> Iterator[bytes]:
    """Cut a stream into blocks of whole lines; UTF-16 and UTF-32 become UTF-8, terminal colours go.

    `continues`: the stream begins in the middle of a text of which more was read, so that it is known to be one.
    """
    chunks = _chunks(stream)
    chunk = next(chunks, b"")
    if not continues and is_binary(chunk[:PROBE]):
        hint = "for a NEFF or an HLO proto give the log of the compile instead (log-neuron-cc.txt)"
        raise TriageError("binary-input", f"{name}: holds NUL or control bytes: not a text log", _EXPECTED, hint)
    encoding = None if continues else encoding_of(chunk[:PROBE])
    decode = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
    rest = b""
    while chunk:
        last = len(chunk) < BLOCK
        rest, *whole = _parted(rest, decode.decode(chunk).encode() if decode else chunk, last)
        chunk = b""  # it is no longer held while its block is read
        if whole[0]:
            block = plain(whole.pop())
            yield block
            block = b""  # nor is that while the next one is
        try:
            chunk = next(chunks, b"")
        except TriageError:
            if rest:
                yield plain(rest)
            raise
    if rest:
        yield plain(rest)


def _parted(rest: bytes, more: bytes, last: bool) -> tuple[bytes, bytes]:
    """What is left of a text, and its whole lines; of the last one, and of a line that is too long, all are whole."""
    cut = len(more) if last else more.rfind(b"\n") + 1
    if not cut and not last and len(rest) + len(more) > LONGEST_LINE:
        cut = len(more)
    if not cut:
        return (b"", rest) if last else (rest + more, b"")
    return more[cut:], b"".join((rest, memoryview(more)[:cut]))


def _chunks(stream: Any) -> Iterator[bytes]:
    """BLOCK bytes at a time; where the stream breaks, what it gave before comes first, and then its error."""
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    ended = False
    while not ended:
        parts, fault = _gathered(read)
        ended = sum(map(len, parts)) < BLOCK
        if parts:
            yield _joined(parts)
        if fault is not None:
            raise fault


def _gathered(read: Callable[[int], bytes]) -> tuple[list[bytes], TriageError | None]:
    """What is read up to BLOCK bytes, and why it is less where the stream breaks."""
    parts: list[bytes] = []
    left = asked = BLOCK
    try:
        while left > 0 and (part := read(asked)):
            parts.append(part)
            left -= len(part)
            asked = min(left, BLOCK if len(part) >= PROBE else PROBE)  # room is made for as much as is asked for
    except TriageError as error:
        return parts, error
    return parts, None


def _joined(parts: list[bytes]) -> bytes:
    """The parts in one, which are then let go."""
    whole = b"".join(parts)
    parts.clear()
    return whole
