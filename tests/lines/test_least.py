"""A pattern at its least is found wherever the whole one is, and ends where the shortest match of that ends."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shipped import ENTRIES

from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.least import least
from neurontriage.lines.patterns import prefilter
from neurontriage.lines.scan import Hyperscan, Pattern

SAMPLES = Path(__file__).parents[2] / "samples"
MOST_AGAIN = 100
"""How often all samples together may report a pattern in lines in which it was reported before."""


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        (r"abc\w+", r"abc\w"), (r"abc\.+", r"abc\."), (r"a\\w+", r"a\\w"), (r"(foo [\w.]+)", r"(foo [\w.])"),
        (r"(a|b.*)", r"(a|b)"), (r"ERR: *(\S.*)", r"ERR: *(\S)"), (r"x\[a-z]+", r"x\[a-z]"), (r"a \d+", r"a \d"),
        (r"abc(.{4,90})", r"abc(.{4})"), (r"abc(?: at (\d+))?(?:x|y*)", r"abc"), (r"abc(?:de+|f)+?", r"abc(?:de|f)"),
        (r"abc: (.*\S)", r"abc: (\s*\S)"),
        (r"a\.b.c: .*\S", r"a\.b.c: \s*\S"), (r"a\.*\S", r"a\.*\S"), (r"abc[])]*", r"abc"),
        (r"abc\x41{2}", r"abc\x41{2}"), (r"abc\d+\b", r"abc\d+\b"), (r"abc(?:$|[^x]*)", r"abc"),
        (r"abc(?:errors?|error)", r"abc(?:error)"),
        (r"abc{d,", r"abc{d,"),
    ],
)  # fmt: skip
def test_what_only_makes_a_match_longer_goes(text: str, shorter: str) -> None:
    assert least(text) == shorter


def first_ends(patterns: list[str], lines: str) -> dict[tuple[int, int], int]:
    """(line, pattern) → where the first match ends."""
    block = lines.encode()
    found: dict[tuple[int, int], int] = {}
    for end, number in Hyperscan([Pattern(text) for text in patterns]).scan(block):
        found.setdefault((block.count(b"\n", 0, end - 1), number), end)
    return found


def assert_found_alike(shorter: list[str], whole: list[str], lines: str) -> None:
    """In the same lines, with the same ends; Hyperscan takes one character more for the boundary in `\\b.*`."""
    short, long = first_ends(shorter, lines), first_ends(whole, lines)
    assert short.keys() == long.keys()
    assert all(long[key] - 1 <= end <= long[key] for key, end in short.items())


def test_every_pattern_is_found_where_it_was(catalog: Catalog) -> None:
    anchored = re.compile(r"^\^|^\(\?:\^\||\$$|^\(\?i")
    whole = [rule.text for rule in catalog.rules if rule.text and not anchored.search(rule.text)]
    changed = [text for text in dict.fromkeys(whole) if prefilter(text) != re.sub(r"\(\?P<\w+>", "(", text)]
    lines = "\n".join(dict.fromkeys(one for entry in ENTRIES.values() for one in entry.examples))
    assert len(changed) > 100
    assert_found_alike([prefilter(text) for text in changed], changed, lines)


def test_no_pattern_of_an_entry_is_reported_all_along_a_line(catalog: Catalog) -> None:
    """Each report is a call from the engine; a pattern with `.{4,90}` at its end would give 87 of them for a line."""
    engine, reports, lines = catalog.engine, Counter[int](), Counter[int]()
    assert isinstance(engine, Hyperscan)
    for path in sorted(SAMPLES.rglob("*.log")):
        block, seen = path.read_bytes().replace(b"\r", b"\n"), set[tuple[int, int]]()

        def reported(number: int, _start: int, end: int, *_: object, block: bytes = block, seen: Any = seen) -> None:
            reports[number] += 1
            seen.add((number, block.rfind(b"\n", 0, end - 1)))

        engine._database.scan(block, match_event_handler=reported)
        lines.update(number for number, _ in seen)
    of_entries = [number for number in reports if all(kind == "rule" for kind, _, _ in catalog.owners[number])]
    again = {catalog.patterns[number].text: reports[number] - lines[number] for number in of_entries}
    assert len(again) > 500
    assert {text: count for text, count in again.items() if count > MOST_AGAIN} == {}


ATOMS = st.sampled_from(["a", "b", " ", r"\w", r"\S", ".", "[ab]", "[^a]"])
SIGNS = st.sampled_from(["", "", "", "?", "*", "+", "{2}", "{2,3}", "{0,2}", "+?", "*?", "??"])
ITEMS = st.recursive(
    st.tuples(ATOMS, SIGNS).map("".join),
    lambda inner: st.tuples(
        st.lists(st.lists(inner, max_size=3).map("".join), min_size=1, max_size=3).map("|".join),
        st.sampled_from(["", "", "?", "{1,2}", "*"]),
    ).map(lambda one: f"(?:{one[0]}){one[1]}"),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@example(".+?\\S", "ab a\naa")
@example(".+\\S", "ab a  b")
@example(".*\\S", "ab a  b")
@given(st.lists(ITEMS, max_size=4).map("".join), st.text("ab -\n", max_size=20).map(lambda text: f"ab a{text}"))
def test_any_pattern_is_found_where_it_was(tail: str, text: str) -> None:
    assert_found_alike([f"a{least(tail)}"], [f"a{tail}"], text)
