"""Expressions that are kept as compiled are those that `re` makes, and a bad cache changes none of them."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from neurontriage import expressions, stored
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.shapes import SHAPES as OF_PREFIXES
from neurontriage.parse.terminals import Patterns

ROOT = Path(__file__).parent.parent
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "neurontriage").rglob("*.py"))
    if " expression(" in path.read_text() and path.stem != "expressions"
]
SHAPES = [shape for shapes in OF_PREFIXES.values() for shape in shapes]
FORGED = {
    "no numbers": b"",
    "other data": stored.packed("text"),
    "wrong code": stored.packed((32, b"\xff" * 16, 0, {})),
    "cut code": stored.packed((32, b"\x11\0\0", 0, {})),
    "too few groups": stored.packed((32, b"", 0, {"name": 7})),
    "odd groups": stored.packed((32, b"", -5, {})),
    "no tuple": stored.packed(7),
}


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], expressions._Book]]:
    """Makes a new start of the program with the cache of this test."""
    monkeypatch.setenv("NEURONTRIAGE_CACHE", str(tmp_path))
    yield expressions._Book


def later(module: str) -> list[expressions._Later[str]]:
    found = vars(importlib.import_module(module)).values()
    nested = [one for value in found if isinstance(value, (tuple, list)) for one in value]
    return [one for one in [*found, *nested] if isinstance(one, expressions._Later)]


@pytest.mark.parametrize("module", MODULES)
def test_every_expression_compiles_to_what_re_makes(module: str, book: Callable[[], expressions._Book]) -> None:
    found = later(module)
    assert found
    first, second = book(), book()
    for one in found:
        first.compiled(one._text, one._flags)
    stored.write(first.path, expressions._shelved(first._fresh))
    for one in found:  # two patterns are equal where their flags, codes and texts are
        assert second.compiled(one._text, one._flags) == re.compile(one._text, one._flags)
    assert not second._fresh


def test_prefixes_and_terminals_are_kept_for_the_next_start(
    catalog: Catalog, book: Callable[[], expressions._Book]
) -> None:
    grammars = [catalog.grammar, catalog.record, *(family.grammar for family in catalog.families)]
    terminals = [Patterns(grammar.table) for grammar in grammars]
    texts = [*SHAPES, *(f"(?P<{name}>{one.texts[name][0]}){one.behind}" for one in terminals for name in one.texts)]
    first, second = book(), book()
    assert [first.compiled(text, 0) for text in texts] == list(map(re.compile, texts))
    first.keep()
    assert [second.compiled(text, 0) for text in texts] == list(map(re.compile, texts))
    assert not second._fresh


@pytest.mark.parametrize("numbers", FORGED.values(), ids=FORGED)
def test_forged_numbers_are_compiled_anew(numbers: bytes, book: Callable[[], expressions._Book]) -> None:
    one = book()
    stored.write(one.path, expressions._shelved({"0:'a+(?P<b>c)'": numbers}))
    assert one.compiled("a+(?P<b>c)", 0) == re.compile("a+(?P<b>c)")


@pytest.mark.parametrize("content", [b"", b"x" * 99, b"y", stored.packed([1, 2])])
@pytest.mark.parametrize("guarded", [False, True])
def test_a_damaged_file_is_written_anew(content: bytes, guarded: bool, book: Callable[[], expressions._Book]) -> None:
    one = book()
    one.path.write_bytes(stored.guarded(content, one.path.name) if guarded else content)
    found = [one.compiled(shape, 0) for shape in SHAPES]
    one.keep()
    assert found == list(map(re.compile, SHAPES))
    assert len(expressions._Shelf(one.path).places) == len(set(SHAPES))


def test_what_another_program_writes_meanwhile_changes_nothing_that_is_read(
    book: Callable[[], expressions._Book],
) -> None:
    first, second = book(), book()
    for shape in SHAPES:
        first.compiled(shape, 0)
    stored.write(first.path, expressions._shelved(first._fresh))
    assert second._kept.places
    stored.write(first.path, expressions._shelved({"0:'x'": b"y"}))
    assert [second.compiled(shape, 0) for shape in SHAPES] == list(map(re.compile, SHAPES))
    assert not second._fresh


def test_a_faulty_expression_is_refused_as_by_re(book: Callable[[], expressions._Book]) -> None:
    with pytest.raises(re.error):
        book().compiled("(", 0)


def test_another_python_compiles_as_ever(
    monkeypatch: pytest.MonkeyPatch, book: Callable[[], expressions._Book]
) -> None:
    monkeypatch.setitem(sys.modules, "_sre", object())
    assert book().compiled("ab|c", 0).match("c")


def test_where_nothing_can_be_kept_nothing_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, book: Callable[[], expressions._Book]
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("NEURONTRIAGE_CACHE", str(tmp_path / "file" / "cache"))
    one = book()
    assert [one.compiled(shape, 0) for shape in SHAPES] == list(map(re.compile, SHAPES))
    one.keep()
    assert (tmp_path / "file").read_text() == "no folder"


def test_what_is_told_of_an_expression_is_kept(book: Callable[[], expressions._Book]) -> None:
    asked: list[str] = []

    def tell(text: str) -> tuple[str, ...]:
        asked.append(text)
        return (text[:2], text[-2:])

    first, second = book(), book()
    assert first.told("abcd", tell) == ("ab", "cd")
    stored.write(first.path, expressions._shelved(first._fresh))
    assert second.told("abcd", tell) == ("ab", "cd") and asked == ["abcd"]


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_what_is_told_is_told_anew_where_the_cache_is_forged(
    forged: bytes, book: Callable[[], expressions._Book]
) -> None:
    def tell(text: str) -> tuple[str, ...]:
        return (text,)

    first, second = book(), book()
    first.told("abcd", tell)
    stored.write(first.path, expressions._shelved(dict.fromkeys(first._fresh, forged)))
    assert second.told("abcd", tell) == ("abcd",)


def test_what_has_grown_too_large_begins_anew(
    book: Callable[[], expressions._Book], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expressions, "_FEW", 0)
    for number in range(3):
        one = book()
        one.compiled(f"old {number}", 0)
        one.keep()
    monkeypatch.setattr(expressions, "_MOST", 100)
    full = book()
    full.compiled("new", 0)
    full.keep()
    assert list(book()._kept.places) == ["0:'new'"]


@pytest.mark.parametrize("numbers", FORGED.values(), ids=FORGED)
def test_one_that_is_kept_under_a_name_is_the_one_that_is_made(
    numbers: bytes, book: Callable[[], expressions._Book]
) -> None:
    first = book()
    assert first.made("of words", lambda: r"(?P<word>\w+) ").match("ab cd").groupdict() == {"word": "ab"}  # type: ignore[union-attr]
    stored.write(first.path, expressions._shelved({**first._fresh, "forged": numbers}))
    again = book()
    assert again.named("of words") and not again.named("of others")
    assert again.made("of words", lambda: "not asked").match("ab cd").groupdict() == {"word": "ab"}  # type: ignore[union-attr]
    assert again.made("forged", lambda: "a+").match("aaa").end() == 3  # type: ignore[union-attr]
