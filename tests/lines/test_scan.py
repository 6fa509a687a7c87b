"""The scanner: the fallback finds what Hyperscan finds, and every pattern of the catalogue compiles for both."""

from __future__ import annotations

import itertools
import re
import weakref
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped import ENTRIES

from neurontriage import stored
from neurontriage.knowledge import database
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.cut import SHORT, TAIL, Cutter
from neurontriage.lines.finder import Finder
from neurontriage.lines.remembered import forget
from neurontriage.lines.scan import Engine, Hyperscan, Pattern, Stepwise

SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.log"))
PATTERNS = [
    Pattern(r"\[[A-Z]{3}\d{3}\]"),
    Pattern(r"ERROR", 1),
    Pattern(r"Traceback \(most", 2),
    Pattern(r"a.*b.*c"),
    Pattern(r"(?i)no space left"),
    Pattern(r"status \d+"),
    Pattern(r"Killed|core dumped"),
    Pattern(r"[Tt]oo many(?:$|[^'])"),  # in a block these would take a line's end
    Pattern(r"a[^]'-]{0,9}x"),
    Pattern(r"abc\s+[^-x]?[\s,]\W\D?"),
]
FRAGMENTS = [
    "[TEN404]",
    "ERROR",
    "Traceback (most recent",
    "abc",
    "a b c",
    "No Space Left",
    "status 1006",
    "Killed",
    "too many",
    "x",
]


@pytest.fixture(scope="module")
def stepwise(catalog: Catalog) -> Stepwise:
    return Stepwise(catalog.patterns)


@pytest.fixture(scope="module")
def fast(catalog: Catalog) -> Hyperscan:
    data = stored.read_bytes(database.place(catalog.patterns))
    assert data is not None
    return Hyperscan(catalog.patterns, data)


line = st.lists(st.sampled_from([*FRAGMENTS, " ", "\r", "é", "  ", "'"]), max_size=6).map("".join)


def cut(engine: Engine, block: bytes) -> list[tuple[int, str, frozenset[int]]]:
    """Lines with the hits that matching confirms: a block match may begin before a carriage return."""
    found = []
    for one in Cutter("x", Finder(engine), [Pattern(p.text) for p in PATTERNS]).cut([block]):
        hits = frozenset(hit for hit in one.hits if re.search(PATTERNS[hit].text, one.text))
        if hits:
            found.append((one.number, one.text, hits))
    return found


@settings(max_examples=300, deadline=None)
@given(st.lists(line, max_size=12).map("\n".join))
def test_both_engines_find_the_same(text: str) -> None:
    block = text.encode()
    assert cut(Hyperscan(PATTERNS), block) == cut(Stepwise(PATTERNS), block)


@settings(max_examples=100, deadline=None)
@given(st.lists(line, max_size=12).map("\n".join))
def test_a_stored_database_finds_the_same(text: str) -> None:
    fresh = Hyperscan(PATTERNS)
    assert cut(fresh, text.encode()) == cut(Hyperscan(PATTERNS, fresh.dump()), text.encode())


def test_a_database_that_was_let_go_is_read_again() -> None:
    block, asked = "\n".join(FRAGMENTS).encode(), list[bytes]()
    kept = Hyperscan(PATTERNS).dump()
    engine = Hyperscan(PATTERNS, kept, lambda: asked.append(kept) or kept)  # type: ignore[func-returns-value]
    found = engine.scan(block)
    forget()
    assert engine.scan(block) == found and not asked
    forget(patterns=True)
    assert engine.scan(block) == found and len(asked) == 1


def test_where_its_file_is_gone_it_is_built_again() -> None:
    engine = Hyperscan(PATTERNS, Hyperscan(PATTERNS).dump(), lambda: None)
    found = engine.scan(b"ERROR")
    forget(patterns=True)
    assert engine.scan(b"ERROR") == found


@settings(max_examples=100, deadline=None)
@given(st.lists(line, max_size=12).map("\n".join))
def test_cut_lines_stand_where_they_say(text: str) -> None:
    block = text.encode()
    lines = text.split("\n")
    for number, found, _ in cut(Hyperscan(PATTERNS), block):
        assert found in re.split("\r", lines[number - 1])


def test_the_fallback_takes_every_pattern_of_the_catalogue(catalog: Catalog) -> None:
    block = b"2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC\n"
    slow = Cutter("x", Finder(Stepwise(catalog.patterns)), catalog.patterns).cut([block])
    fast = Cutter("x", catalog.finder, catalog.patterns).cut([block])
    assert [(found.number, set(found.hits)) for found in slow] == [(found.number, set(found.hits)) for found in fast]


def confirmed(engine: Engine, block: bytes) -> set[tuple[int, int]]:
    """(line, pattern) of every hit, by which the two engines are the same wherever a match ends."""
    return {(block.count(b"\n", 0, end - 1), number) for end, number in engine.scan(block)}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_fallback_finds_every_line_of_every_sample(path: Path, fast: Hyperscan, stepwise: Stepwise) -> None:
    block = path.read_bytes().replace(b"\r", b"\n")
    assert confirmed(stepwise, block) == confirmed(fast, block)


def test_every_example_is_found_deep_in_a_block(fast: Hyperscan, stepwise: Stepwise) -> None:
    """Hyperscan takes other ways through long blocks than through single lines; it may find more, but miss nothing."""
    lines = [line for entry in ENTRIES.values() for example in entry.examples for line in example.splitlines()]
    block = "".join(f"{'nothing of note ' * 30}\n{line}\n" for line in lines).replace("\r", "").encode()
    assert not confirmed(stepwise, block) - confirmed(fast, block)


def test_a_filter_without_memory_is_split() -> None:
    many = [Pattern(f"{chr(97 + n % 26)}word{n:05}" + "x" * 60) for n in range(6000)]
    engine = Stepwise(many)
    block = "\n".join(pattern.text for pattern in many[::977]).encode()
    assert [number for _, number in engine.scan(block)] == list(range(0, 6000, 977))


def test_a_long_log_gets_the_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "WORTH", 1e-9)
    built: list[int] = []
    patience = database.Patience()
    first, second = (
        database.Growing(PATTERNS, patience, lambda patterns: built.append(1) or Hyperscan(patterns))  # type: ignore[func-returns-value]
        for _ in range(2)
    )
    assert [first.scan(b"ERROR\n") for _ in range(4)] == [[(5, 1)]] * 4
    assert built == [1]
    assert second.scan(b"ERROR\n") == [(5, 1)]
    assert built == [1, 1]


def test_what_scans_without_a_database_goes_with_whoever_held_it() -> None:
    engine = Stepwise(PATTERNS)
    assert engine.scan(b"ERROR\n") == [(5, 1)]
    left = weakref.ref(engine)
    del engine
    assert left() is None  # and is not left to a search for cycles, which comes late


@given(st.integers(0, 150), st.sampled_from(["", "the end", "\n\n", "\r"]), st.lists(st.integers(1, 900), max_size=4))
def test_every_line_of_a_short_log_and_the_last_ones_of_a_long_one_are_read(
    quiet: int, ending: str, borders: list[int]
) -> None:
    log = "".join(f"line {n}\n" for n in range(1, quiet + 1)) + ending
    cuts = sorted({0, *borders, len(log)})
    blocks = [log[a:b].encode() for a, b in itertools.pairwise(cuts)]
    patterns = [Pattern("boom")]
    lines = list(Cutter("x", Finder(Stepwise(patterns)), patterns).cut(whole_lines(blocks)))
    texts = [(number, text.strip("\r")) for number, text in enumerate(log.split("\n"), 1) if text.strip()]
    wanted = texts if log.count("\n") <= SHORT else texts[-TAIL:]
    assert [(line.number, line.text) for line in lines] == wanted


def whole_lines(blocks: list[bytes]) -> list[bytes]:
    """Blocks as the reader gives them: each but the last ends with a line feed."""
    text = b"".join(blocks)
    ends = [text.find(b"\n", sum(map(len, blocks[: n + 1])) - 1) + 1 for n in range(len(blocks))]
    cuts = sorted({0, len(text), *(end for end in ends if end)})
    return [text[a:b] for a, b in itertools.pairwise(cuts)]
