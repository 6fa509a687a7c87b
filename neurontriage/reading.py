"""Paths → logs → blocks of whole lines as UTF-8 bytes, colours removed; memory stays bounded whatever the size."""

from __future__ import annotations

import codecs
import getpass
import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from neurontriage.archives import members, opened
from neurontriage.errors import TriageError

BLOCK = 4 << 20
LONGEST_LINE = 16 << 20
_PROBE = 64 << 10
_LOG_NAMES = re.compile(
    r"\.(?:log|txt|out|err|stdout|stderr|ipynb)(?:\.|$)|^log[-_.]|[-_.]log$|^messages|^syslog|^dmesg"
)
_PACKED = (".gz", ".xz", ".bz2", ".zst", ".zip", ".tar", ".tgz", ".txz", ".tbz2")
_BOMS = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_COLOUR_MARKS = (b"\x1b", b"[0m", b"[39m")
_ANSI = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_]|\[\d{1,3}(?:;\d{1,3}){0,3}m(?!\])"
)


@dataclass(frozen=True)
class Input:
    """One log to read: `name` as the user would write it, `path` None for standard input."""

    name: str
    path: Path | None
    size: int = 0


def newest_workdir() -> Path | None:
    """The log of the last compilation of this user: in the current folder, or in the compile wrapper's work folders."""
    user = os.environ.get("USER", "no-user")
    places = [Path("log-neuron-cc.txt")]
    for name in {user, "no-user", getpass.getuser()}:
        places += Path(f"/tmp/{name}/neuroncc_compile_workdir").glob("*/log-neuron-cc.txt")
    found = [place for place in places if place.is_file()]
    return max(found, key=lambda place: place.stat().st_mtime, default=None)


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
        return [Input(text, None)]
    path = Path(text)
    if path.is_dir():
        return _folder(path)
    if path.exists():
        return [Input(text, path, path.stat().st_size)]
    matches = sorted(glob.glob(text, recursive=True)) if glob.has_magic(text) else []
    if not matches:
        raise _missing(text)
    return [one for match in matches if os.path.isfile(match) for one in _expand(match)]


def _missing(text: str) -> TriageError:
    near = Path(text).parent
    hint = f"the folder {near} does not exist" if not near.exists() else f"look what is there: ls {near}"
    return TriageError("no-such-input", f"{text}: no such file, folder or glob match", _EXPECTED, hint)


_EXPECTED = "a log file, a folder with logs, a glob in quotes, an archive (.zip, .tar.gz), or - for standard input"


def _folder(folder: Path) -> list[Input]:
    def unreadable(error: OSError) -> None:
        raise _refused(str(folder), error)

    inputs = []
    for root, folders, names in os.walk(folder, onerror=unreadable):
        folders.sort()
        for name in sorted(names):
            path = Path(root, name)
            if path.is_file() and (_LOG_NAMES.search(name) or name.endswith(_PACKED)):
                inputs.append(Input(str(path), path, path.stat().st_size))
    if not inputs:
        hint = f"name the files themselves: neurontriage explain '{folder}/*'"
        raise TriageError(
            "no-logs", f"{folder}: no log files in this folder", "files named *.log, *.txt, *.out …", hint
        )
    return inputs


def _refused(name: str, error: OSError) -> TriageError:
    what = "permission denied" if isinstance(error, PermissionError) else (error.strerror or str(error))
    return TriageError("unreadable-input", f"{name}: {what}", "a file that this user may read", f"ls -l {name}")


def logs(one: Input) -> Iterator[tuple[str, Iterator[bytes]]]:
    """One input → (name, blocks) for each log in it: one for a file, several for an archive.

    Each block ends at a line feed, but for the last and for lines longer than LONGEST_LINE.
    """
    try:
        if "://" in one.name:
            yield one.name, blocks(_remote(one.name), one.name)
        elif one.path is None:
            yield "<stdin>", blocks(sys.stdin.buffer, "<stdin>")
        elif (inside := members(one.path)) is not None:
            for name, stream in inside:
                yield f"{one.name}!{name}", blocks(stream, f"{one.name}!{name}")
        else:
            with opened(one.path) as stream:
                yield one.name, blocks(stream, one.name)
    except OSError as error:
        raise _refused(one.name, error) from error


def _remote(url: str) -> BinaryIO:
    """A log behind an fsspec URL (`s3://…`), with its compression undone; needs the extra `fleet`."""
    try:
        import fsspec
    except ImportError as error:
        hint = "pip install 'neurontriage[fleet]'"
        raise TriageError("no-fsspec", f"{url}: URLs need the extra `fleet`", "a local path", hint) from error
    try:
        return cast(BinaryIO, fsspec.open(url, "rb", compression="infer").open())
    except (OSError, ValueError, ImportError) as error:
        raise TriageError(
            "unreadable-input", f"{url}: {error}", "a URL that fsspec can open", f"aws s3 ls {url}"
        ) from error


def blocks(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """Cut a stream into blocks of whole lines; UTF-16 becomes UTF-8, terminal colours go."""
    rest, first, decode = b"", True, None
    while chunk := stream.read(BLOCK):
        if first:
            decode, chunk, first = _decoder(chunk, name), _unmarked(chunk), False
        text = rest + (decode.decode(chunk).encode() if decode else chunk)
        cut = text.rfind(b"\n") + 1
        if not cut and len(text) > LONGEST_LINE:
            cut = len(text)
        rest = text[cut:]
        if cut:
            yield _plain(text[:cut])
    if rest:
        yield _plain(rest)


def _plain(block: bytes) -> bytes:
    if b"\0" in block:
        block = block.replace(b"\0", "\N{REPLACEMENT CHARACTER}".encode())
    if any(mark in block for mark in _COLOUR_MARKS):
        block = _ANSI.sub(b"", block)
    return block


def _unmarked(chunk: bytes) -> bytes:
    for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        chunk = chunk.removeprefix(mark)
    return chunk


def _decoder(chunk: bytes, name: str) -> codecs.IncrementalDecoder | None:
    """The decoder of a UTF-16 stream, None for anything ASCII-compatible; binaries are refused."""
    probe = chunk[:_PROBE]
    encoding = next((enc for mark, enc in _BOMS if probe.startswith(mark)), None)
    if encoding is None and len(probe) > 3 and probe[1::2].count(0) > len(probe) // 3:
        encoding = "utf-16-le"
    if encoding is None and b"\0" in probe:
        hint = "for a NEFF or an HLO proto give the log of the compile instead (log-neuron-cc.txt)"
        raise TriageError("binary-input", f"{name}: holds NUL bytes, so it is not a text log", _EXPECTED, hint)
    return codecs.getincrementaldecoder(encoding)("replace") if encoding else None
