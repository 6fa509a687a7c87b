"""Of lines that differ in digits only one is scanned: what is found is what is found in every one for itself."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from string import ascii_letters

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines import finder
from neurontriage.lines.cut import Cutter
from neurontriage.lines.digits import alike
from neurontriage.lines.finder import Finder
from neurontriage.lines.flood import Repeats

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "samples").rglob("*.log"))
CORPUS = sorted((ROOT.parent / "shared" / "corpus" / "whole").glob("*.log"))[::8]
SHAPES = [
    "2026-04-23T19:15:{:02}Z INFO {} [Pass]: {} failed",
    "[rank{}]: step {} of {}",
    "[rank{}]: ERROR  TDRV:exec   something failed in step {}{}",
    "[ERROR] [NCC_EVRF00{}] Memory {} is full {}",
    "[TEN{}] Internal tensorizer error {} {}",
    "Subcommand returned with exitcode={} {} {}",
    "RuntimeError: worker {} of {} is gone {}",
    "Traceback (most recent call last):",
    '  File "/job/train.py", line {}, in main {} {}',
    "    step()",
    "pass ~ finished",
    "[rank{}]: pass ~ finished",
    "all is quiet",
    "",
    " {}%|### | {}/{}\r",
]


@pytest.fixture(autouse=True)
def from_the_first_block_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "_FEW", -1)
    monkeypatch.setattr(finder, "_LONGEST_WAIT", -1)


def shuffled(text: str, chance: random.Random) -> str:
    """The same text with other digits."""
    return re.sub(r"\d", lambda _: str(chance.randrange(10)), text)


def read(one: Finder, catalog: Catalog, text: str) -> tuple[list[tuple[int, str, tuple[int, ...]]], object]:
    """The lines that are read, and what was only counted."""
    repeats = Repeats(catalog.sorts)
    data = text.encode("utf-8", "replace")
    ends = [data.find(b"\n", at) + 1 or len(data) for at in range(len(data) // 3, len(data), len(data) // 3 + 1)]
    blocks = [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]
    lines = Cutter("x", one, catalog.patterns, repeats).cut(filter(None, blocks))
    return [(line.number, line.text, line.hits) for line in lines], repeats.skipped()


def fresh(catalog: Catalog) -> Finder:
    return Finder(catalog.engine, catalog.finder._apart)


@pytest.mark.parametrize(
    ("text", "takes"),
    [("TEN404", "TEN777"), ("[1-9]x", "0x"), ("[^1]x", "1x"), (r"a{3}\x41", "aaaA"), ("(?i)e2", "E9")],
)
def test_any_digit_stands_for_any_other(text: str, takes: str) -> None:
    assert re.fullmatch(alike(text), takes)


@pytest.mark.parametrize("text", [r"line \d+ of \w+", "[a-z0-9]{8}", "[^0-9]x", r"a\x41{10,20}", r"\S{0,60}x"])
def test_a_pattern_that_tells_no_digits_apart_stays(text: str) -> None:
    assert alike(text) == text


def lines_of(paths: list[Path]) -> Iterator[str]:
    for path in paths:
        yield from path.read_text(errors="replace").split("\n")


def test_where_digits_make_no_difference_every_pattern_finds_the_same(catalog: Catalog) -> None:
    chance, apart = random.Random(7), catalog.finder._apart
    assert apart is not None
    lines = sorted({line for line in lines_of(SAMPLES) if any(map(str.isdigit, line))})
    others = [shuffled(line, chance) for line in lines]
    alone = [not apart().scan(line.encode()) for line in lines]
    told = sum(alone)
    assert 0.5 * len(lines) < told < len(lines)
    for line, other, same in zip(lines, others, alone, strict=True):
        assert not same or catalog.engine.scan(line.encode()) == catalog.engine.scan(other.encode()), line


@pytest.mark.parametrize("path", [*SAMPLES[::3], *CORPUS], ids=lambda path: path.stem)
def test_a_log_said_again_with_other_digits(path: Path, catalog: Catalog) -> None:
    chance, text = random.Random(7), path.read_text(errors="replace").replace("\0", "")[: 200 << 10]
    text = "\n".join([text, shuffled(text, chance), *(shuffled(text, chance).splitlines()[:60] * 4)])
    assert read(fresh(catalog), catalog, text) == read(Finder(catalog.engine), catalog, text)


lines = st.lists(
    st.tuples(st.sampled_from(SHAPES), st.integers(0, 12), st.sampled_from([1, 9, 70, 404, 4711]), st.integers(1, 30)),
    min_size=1,
    max_size=40,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(
    found=[("[rank{}]: pass ~ finished", 11, 9, 26), ("pass ~ finished", 11, 70, 17), (SHAPES[0], 7, 1, 21)],
    chance=random.Random(5),
)
@given(found=lines, chance=st.randoms(use_true_random=False))
def test_what_is_read_and_counted_is_the_same(
    catalog: Catalog, found: list[tuple[str, int, int, int]], chance: random.Random
) -> None:
    said = [
        shape.replace("~", ascii_letters[n] * one).format(one + n % 3, two, n)
        for shape, one, two, times in found
        for n in range(times)
    ]
    text = "\n".join([*said, *chance.sample(said, len(said)), *said])
    assert read(fresh(catalog), catalog, text) == read(Finder(catalog.engine), catalog, text)


def test_of_lines_without_a_pattern_none_is_the_last(catalog: Catalog) -> None:
    for one in (Finder(catalog.engine), fresh(catalog)):
        assert one.found(b"all is quiet\n" * 9)[:2] == ([], -1)


def test_long_lines_are_scanned_for_themselves(catalog: Catalog) -> None:
    long = "x " * 3000 + "RuntimeError: worker 7 is gone " + "y " * 3000 + "TEN404 [TEN404] Internal tensorizer error"
    text = "\n".join(["RuntimeError: worker 8 is gone", long, shuffled(long, random.Random(1)), "end 1"] * 5)
    assert read(fresh(catalog), catalog, text) == read(Finder(catalog.engine), catalog, text)


def test_what_is_known_of_lines_is_bounded(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "_MOST", 40)
    one = fresh(catalog)
    text = "\n".join(f"{'ab'[n % 2] * n} step {n} failed" for n in range(300))
    assert read(one, catalog, text) == read(Finder(catalog.engine), catalog, text)
    assert len(one._known) <= 101


def test_where_nothing_comes_again_lines_are_scanned_as_they_are(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finder, "_FEW", 1 << 10)
    monkeypatch.setattr(finder, "_LONGEST_WAIT", 8 << 10)
    chance, one = random.Random(3), fresh(catalog)
    for _ in range(20):
        new = "\n".join(f"{chance.randbytes(30).hex()} RuntimeError: {chance.randrange(99)} is gone" for _ in range(30))
        again = "\n".join(f"ERROR worker {chance.randrange(99)} failed" for _ in range(60))
        text = f"{new}\n{again}\n"
        assert read(one, catalog, text) == read(Finder(catalog.engine), catalog, text)
