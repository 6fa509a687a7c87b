"""Parts of an incident: what is read log by log, pickled, and put together in any grouping gives one and the same."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from neurontriage.claims.part import Part, Place
from neurontriage.claims.reading import Reading
from neurontriage.claims.sequence import IN_LINE
from neurontriage.knowledge.catalog import Catalog
from neurontriage.read.inputs import Input
from neurontriage.read.slices import Slice, Span, slice_of, sliced
from neurontriage.reports.json import document
from neurontriage.triage import concluded

SLOW = [
    Path(__file__).parents[2] / "samples" / "performance" / f"{name}.log"
    for name in ("cold-cache", "fallback", "fetches", "slow-cache")  # the others are floods, which each slice thins
]
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
LOGGED = [line if isinstance(line, str) else line(7) for line in LINES]
LOG = st.lists(st.sampled_from(LOGGED), max_size=9)


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
    events = [match.event for claim in reading.part.gathered.found.values() for match in claim.kept]
    places = [(event.order // IN_LINE, event.chain[0] // IN_LINE, event.evidence.path) for event in events]
    assert places == [(2, 2, "a"), (4, 4, "b")]


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
CHAIN = [
    "Traceback (most recent call last):",
    '  File "/usr/lib/python3.10/site-packages/loader/read.py", line 8, in read',
    "    return table[key]",
    "KeyError: 'experts'",
    "",
    "The above exception was the direct cause of the following exception:",
    "",
    "Traceback (most recent call last):",
    '  File "train.py", line 14, in <module>',
    "    batch = loader.read()",
    "RuntimeError: the table has no experts",
]
CARRIED = [f"w7 @ a> {line}" for line in CHAIN]
"""Behind a prefix that only the frames prove."""
RECOMPILES = [
    line
    for step in range(6)
    for line in (
        f"V1015 09:00:1{step}.1 4 guards.py:41] [0/{step}] [__recompiles] Recompiling function step in train.py:52",
        f"V1015 09:00:1{step}.1 4 guards.py:41] [0/{step}] [__recompiles]     - 0/{step}: "
        f"tensor 'x' size mismatch at index 0. expected {step}, actual {step + 7}",
    )
]
COMPILER = [
    "2026-08-06T06:01:02Z [TEN404] Internal tensorizer error: no such thing",
    "2026-08-06T06:01:02Z ERROR 1454 [Tensorizer]: root = neuronxcc/starfish/penguin/OtherPass.py, in run",
    '  File "/x/neuronxcc/starfish/penguin/LastPass.py", line 3, in transform',
    "2026-08-06T06:01:03Z ERROR 1454 [Tensorizer]: Transformation error on operator: matmul.7",
]
RETRIED = [
    WRAPPER.format(4, "Got a cached failed neff at " + MODULE.format(1) + ". With error log: no such thing"),
    WRAPPER.format(5, "Call compiler with cmd: neuronx-cc compile " + MODULE.format(1)),
    WRAPPER.format(6, "Compilation Successfully Completed for " + MODULE.format(1)),
]
TESTS = [
    "============================= test session starts ==============================",
    "ERROR    store:disk.py:88 OSError: [Errno 28] No space left on device",
    "tests/test_store.py::test_full_disk PASSED   [ 50%]",
    "RESOURCE_EXHAUSTED: 7 bytes",
    "=================== 2 passed in 3.14s ====================",
]
FAILED_TESTS = [*TESTS[:-1], "=================== 1 failed, 1 passed in 3.14s ===================="]
TRIED = [
    "ERROR: attempt 1/2: the ring is closed",
    "ERROR: attempt 2/2: the ring is closed",
    "cannot go on",
]
# Lines that differ in a number: of a kind more than are read; they count tries; each is about something else.
NUMBERED = [
    [f"2026-Nov-01 23:48:34.002205 5:5 ERROR  TDRV:exec_it   row {n} failed" for n in range(7)],
    [f"ERROR: attempt {n}/6: the ring is closed" for n in range(1, 7)],
    [f"WARNING:Neuron:torch.neuron.trace failed on _NeuronGraph${n}; falling back to native python" for n in range(2)],
]
STATEMENTS = [
    TRIED,
    TESTS,
    FAILED_TESTS,
    PANIC,
    CHAIN,
    CARRIED,
    RECOMPILES,
    COMPILER,
    RETRIED,
    ["ERROR: cannot open it"],
    *([one] for one in LOGGED),
]
LONG = [f"row {number} of the listing" for number in range(61)]
"""Of a short log every line is read; one that is cut is long."""


@st.composite
def long_log(draw: st.DrawFn) -> bytes:
    """What programs print, somewhere in a long log."""
    lines = list(LONG)
    for statement in draw(st.lists(st.sampled_from(STATEMENTS), max_size=4)):
        place = draw(st.integers(0, len(lines)))
        lines[place:place] = statement
    return "\n".join(lines).encode() + draw(st.sampled_from([b"", b"\n"]))


def answer(log: bytes, parts: Callable[[Reading], Iterable[Part]], catalog: Catalog) -> tuple[str, int]:
    """What a log says, read in these parts, and how many lines it has."""
    reading = Reading(catalog)
    for part in parts(reading):
        reading.take(part)
    assert reading.part.sources[0].bytes == len(log)
    return json.dumps(document(concluded(reading)), indent=1), reading.lines


def read_slice(one: Slice, catalog: Catalog) -> Part:
    """One slice as another process would read it, which knows nothing of what stands before."""
    return Reading(catalog).part_of("a.log", one)


def among(*said: tuple[int, str]) -> bytes:
    """A long log with these lines, each below so many rows."""
    return "\n".join(
        line for n, row in enumerate(LONG) for line in (row, *(text for at, text in said if at == n))
    ).encode()


PASSES = "root = neuronxcc/starfish/penguin/OtherPass.py, in run"
TRIES = [f"ERROR: attempt {n}/2: the ring is closed" for n in (1, 2)] + ["cannot go on"]
ENDED, NONE, CODE = LOGGED[-1], "ERROR: cannot open it", LOGGED[6]
# More than twice the same words: they end the log, they go on with what stands above, once and again.
AGAIN = [
    (among((9, LOGGED[2]), (40, NONE), (40, ENDED), (50, ENDED), (60, ENDED)), {0.9}),
    (among((9, ENDED), (20, ENDED), (21, "ValueError: bad value 3"), (24, ENDED)), {0.2}),
    (among((9, ENDED), (9, ENDED), (30, CODE), (30, CODE), (30, ENDED)), {0.4}),
    (among((9, ENDED), (30, CODE), (30, ENDED), (30, ENDED)), {0.4}),
    # Cut between the last try and the line below it that says how it failed.
    (among(*((number, line) for number in (0, 34) for line in TRIES)), {0.59375}),
    # Cut between the last line of a message and a try that is counted right below it.
    (among(*((0, row) for row in TRIES * 2), *((17, row) for row in CHAIN), *((23, row) for row in TRIES)), {0.5}),
    # Of what is known of a version two lines are read, one below a message: what belongs to that is told either way.
    # A version that is told again after the cut, of which the first slice tells, too.
    (
        among(
            (0, "Neuron Compiler version 2.7.7"),
            *((0, row) for row in RECOMPILES),
            (1, "Neuron Compiler version 2.7.7"),
        ),
        {0.3},
    ),
    (among((51, LOGGED[16]), *((54, row) for row in [*CARRIED[:2], LOGGED[16], *CARRIED[2:], LOGGED[16]])), {0.7243}),
    # Cut between a line whose time is the compiler's own and those of the wrapper, which a log is timed by.
    (
        among((44, f"2026-08-06T06:01:02Z ERROR 1454 [Tensorizer]: {PASSES}"), *((45, row) for row in RETRIED)),
        {0.72, 0.75},
    ),
]


@settings(max_examples=150, deadline=None)
@example(log=AGAIN[0][0], cuts=AGAIN[0][1])
@example(log=AGAIN[1][0], cuts=AGAIN[1][1])
@example(log=AGAIN[2][0], cuts=AGAIN[2][1])
@example(log=AGAIN[3][0], cuts=AGAIN[3][1])
@example(log=AGAIN[4][0], cuts=AGAIN[4][1])
@example(log=AGAIN[5][0], cuts=AGAIN[5][1])
@example(log=AGAIN[6][0], cuts=AGAIN[6][1])
@example(log=AGAIN[7][0], cuts=AGAIN[7][1])
@example(log=AGAIN[8][0], cuts=AGAIN[8][1])
@given(log=long_log(), cuts=st.sets(st.floats(0, 1), min_size=1, max_size=3))
def test_slices_of_a_log_say_what_the_whole_log_says(catalog: Catalog, log: bytes, cuts: set[float]) -> None:
    """Wherever it is cut: into blocks of a stream that end with a line, or as a file at any byte."""
    whole = answer(log, lambda reading: (reading.part_of("a.log", one) for one in sliced([log])), catalog)
    lines = log.splitlines(keepends=True)
    places = [0, *sorted(int(cut * len(lines)) for cut in cuts), len(lines)]
    blocks = [b"".join(lines[low:high]) for low, high in pairwise(places) if low < high]
    assert answer(log, lambda to: (to.part_of("a.log", one) for one in sliced(blocks, size=1)), catalog) == whole
    parts = [read_slice(one, catalog) for one in sliced(blocks, size=1)]
    assert answer(log, lambda _: [grouped(parts, catalog, random.Random(len(log)))], catalog) == whole
    with TemporaryDirectory() as folder:
        one = Input("a.log", Path(folder, "a.log"), len(log))
        Path(folder, "a.log").write_bytes(log)
        begins = [0, *sorted({int(cut * len(log)) for cut in cuts} - {0})]
        spans = [Span(begin, end) for begin, end in zip(begins, [*begins[1:], None], strict=True)]
        assert answer(log, lambda to: (to.part_of("a.log", slice_of(one, span)) for span in spans), catalog) == whole


@pytest.mark.parametrize("path", SLOW, ids=lambda path: str(path.stem))
def test_slices_of_a_slow_job_say_what_the_whole_log_says(path: Path, catalog: Catalog) -> None:
    log = b"".join(f"row {n} of many\n".encode() for n in range(70)) + path.read_bytes()
    whole = answer(log, lambda reading: (reading.part_of("a.log", one) for one in sliced([log])), catalog)
    lines = log.splitlines(keepends=True)
    for cut in (66, 73, len(lines) - 4):
        parts = [read_slice(one, catalog) for one in sliced([b"".join(lines[:cut]), b"".join(lines[cut:])], size=1)]
        assert answer(log, lambda _, parts=parts: parts, catalog) == whole  # type: ignore[misc]


@pytest.mark.parametrize("said", NUMBERED, ids=("rows", "tries", "graphs"))
def test_slices_count_and_show_what_the_whole_log_does(said: list[str], catalog: Catalog) -> None:
    """Also of a kind of which no more are read in the whole log; each slice reads the first few of its own."""
    log = "\n".join([*LONG[:30], *said, *LONG[30:], *said]).encode()
    whole = answer(log, lambda reading: (reading.part_of("a.log", one) for one in sliced([log])), catalog)
    lines = log.splitlines(keepends=True)
    for cut in (31, 33, 36, 60, len(lines) - 2):
        parts = [read_slice(one, catalog) for one in sliced([b"".join(lines[:cut]), b"".join(lines[cut:])], size=1)]
        assert answer(log, lambda _, parts=parts: parts, catalog) == whole  # type: ignore[misc]
