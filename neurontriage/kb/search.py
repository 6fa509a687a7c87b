"""Finding entries: by id, code or alias, by filters, by words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from neurontriage.errors import TriageError
from neurontriage.render.shorten import heading

if TYPE_CHECKING:
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


class Card(NamedTuple):
    """What is looked for in an entry. `texts`: by what they are, in small letters."""

    id: str
    layer: str
    status: str
    stack: tuple[str, ...]
    aliases: tuple[str, ...]
    heading: str
    texts: Mapping[str, str]


def card(article: Mapping[str, Any]) -> Card:
    """An entry as in its file, which need not be checked for being looked at."""
    fixes = " ".join(f"{fix['title']} {fix.get('detail', '')}" for fix in article.get("workarounds", ()))
    aliases, examples = article.get("aliases", ()), article.get("examples", ())
    texts = {
        "id": article["id"],
        "aliases": " ".join(aliases),
        "title": article["title"],
        "examples": " ".join(examples),
        "cause": article.get("cause", ""),
        "workarounds": fixes,
    }
    lower = {name: text.lower() for name, text in texts.items()}
    known = (article["id"], article["layer"], article["status"], tuple(article.get("stack", ())))
    return Card(*known, tuple(aliases), heading(article["title"]), lower)


def plain(name: str) -> str:
    """A name without case and punctuation: NCC_EVRF009, ncc-evrf009 and "NCC EVRF009" are the same."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def listed(entries: Iterable[Card], wanted: Filter) -> list[Card]:
    """The entries that a filter keeps, in the order given."""
    return [entry for entry in entries if _kept(entry, wanted)]


def _kept(entry: Card, wanted: Filter) -> bool:
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


def ranked(entries: Iterable[Card], words: Iterable[str]) -> list[tuple[int, Card]]:
    """Entries that hold every word somewhere, the best first; a word counts more in an id or a title."""
    wanted = [word.lower() for word in words]
    scored = [(min(_score(entry, word) for word in wanted), sum(_score(entry, word) for word in wanted), entry)
              for entry in entries] if wanted else []  # fmt: skip
    found = [(total, entry) for least, total, entry in scored if least]
    return sorted(found, key=lambda pair: (-pair[0], pair[1].id))


def _score(entry: Card, word: str) -> int:
    return sum(weight for name, weight in _WEIGHTS.items() if word in entry.texts[name])


def mistyped(entries: Iterable[Card], words: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    """The words that stand in no entry, each with the nearest one that does: the same letters, else the most alike."""
    texts = [" ".join(entry.texts.values()) for entry in entries]
    missing = [word for word in words if not any(word.lower() in text for text in texts)]
    known = sorted(set(chain.from_iterable(map(_WORD.findall, texts)))) if missing else []
    for word in missing:
        near = difflib.get_close_matches(word.lower(), known, 5, 0.75)
        yield word, max(near, key=lambda one: sorted(one) == sorted(word.lower()), default=None)
