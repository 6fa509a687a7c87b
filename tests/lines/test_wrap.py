"""Lines that were broken at a fixed column are whole again; what is as it was written stays as it is."""

from __future__ import annotations

import random
import textwrap

from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.lines.wrap import Wraps, width

HEAD = "2026-03-02 08:11:04 ERROR ring: "
WORDS = [
    "ring",
    "cannot",
    "be",
    "opened",
    "where",
    "no",
    "peer",
    "of",
    "this",
    "node",
    "answers",
    "before",
    "descriptor",
]
TEXT = st.integers(0, 10**6).map(lambda seed: " ".join(random.Random(seed).choices(WORDS, k=40)))


def broken(lines: list[str], column: int) -> str:
    return "".join(f"{line[at : at + column]}\n" for line in lines for at in range(0, len(line), column))


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXT, min_size=6, max_size=12), st.integers(70, 100))
def test_broken_lines_are_whole_again_and_keep_their_numbers(texts: list[str], column: int) -> None:
    lines = [HEAD + text for text in texts]
    text = broken(lines, column)
    wraps = Wraps()
    found = wraps.joined(text.encode(), 10).decode()
    assert found.count("\n") == text.count("\n")
    assert [line for line in found.split("\n") if line] == lines
    starts = [number for number, line in enumerate(found.split("\n"), 11) if line]
    ends = [wraps.ends.get(number, number) for number in starts]
    assert [after - 1 for after in starts[1:]] == ends[:-1]


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXT, min_size=12, max_size=20, unique=True), st.integers(60, 100))
def test_prose_that_was_wrapped_at_blanks_stays(texts: list[str], column: int) -> None:
    lines = [line for text in texts for line in textwrap.wrap(text, column)]

    assert not width("\n".join(lines))


def test_tables_and_banners_of_one_width_stay() -> None:
    row = "| weights                          | 20.0 GB                          | 1 |"
    text = "\n".join([row.replace("weights", f"{n:7}") for n in range(20)] + ["=" * len(row)] * 4)
    assert width(text) == 0
    assert Wraps().joined(text.encode(), 0) == text.encode()


def test_a_block_without_broken_lines_is_the_same_block() -> None:
    block = b"step 1 \xff\r\nstep 2\r\n" * 50
    assert Wraps().joined(block, 0) is block


def test_a_line_that_comes_again_is_as_long_every_time() -> None:
    """A command of the compile wrapper with ever other module, and below it a status that begins like a word."""
    command = "2026-03-01 10:0{n}:01.000123:  1320  INFO ||NEURON_CC_WRAPPER||: Call compiler with cmd: neuronx-cc {n}"
    text = "\n".join(f"{command.format(n=n)}\nCompiler status PASS" for n in range(9))
    assert not width(text)


NAMES = ["alpha", "gamma", "delta", "theta", "kappa", "sigma", "omega"]
FORMS = {
    "a word": "loading shard {one} from the cache on disk into the memory of the host node",
    "the first word": "{one} shard is loaded from the cache on disk into the memory of the host",
    "columns": "worker {number:<6} has {one:10} a part of the file that was asked for by {other:10}|",
    "bytes": "ab{number:06}  {bytes:48} |................|",
    "pairs": '"k{number:04}": "{one}", "value": "{other}", "what came before it": "{one}"',
}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(sorted(FORMS)), min_size=1, max_size=2), st.integers(5, 60), st.integers(0, 10**6))
def test_records_of_one_length_stay(forms: list[str], count: int, seed: int) -> None:
    chance = random.Random(seed)
    lines = []
    for number in range(count):
        values = {"one": chance.choice(NAMES), "other": chance.choice(NAMES), "bytes": chance.randbytes(16).hex(" ")}
        lines += [FORMS[form].format(number=number, **values).ljust(76) for form in forms]
    assert not width("\n".join(lines))


def test_records_with_one_short_line_below_each_stay() -> None:
    lines = [line for name in NAMES * 4 for line in (FORMS["a word"].format(one=name), "done")]
    assert not width("\n".join(lines))
