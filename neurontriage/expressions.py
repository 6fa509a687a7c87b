"""The program's own regular expressions: compiled when they are first used, and kept in the user's cache as compiled.

A short answer needs some hundred of them, and `re` takes up to a millisecond for each: a third of the answer's time.
What it makes of a text are numbers, which depend on nothing but the text and the Python. They are read again in
microseconds; `re` has no public way for that, so that a Python that does it in another way compiles as ever.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
import weakref
import zlib
from array import array
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, AnyStr, Generic, cast

from neurontriage import __version__, resources, stored

_SUFFIX = ".expressions"
_FEW = 8
"""New expressions for which the cache is not written again."""
_MOST = 4 << 20
"""Bytes of expressions, many of older versions, after which only the new ones are kept: all are read at every start."""
_UNUSABLE = (
    ArithmeticError, AttributeError, EOFError, ImportError, LookupError, OSError, RuntimeError, TypeError, ValueError
)  # fmt: skip
"""What numbers raise that are no expression, and a Python that keeps them in another way."""


class _Shelf:
    """What was kept under names: where each stands in its file, from which it is read when it is asked for.

    Most of it is of other versions of this program, or not needed for one answer.
    """

    def __init__(self, path: Path) -> None:
        self.places: dict[str, tuple[int, int]] = {}
        self._held = b""
        with contextlib.suppress(*_UNUSABLE):
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe is not waited for
            weakref.finalize(self, os.close, self._file)
            raw = stored.read_bytes(path, file=self._file) or b""
            places, held = stored.unpacked(raw)
            self._begin = stored.GUARD + len(raw) - len(held)
            self._held = b"" if hasattr(os, "pread") else held
            self.places = dict(places)

    def get(self, name: str) -> bytes | None:
        """What is kept under a name. Raises OSError where the file cannot be read any more."""
        if (place := self.places.get(name)) is None:
            return None
        start, size = place
        return self._held[start : start + size] or os.pread(self._file, size, self._begin + start)

    def all(self) -> dict[str, bytes]:
        """Everything."""
        return {name: self.get(name) or b"" for name in self.places}


def _shelved(kept: Mapping[str, bytes]) -> bytes:
    """Things by name, as a shelf finds them in its file."""
    ends = list(accumulate(map(len, kept.values()), initial=0))
    places = {name: (start, len(one)) for start, (name, one) in zip(ends, kept.items(), strict=False)}
    return stored.packed((places, b"".join(kept.values())))


class _Book:
    """Expressions by flags and text, and what `re` made of them: flags, code, groups, names; what is told of them."""

    def __init__(self) -> None:
        self._fresh: dict[str, bytes] = {}

    @cached_property
    def path(self) -> Path:
        python = f"{sys.version} {_sre().MAGIC} {sys.byteorder}".encode()
        return resources.cache() / f"{zlib.crc32(python):08x}{_SUFFIX}"

    @cached_property
    def _kept(self) -> _Shelf:
        return _Shelf(self.path)

    def compiled(self, text: AnyStr, flags: int) -> re.Pattern[AnyStr]:
        """As `re.compile`."""
        key = f"{flags}:{text!r}"
        try:
            if (known := self._kept.get(key)) is None:
                known = self._fresh[key] = _numbers(text, flags)
            return _pattern(text, known)
        except _UNUSABLE:
            return re.compile(text, flags)

    def named(self, name: str) -> bool:
        """Whether an expression is kept under a name."""
        return name in self._kept.places

    def made(self, name: str, make: Callable[[], str]) -> re.Pattern[str]:
        """The expression that `make` writes, kept under a name that says all that it is made of."""
        try:
            if (known := self._kept.get(name)) is None:
                known = self._fresh[name] = _numbers(make(), 0)
            return _pattern(name, known)
        except _UNUSABLE:
            return re.compile(make())

    def told(self, text: str, tell: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
        """What is told of an expression."""
        key = f"{tell.__name__} {__version__}:{text!r}"
        try:
            if (known := self._kept.get(key)) is None:
                known = self._fresh[key] = stored.packed(tell(text))
            found = stored.unpacked(known)
            if isinstance(found, tuple) and all(isinstance(one, str) for one in found):
                return found
            return tell(text)
        except _UNUSABLE:
            return tell(text)

    def keep(self) -> None:
        """Write what was compiled anew, if it is worth it."""
        if len(self._fresh) > _FEW and stored.writable(self.path):
            kept = self._kept.all() if sum(size for _, size in self._kept.places.values()) < _MOST else {}
            stored.write(self.path, _shelved({**kept, **self._fresh}))


def _sre() -> Any:
    return importlib.import_module("_sre")


def _numbers(text: AnyStr, flags: int) -> bytes:
    """What `re` makes of an expression. Raises re.error as `re.compile` does."""
    maker = importlib.import_module("re._compiler" if sys.version_info >= (3, 11) else "sre_compile")
    parser = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
    parsed = parser.parse(text, flags)
    state = parsed.state
    code = array("I", maker._code(parsed, flags)).tobytes()
    return stored.packed((flags | state.flags, code, state.groups - 1, state.groupdict))


def _pattern(text: AnyStr, known: bytes) -> re.Pattern[AnyStr]:
    """The expression of these numbers, which C looks through before it takes them."""
    flags, code, groups, names = stored.unpacked(known)
    named: list[str | None] = [None] * (groups + 1)
    for name, number in names.items():
        named[number] = name
    made = _sre().compile(text, flags, memoryview(code).cast("I").tolist(), groups, names, tuple(named))
    return cast("re.Pattern[AnyStr]", made)


_BOOK = _Book()


def compiled(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, for expressions that the program itself holds; not for those of a log or of a user."""
    return _BOOK.compiled(text, int(flags))


def named(name: str) -> bool:
    """Whether `made` has nothing to make for a name."""
    return _BOOK.named(name)


def made(name: str, make: Callable[[], str]) -> re.Pattern[str]:
    """An expression that takes long to write; its name says all that it is made of."""
    return _BOOK.made(name, make)


def told(text: str, tell: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    """What `tell` says of an expression of the program itself, which is kept as well."""
    return _BOOK.told(text, tell)


def keep() -> None:
    """Let the next start find what this one compiled."""
    _BOOK.keep()


class _Later(Generic[AnyStr]):
    """Stands for an expression that is compiled when it is first asked for something."""

    def __init__(self, text: AnyStr, flags: int) -> None:
        self._text: AnyStr = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__[name] = getattr(compiled(self._text, self._flags), name)
        return found


def expression(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """An expression for the head of a module: it costs nothing until it is used."""
    return cast("re.Pattern[AnyStr]", _Later(text, flags))
