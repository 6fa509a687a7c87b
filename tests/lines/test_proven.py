"""Where a pattern is said to need no second look, a second look finds the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.cut import Cutter
from neurontriage.lines.linear import compiled
from neurontriage.lines.proven import certain, whole
from neurontriage.lines.scan import Hyperscan, Pattern

ROOT = Path(__file__).parents[2]
LOGS = [path for path in sorted((ROOT / "samples").rglob("*.log")) if b"\0" not in path.read_bytes()]
PATTERNS = [r"ab+c", r"a.c", r"a[^b]c", r"a\sc", r"[ x]abc", r"abc ?", r"abc.", r"(?:a| )bc", r"ab$", r"\bab\b"]
PATTERNS += [r"(?i)aBc", r"a(?P<n>b)c"]
ENGINE = Hyperscan([Pattern(pattern) for pattern in PATTERNS])


def test_a_hit_is_a_match_in_every_line_of_the_samples(catalog: Catalog) -> None:
    checked = 0
    for path in LOGS:
        for line in Cutter(path.name, catalog.finder, catalog.patterns).cut([path.read_bytes()]):
            text = line.text.strip()
            owned = (owner for hit in line.hits for owner in catalog.owners[hit])
            for rule in (catalog.rules[number] for what, number, _ in owned if what == "rule"):
                if rule.certain and whole(text):
                    assert rule.text
                    checked += 1
                    assert compiled(rule.text).search(text), (rule.entry, text)
    assert checked > 200


@given(st.text("abcABC \n.xé", max_size=24))
def test_a_hit_is_a_match_whatever_the_line_holds(text: str) -> None:
    for start, line in _lines(text):
        ends = {(number, end) for end, number in ENGINE.scan(text.encode())}
        for number, pattern in enumerate(PATTERNS):
            hit = any(one == number and start < end <= start + len(line.encode()) for one, end in ends)
            if hit and certain(pattern) and whole(line.strip()):
                assert compiled(pattern).search(line.strip())


def _lines(text: str) -> list[tuple[int, str]]:
    found, start = [], 0
    for line in text.split("\n"):
        found.append((start, line))
        start += len(line.encode()) + 1
    return found


@pytest.mark.parametrize(("pattern", "sure"), [(r"ab+c", True), (r"abc ", False), (r"a\s+c", False), (r"^abc", False)])
def test_what_may_need_a_second_look(pattern: str, sure: bool) -> None:
    assert certain(pattern) is sure


def test_a_line_that_the_scanner_saw_otherwise_gets_a_second_look() -> None:
    assert whole("abc")
    assert not whole("é" + "abc")
    assert not whole("abc" * 1000)
