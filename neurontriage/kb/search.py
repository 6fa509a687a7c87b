"""Finding entries: by id, code or alias, by filters, by words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from neurontriage.errors import TriageError
from neurontriage.knowledge.schema import Entry

_WEIGHTS = {"id": 8, "aliases": 8, "title": 5, "examples": 2, "cause": 2, "workarounds": 1}
_WORD = re.compile(r"[^\W\d_]{4,24}")


@dataclass(frozen=True)
class Filter:
    """What a list is narrowed to; None keeps everything."""

    layer: str | None = None
    code: str | None = None
    status: str | None = None
    stack: str | None = None


def plain(name: str) -> str:
    """A name without case and punctuation: NCC_EVRF009, ncc-evrf009 and "NCC EVRF009" are the same."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def listed(entries: Iterable[Entry], wanted: Filter) -> list[Entry]:
    """The entries that a filter keeps, in the order given."""
    return [entry for entry in entries if _kept(entry, wanted)]


def _kept(entry: Entry, wanted: Filter) -> bool:
    names = [plain(name) for name in (entry.id, *entry.aliases)]
    return (
        (wanted.layer is None or entry.layer == wanted.layer)
        and (wanted.status is None or entry.status == wanted.status)
        and (wanted.stack is None or wanted.stack in entry.stack)
        and (wanted.code is None or any(plain(wanted.code) in name for name in names))
    )


def named(entries: Mapping[str, Entry], name: str) -> list[Entry]:
    """The entries that an id, a code or an alias means; several where one code has several causes.

    Raises TriageError with the nearest ids when there is none.
    """
    return [entries[id] for id in meant({id: (id, *entry.aliases) for id, entry in entries.items()}, name)]


def meant(names: Mapping[str, Sequence[str]], name: str) -> list[str]:
    """The ids that an id, a code or an alias means; `names` holds every id with all its names. Raises as `named`."""
    wanted = plain(name)
    exact = [id for id, known in names.items() if wanted in map(plain, known)]
    whole = [id for id in exact if plain(id) == wanted]
    found = whole or exact or [id for id in names if wanted and plain(id).startswith(wanted)]
    if found:
        return found
    near = difflib.get_close_matches(name.upper(), [id.upper() for id in names], 3, 0.5)
    ids = [id for id in names if id.upper() in near]
    raise TriageError(
        "no-such-entry",
        f"{name}: no entry has this id, code or alias",
        "an id or a printed code, e.g. NCC-EVRF009 or NCC_EVRF009",
        f"near: {', '.join(ids)}" if ids else f"neurontriage kb search {name}",
    )


def ranked(entries: Iterable[Entry], words: Iterable[str]) -> list[tuple[int, Entry]]:
    """Entries that hold every word somewhere, the best first; a word counts more in an id or a title."""
    wanted = [word.lower() for word in words]
    scored = [(min(_score(entry, word) for word in wanted), sum(_score(entry, word) for word in wanted), entry)
              for entry in entries] if wanted else []  # fmt: skip
    found = [(total, entry) for least, total, entry in scored if least]
    return sorted(found, key=lambda pair: (-pair[0], pair[1].id))


def _score(entry: Entry, word: str) -> int:
    texts = _texts(entry)
    return sum(weight for name, weight in _WEIGHTS.items() if word in texts[name].lower())


def _texts(entry: Entry) -> dict[str, str]:
    return {
        "id": entry.id,
        "aliases": " ".join(entry.aliases),
        "title": entry.title,
        "examples": " ".join(entry.examples),
        "cause": entry.cause,
        "workarounds": " ".join(f"{w.title} {w.detail}" for w in entry.workarounds),
    }


def mistyped(entries: Iterable[Entry], words: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    """The words that stand in no entry, each with the nearest one that does: the same letters, else the most alike."""
    texts = [" ".join(_texts(entry).values()).lower() for entry in entries]
    missing = [word for word in words if not any(word.lower() in text for text in texts)]
    known = sorted(set(chain.from_iterable(map(_WORD.findall, texts)))) if missing else []
    for word in missing:
        near = difflib.get_close_matches(word.lower(), known, 5, 0.75)
        yield word, max(near, key=lambda one: sorted(one) == sorted(word.lower()), default=None)
