"""Grammars and knowledge in the form that matching needs, compiled once and kept in the user's cache.

The stored form is found by the files' names, sizes and times, guarded by a checksum, written atomically, and
rebuilt whenever a file, the Python version or this program changes.  A cache that cannot be written only costs time.
"""

from __future__ import annotations

import contextlib
import os
import sys
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from neurontriage import __version__, resources, stored
from neurontriage.knowledge import database
from neurontriage.knowledge.database import Apart, Patience, Patterns
from neurontriage.knowledge.shelf import Row, Shelf
from neurontriage.knowledge.sorting import Owner
from neurontriage.knowledge.versions import Releases
from neurontriage.knowledge.workshop import CATALOGUE, made
from neurontriage.lines.finder import Finder
from neurontriage.lines.scan import Engine
from neurontriage.lines.templates import Sorts
from neurontriage.parse.family import Family, Grammar, Start
from neurontriage.parse.payload import Payload

_COMPILED_BY = ("knowledge", "lines", "parse", "facts")


class Rule(NamedTuple):
    """One alternative of an entry. `weight`: (no fallback, no wrapper, not general, conditions, literal characters).

    `certain`: where the scanner finds its text in a whole line, it matches.
    """

    entry: str
    family: str | None
    kind: str | None
    fields: tuple[tuple[str, str], ...]
    text: str | None
    weight: tuple[int, ...]
    certain: bool


class Stated(NamedTuple):
    """A reason that a line may state. `text`: how, None where all that a family says is meant; `literals`: one
    of them, in small letters, stands in every match. `weight`: as that of a rule.
    """

    entry: str
    family: str | None
    text: str | None
    literals: tuple[str, ...]
    weight: tuple[int, ...]


class Touched(NamedTuple):
    """Whose patterns touched a line: rules and places of the environment by their numbers, families with the start.

    `apart`: one of the families tells digits apart.
    """

    rules: tuple[int, ...]
    environment: tuple[int, ...]
    starts: tuple[tuple[Family, Start], ...]
    apart: bool


@dataclass(frozen=True)
class Catalog:
    """Everything that matching needs. `owners[n]` says whose pattern number n is.

    An owner is ("family", family number, start number), ("rule", rule number, 0), ("environment", number, 0), or of the
    payload grammar ("payload", number, 0), ("mark", number, 0) and ("tests", number, 0).
    `by_family`: rules without text, by the family whose fields they look at. `places`: the place of each rule among
    all, the most specific first, equals in the order of their entries. `conditional`: the entries that hold in some
    logs only: with other findings, programs or versions. `reasons`: how reasons are stated that entries explain which
    claim no line, packed. `apart`: those patterns that tell digits apart, with any digit for theirs. `sorts`:
    what the patterns are to the one who counts lines.
    `off`: entries that claim nothing; `extra`: the folders of knowledge besides the shipped one.
    """

    digest: str
    count: int
    families: tuple[Family, ...]
    rules: Row[Rule]
    reasons: bytes
    by_family: Mapping[str, tuple[int, ...]]
    places: Sequence[int]
    briefs: Shelf[dict[str, Any]]
    conditional: frozenset[str]
    patterns: Patterns
    apart: Patterns
    owners: Sequence[tuple[Owner, ...]]
    sorts: Sorts
    articles: Shelf[dict[str, Any]]
    releases: Releases
    grammar: Grammar
    record: Grammar
    off: frozenset[str] = frozenset()
    extra: tuple[Path, ...] = ()

    @cached_property
    def engine(self) -> Engine:
        """What scans for the patterns: at once, and faster as soon as the database is built."""
        return database.engine_for(self.patterns, self._patience)

    @cached_property
    def _patience(self) -> Patience:
        return Patience()

    @cached_property
    def finder(self) -> Finder:
        """What finds the patterns in lines; what it knows of lines serves all logs."""
        return Finder(self.engine, lambda: database.engine_for(self.apart, self._patience))

    @cached_property
    def payload(self) -> Payload:
        """What applies the grammar of what a line says."""
        return Payload(self.grammar)

    @cached_property
    def touched(self) -> Callable[[tuple[int, ...]], Touched]:
        """Patterns by their numbers → whose they are; the same ones touch many lines."""
        return lru_cache(maxsize=4096)(self._touched)

    def _touched(self, hits: tuple[int, ...]) -> Touched:
        owners = [owner for hit in hits for owner in self.owners[hit]]
        rules, printed = (tuple(n for kind, n, _ in owners if kind == one) for one in ("rule", "environment"))
        families = [(self.families[n], place) for kind, n, place in owners if kind == "family"]
        starts = tuple((family, family.starts[place]) for family, place in families)
        return Touched(rules, printed, starts, any(family.digits for family, _ in families))

    @cached_property
    def named(self) -> Mapping[str, Family]:
        """The families by their names."""
        return {family.name: family for family in self.families}

    @cached_property
    def ordered(self) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
        """Rules by their numbers → each once, the most specific first; the same ones touch many lines."""
        places = self.places.__getitem__
        return lru_cache(maxsize=4096)(lambda rules: tuple(sorted(dict.fromkeys(reversed(rules)), key=places)))

    @cached_property
    def stated(self) -> tuple[Stated, ...]:
        """What a root cause that no entry explains may state as its reason."""
        return tuple(Stated(*one) for one in stored.unpacked(self.reasons))

    def without(self, entries: Collection[str]) -> Catalog:
        """The same catalogue in which some entries claim nothing; it shares the compiled patterns with this one."""
        other = replace(self, off=self.off | frozenset(entries))
        other.__dict__.update(engine=self.engine, finder=self.finder)
        return other

    def prepare(self) -> None:
        """Let the database be built in the background where it is not, for those who come after."""
        if database.missing(self.patterns) or database.missing(self.apart):
            database.build_beside()

    def warm(self) -> Path | None:
        """Build and store the databases of the patterns. None without Hyperscan, or where nothing can be kept."""
        return database.warm(self.apart) and database.warm(self.patterns)

    def article(self, entry: str) -> dict[str, Any]:
        """The whole text of an entry, as in its file."""
        return self.articles[entry]


def load(extra: Sequence[Path] = ()) -> Catalog:
    """The catalogue of the shipped knowledge plus `extra` folders (they add entries or override by id).

    Raises TriageError when an extra folder holds a faulty entry.
    """
    if not extra and (shipped := _shipped()) is not None:
        return shipped
    folders = [resources.knowledge(), *extra]
    path = resources.cache() / f"{_key(folders)}.catalog"
    with _one_builder(path) as cached:
        if (catalog := cached or _cached(path)) is not None:
            return replace(catalog, extra=tuple(extra))
        if made(CATALOGUE, [str(folder.absolute()) for folder in folders], path) and (catalog := _cached(path)):
            return replace(catalog, extra=tuple(extra))
        data = _build(folders)
        stored.write(path, stored.packed(data))
    return replace(_restore(data), extra=tuple(extra))


def compiled() -> bytes:
    """The shipped knowledge in the form that a wheel holds, so that no installation compiles it again."""
    return stored.guarded(stored.packed(_build([resources.knowledge()])))


def _shipped() -> Catalog | None:
    data = stored.read(resources.compiled(), shipped=True)
    return _restore(data) if data is not None and data.get("version") == __version__ else None


@contextlib.contextmanager
def _one_builder(path: Path) -> Iterator[Catalog | None]:
    """The stored catalogue; where there is none, of several programs one builds it and the others wait for it."""
    catalog = _cached(path)
    with contextlib.ExitStack() as held:
        if catalog is None:
            with contextlib.suppress(OSError, ImportError):
                import fcntl

                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                lock = held.enter_context(open(path.with_suffix(".lock"), "w"))
                held.callback(path.with_suffix(".lock").unlink, missing_ok=True)
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield catalog


def _cached(path: Path) -> Catalog | None:
    """What the cache holds, None when it is not there or not as this program writes it."""
    data = stored.read(path)
    try:
        return None if data is None else _whole(_restore(data))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def _whole(catalog: Catalog) -> Catalog:
    """The catalogue, when its parts belong together. Raises ValueError when not."""
    if not len(catalog.patterns) == len(catalog.owners) == len(catalog.sorts.follow):
        raise ValueError("patterns and owners do not fit")
    if not catalog.count == len(catalog.briefs) == len(catalog.articles) or len(catalog.rules) != len(catalog.places):
        raise ValueError("entries and rules do not fit")
    return catalog


def _key(folders: Sequence[Path]) -> str:
    """A name for the files' state: their paths, sizes and times of change, this program, this Python."""
    own = [path for room in _COMPILED_BY for path in (resources.PACKAGE / room).glob("*.py")]
    resources.check(folders)
    files = [(str(path), os.stat(path)) for path in own]
    for folder in [resources.grammars(), *folders]:
        files += _data_files(str(folder))
    rows = (f"{path}\0{status.st_size}\0{status.st_mtime_ns}" for path, status in sorted(files))
    state = "\0".join((__version__, str(sys.implementation.cache_tag), str(sys.version_info), *rows)).encode()
    return f"{zlib.crc32(state):08x}{zlib.adler32(state):08x}{len(state):08x}"


def _data_files(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as inside:
        for one in inside:
            if one.is_dir():
                yield from _data_files(one.path)
            elif one.name.endswith((".yaml", ".lark")):
                yield one.path, one.stat()


def _build(folders: Sequence[Path]) -> dict[str, Any]:
    from neurontriage.knowledge.assemble import assembled  # Lark, pydantic and YAML, to compile with

    return assembled(folders)


def _family(data: dict[str, Any]) -> Family:
    starts, grammar = tuple(Start(*start) for start in data["starts"]), Grammar("", data["grammar"])
    return Family(**{**data, "starts": starts, "grammar": grammar})


def _restore(data: dict[str, Any]) -> Catalog:
    return Catalog(
        digest=data["digest"],
        count=data["count"],
        families=tuple(_family(family) for family in data["families"]),
        rules=Row(data["rules"], Rule._make),
        reasons=data["reasons"],
        by_family=data["by_family"],
        places=data["places"],
        briefs=Shelf(data["briefs"], dict),
        conditional=frozenset(data["conditional"]),
        patterns=Patterns(*data["patterns"]),
        apart=Apart(*data["apart"]),
        owners=data["owners"],
        sorts=Sorts(**data["sorts"]),
        articles=Shelf(data["articles"], dict, smaller=True),
        releases=Releases(data["releases"]),
        grammar=Grammar("", data["payload"]),
        record=Grammar("", data["record"]),
    )
