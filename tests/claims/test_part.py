"""Parts of an incident: what is read log by log, pickled, and put together in any grouping gives one and the same."""

from __future__ import annotations

import json
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neurontriage.claims.part import Part, Place
from neurontriage.claims.reading import Reading
from neurontriage.knowledge.catalog import Catalog
from neurontriage.read.slices import sliced
from neurontriage.reports.json import document
from neurontriage.triage import concluded

WRAPPER = "2026-08-06 06:{:02d}:58.000347:  39526  [INFO]: {}"
MODULE = "/c/MODULE_1829994416439170778{}+bad9cf09/model.hlo_module.pb"
LINES = [
    WRAPPER.format(1, "Call compiler with cmd: neuronx-cc compile " + MODULE.format(1) + " --target trn1"),
    WRAPPER.format(2, "Compilation Successfully Completed for " + MODULE.format(1)),
    WRAPPER.format(3, "Using a cached neff at " + MODULE.format(2)),
    WRAPPER.format(9, "Another process must be compiling " + MODULE.format(1) + ", been waiting for: 1.0 minutes"),
    "Compiler status PASS",
    "Compiler status ERROR",
    "2026-08-06T06:01:02Z [TEN404] Internal tensorizer error: OddPass:no such thing",
    "2026-08-06T06:01:02Z ERROR 1454 [Tensorizer]: root = neuronxcc/starfish/penguin/OtherPass.py, in run",
    '  File "/x/neuronxcc/starfish/penguin/LastPass.py", line 3, in transform',
    "Traceback (most recent call last):",
    '  File "train.py", line 3, in <module>',
    "ValueError: bad value 3",
    "ValueError: another",
    "During handling of the above exception, another exception occurred:",
    "2026-Nov-01 23:48:34.002205 5:5 ERROR  TDRV:exec_it   failed",
    "[rank3]: RuntimeError: NRT_EXEC_OOB",
    "Neuron Compiler version 2.{}.7".format,
    "RESOURCE_EXHAUSTED: {} bytes".format,
    "Killed",
    "torch==2.9.1",
    "pid 7 was terminated by signal 15",
]
LOG = st.lists(st.sampled_from([line if isinstance(line, str) else line(7) for line in LINES]), max_size=9)


def read(lines: list[str], name: str, catalog: Catalog) -> Part:
    """One log as another process would read and send it."""
    reading = Reading(catalog)
    reading.read(name, ["\n".join(lines).encode()])
    sent: Part = pickle.loads(pickle.dumps(reading.part))
    return sent


def grouped(parts: list[Part], catalog: Catalog, rng: random.Random) -> Part:
    """All parts put together, some of them first among each other."""
    if len(parts) == 1:
        return parts[0]
    cut = rng.randrange(1, len(parts))
    reading = Reading(catalog)
    for some in (parts[:cut], parts[cut:]):
        reading.take(grouped(some, catalog, rng))
    return reading.part


@settings(max_examples=60, deadline=None)
@given(logs=st.lists(LOG, min_size=2, max_size=5), seed=st.integers(0, 99))
def test_parts_read_apart_say_what_one_reading_says(catalog: Catalog, logs: list[list[str]], seed: int) -> None:
    together, apart = Reading(catalog), Reading(catalog)
    for number, lines in enumerate(logs):
        together.read(f"{number}.log", ["\n".join(lines).encode()])
    parts = [read(lines, f"{number}.log", catalog) for number, lines in enumerate(logs)]
    apart.take(grouped(parts, catalog, random.Random(seed)))
    one, other = (json.dumps(document(concluded(reading)), indent=1) for reading in (together, apart))
    assert one == other


def test_a_part_counts_from_where_it_begins(catalog: Catalog) -> None:
    reading = Reading(catalog)
    for name in ("a", "b"):
        reading.take(read(["Traceback (most recent call last):", f"a.B: {name}"], name, catalog))
    assert reading.part.end == Place(4, 2)
    events = [match.event for claim in reading.part.gathered.found.values() for match, _ in claim.kept]
    assert [(event.order, event.chain[0], event.evidence.path) for event in events] == [(2, 2, "a"), (4, 4, "b")]


def test_a_module_is_followed_from_log_to_log(catalog: Catalog) -> None:
    reading = Reading(catalog)
    for number, line in enumerate((LINES[0], LINES[4])):
        reading.take(read([line], f"{number}.log", catalog))  # type: ignore[list-item]
    assert [module.status for module in reading.part.modules.found()] == ["passed"]


def test_empty_blocks_are_no_lines(catalog: Catalog) -> None:
    for blocks, lines in (([], 0), ([b""], 0), ([b"a\n", b""], 1), ([b"", b"a\nb", b""], 2)):
        reading = Reading(catalog)
        reading.read("a", blocks)
        assert (reading.lines, reading.part.sources[0].bytes) == (lines, sum(map(len, blocks)))


PANIC = [
    "thread 'main' panicked at src/loader.rs:42:9:",
    "the table of experts is empty",
    "note: run with `RUST_BACKTRACE=1` to see more",
    "",
]
LONG = [f"row {number} of the listing" for number in range(70)]
"""Of a short log, and of the end of any, every line is read; one that is cut is long, and not cut at its very end."""


@pytest.mark.parametrize("cut", [50, 70, 71, 72])
@pytest.mark.parametrize("statement", [PANIC, ["ERROR: cannot open it"]], ids=["panic", "error"])
def test_slices_of_a_log_say_what_the_whole_log_says(catalog: Catalog, statement: list[str], cut: int) -> None:
    """Also what stands in a later slice is shown at its own line, with the line that says why; every line counts."""
    text = "\n".join([*LONG, "", *statement, *LONG[:20]])
    all_lines = text.encode().splitlines(keepends=True)
    blocks = [block for block in (b"".join(all_lines[:cut]), b"".join(all_lines[cut:])) if block]
    whole, apart = Reading(catalog), Reading(catalog)
    whole.read("a.log", [text.encode()])
    for one in sliced(blocks, size=1):
        apart.take(apart.part_of("a.log", one))
    assert (apart.lines, apart.part.sources) == (len(all_lines), whole.part.sources)
    one, other = (json.dumps(document(concluded(reading)), indent=1) for reading in (whole, apart))
    assert one == other
