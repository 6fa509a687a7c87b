"""The pattern database of Hyperscan: built once for a machine and kept in the user's cache; until then RE2 scans.

Building takes seconds, so it is never waited for by a short log: a long one builds it when scanning has taken as long,
and the command line lets another program build it after the first answer.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, overload

from neurontriage import __version__, resources, stored
from neurontriage.knowledge.workshop import DATABASE, made
from neurontriage.lines.allocated import give_back
from neurontriage.lines.scan import FORM, Engine, Hit, Hyperscan, Pattern, Stepwise

WORTH = 4.0
"""Seconds that are spent on scanning without the database before it is built, which takes about as long."""
_PATIENCE = 0.5


class Patterns(Sequence[Pattern]):
    """The patterns of a catalogue, made when they are asked for. `digest`: a name for all of them.

    `suffix`: of the files in which their database is kept.
    """

    suffix = ".patterns"

    def __init__(self, packed: bytes, size: int, digest: str) -> None:
        self._packed, self._size, self.digest = packed, size, digest

    @cached_property
    def _all(self) -> list[Pattern]:
        return list(map(Pattern._make, marshal.loads(self._packed)))

    @overload
    def __getitem__(self, number: int) -> Pattern: ...
    @overload
    def __getitem__(self, number: slice) -> list[Pattern]: ...
    def __getitem__(self, number: int | slice) -> Pattern | list[Pattern]:
        return self._all[number]

    def __iter__(self) -> Iterator[Pattern]:
        return iter(self._all)

    def __len__(self) -> int:
        return self._size


class Apart(Patterns):
    """The patterns that tell digits apart, with any digit for theirs."""

    suffix = ".apart"


def digest(patterns: Sequence[Pattern]) -> str:
    """A name for patterns: the same for the same ones, whoever made them."""
    from hashlib import sha256

    state = sha256()
    for pattern in patterns:
        state.update(pattern.text.encode() + b"\0")
    return state.hexdigest()


class Patience:
    """Seconds that are left for scanning without databases, whichever of them: then all that are wanted are built."""

    def __init__(self) -> None:
        self.left = WORTH


def engine_for(patterns: Patterns, patience: Patience) -> Engine:
    """Hyperscan where its database is at hand, else an engine that scans at once and builds it for a long log."""
    found = _stored(patterns)
    if found is not None:
        return found
    return Growing(patterns, patience) if _installed() else _at_once(patterns)


def _at_once(patterns: Sequence[Pattern]) -> Engine:
    """The engine that needs no database: RE2; where there is none (musl, WebAssembly), Python's own expressions."""
    try:
        import re2  # noqa: F401 - whether it is there
    except ImportError:
        from neurontriage.lines.words import Words

        return Words(patterns)
    return Stepwise(patterns)


def place(patterns: Patterns) -> Path:
    """Where the database of these patterns, this machine and this Hyperscan is kept."""
    made_by = zlib.crc32(f"{__version__} {_machine()} {_installed()} {FORM}".encode())
    return resources.cache() / f"{patterns.digest[:24]}{made_by:08x}{patterns.suffix}"


def _machine() -> str:
    if os.name == "posix":
        return os.uname().machine
    import platform  # which takes longer than the scan of a short log

    return platform.machine()


def warm(patterns: Patterns) -> Path | None:
    """Build and store the database, if it is not there. None without Hyperscan, or where nothing can be kept."""
    if not _installed():
        return None
    path = place(patterns)
    if _stored(patterns) is None:
        built(patterns)
    return path if path.is_file() else None


def built(patterns: Patterns) -> Engine:
    """The database, built by one program while others that want it wait; said on stderr when it takes its time."""
    path = place(patterns)
    with _alone(path), _said():
        found = _stored(patterns)
        if found is not None:
            return found
        if made(DATABASE, [tuple(one) for one in patterns], path) and (found := _stored(patterns)) is not None:
            return found
        here = Hyperscan(patterns)
        stored.write(path, here.dump())
    return here


def missing(patterns: Patterns) -> bool:
    """Whether a database could be built and kept, and is not."""
    path = place(patterns)
    return _installed() != "" and not path.is_file() and stored.writable(path)


def build_beside() -> None:
    """Let another program build it, in the background and with the lowest priority; this one does not wait."""
    import subprocess

    nice = ["nice", "-n", "19"] if os.name == "posix" else []
    with contextlib.suppress(OSError):
        subprocess.Popen(
            [*nice, sys.executable, "-m", "neurontriage", "warm-up"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=resources.PACKAGE.parent,  # Python imports from where it is started, which may be a folder of logs
        )


class Growing:
    """Scans without the database, and with Hyperscan as soon as that has cost what the database costs."""

    def __init__(self, patterns: Sequence[Pattern], patience: Patience, build: Callable[[Any], Engine] = built) -> None:
        self._patterns, self._patience, self._build = patterns, patience, build
        self._engine: Engine = _at_once(patterns)
        self._built = False

    def scan(self, block: bytes) -> list[Hit]:
        """As every engine."""
        if not self._built and self._patience.left <= 0:
            del self._engine  # it is several times the size of the next one, and is not held beside it
            give_back()
            self._engine, self._built = self._build(self._patterns), True
        started = time.thread_time()
        hits = self._engine.scan(block)
        self._patience.left -= time.thread_time() - started
        return hits


def _installed() -> str:
    """The version of Hyperscan, "" where its wheel is not installed."""
    try:
        import hyperscan
    except ImportError:
        return ""
    return str(getattr(hyperscan, "__version__", "")) or "unknown"


def _stored(patterns: Patterns) -> Engine | None:
    if not _installed():
        return None
    import hyperscan

    again = partial(stored.read_bytes, place(patterns))
    if (raw := again()) is None:
        return None
    try:
        return Hyperscan(patterns, raw, again)
    except hyperscan.error:
        return None


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Of several programs one builds; the lock's file stays away where the cache cannot be written."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError, ImportError):
            import fcntl

            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = held.enter_context(open(path.with_suffix(".lock"), "w"))
            held.callback(path.with_suffix(".lock").unlink, missing_ok=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def _said() -> Iterator[None]:
    """One line on stderr, if what is done inside takes longer than half a second."""
    started = time.monotonic()
    done = threading.Event()

    def say() -> None:
        if not done.wait(_PATIENCE):
            print("Preparing the patterns for this machine, once …", file=sys.stderr)  # noqa: T201

    threading.Thread(target=say, daemon=True).start()
    try:
        yield
    finally:
        done.set()
        if time.monotonic() - started > _PATIENCE:
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.flush()
