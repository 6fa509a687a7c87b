"""Prefixes that no table knows: what a log carries behind them proves them, for whoever reads it in whatever parts."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.prefix import strip
from neurontriage.lines.streams import ABOVE, MARK, Streams, unmarked
from neurontriage.reports.json import document
from neurontriage.triage import explain_text

FAILURE = [
    "Traceback (most recent call last):",
    '  File "/srv/mix/run.py", line 61, in main',
    "    source.refill()",
    "corp.mixture.SourceDried: shard 4 of web gave 0 rows",
]
PREFIXES = {
    "[host1] ": "host1",
    "[host-3][train][p4411] ": "host-3 train p4411",
    "node-1/trainer[4]: ": "node-1/trainer[4]",
    "train-0 main ": "train-0 main",
    "2026-11-20 03:00:00,123 INFO worker-3 ": "worker-3",
    "2026/11/20 03:00:00 [host-3][train] ": "host-3 train",
    "1763600000.123456 ": None,
    "rank3.log:": "rank3.log",
    "w7 > ": "w7",
    "+": None,
}
TAGS = st.from_regex(r"\A[a-z][a-z0-9-]{0,8}(/[a-z]{1,5}|\.[0-9]{1,3})?\Z")
FORMS = st.sampled_from(["<{}> ", "{}| ", "[{}][x] ", "{} :: ", "({}) ", "{}\t"])


@pytest.mark.parametrize("prefix", PREFIXES)
def test_an_unknown_prefix_hides_no_traceback(catalog: Catalog, prefix: str) -> None:
    lines = [f"row {number} of the listing" for number in range(80)] + [prefix + line for line in FAILURE] + ["bye"]
    found = document(explain_text("\n".join(lines) + "\n", "a.log", catalog))["findings"][0]
    assert (found["role"], found["evidence"][0]["line"]) == ("root", 84)
    assert found["evidence"][0]["text"] == prefix + FAILURE[-1]
    assert strip(prefix + FAILURE[-1], len(prefix)).process == PREFIXES[prefix]


@settings(max_examples=60, deadline=None)
@given(form=FORMS, tags=st.lists(TAGS, min_size=2, max_size=3, unique=True), data=st.data())
def test_streams_of_unknown_prefixes_do_not_break_each_other(
    catalog: Catalog, form: str, tags: list[str], data: st.DataObject
) -> None:
    rest = {tag: list(FAILURE) for tag in tags}
    lines = []
    while rest:
        tag = data.draw(st.sampled_from(sorted(rest)))
        lines.append(form.format(tag) + rest[tag].pop(0))
        rest = {tag: left for tag, left in rest.items() if left}
    found = document(explain_text("\n".join(lines) + "\n", "a.log", catalog))["findings"]
    last = {number for number, line in enumerate(lines, 1) if line.endswith(FAILURE[-1])}
    assert found[0]["role"] == "root" and {one["line"] for one in found[0]["evidence"]} <= last
    assert found[0]["count"] == len(tags)


def test_every_frame_of_a_block_proves_its_stream() -> None:
    streams = Streams()
    streams.begin(b"")
    block = "\n".join(prefix + line for prefix in ("w7 > ", "[host-3][train] ") for line in FAILURE).encode()
    assert streams.marked(block).count(MARK if isinstance(MARK, bytes) else MARK.encode()) == 2 * len(FAILURE)


@pytest.mark.parametrize(
    "prefix",
    ["", "[rank3]: ", "3: ", "(RayTrainWorker pid=311) ", "    ", "  | ", "> ", ">> ", "train-1  | ", "1777629600\t"],
)
def test_what_a_table_knows_is_not_marked(prefix: str) -> None:
    block = "\n".join(prefix + line for line in FAILURE).encode()
    streams = Streams()
    streams.begin(block)
    assert streams.marked(block) is block


@pytest.mark.parametrize("prefix", ["2026-02-03T02:13:07Z "])
def test_what_a_table_knows_only_before_text_is_marked(prefix: str) -> None:
    block = "\n".join(prefix + line for line in FAILURE).encode()
    streams = Streams()
    streams.begin(block)
    assert streams.marked(block).count(MARK) == len(FAILURE)


def test_a_frame_in_the_next_block_proves_the_traceback_above_it() -> None:
    above, below = (f"w7 @ a> {line}\n".encode() for line in FAILURE[:2])
    streams = Streams()
    streams.begin(b"row\n")
    assert streams.marked(above, below) == b"w7 @ a> " + MARK + above[8:]
    assert streams.marked(below) == b"w7 @ a> " + MARK + below[8:]


def test_of_two_prefixes_in_one_line_the_longer_counts(catalog: Catalog) -> None:
    lines = [prefix + line for prefix in ("w7 @ ", "w7 @ b> ") for line in FAILURE]
    found = document(explain_text("\n".join(lines) + "\nbye\n", "a.log", catalog))["findings"][0]
    assert [one["text"] for one in found["evidence"]] == [lines[3]]
    assert (found["count"], found["fields"]["message"]) == (2, "shard 4 of web gave 0 rows")


def test_a_mark_that_the_log_holds_itself_hides_nothing(catalog: Catalog) -> None:
    text = "step 1\nRuntimeError: shard 4 of \2web gave 0 rows\n"
    found = document(explain_text(text, "a.log", catalog))["findings"][0]
    assert found["fields"]["message"] == "shard 4 of \N{REPLACEMENT CHARACTER}web gave 0 rows"


USUAL = ["reading the table of experts", "opening shard 4", "a ring of 64", "it gave 0 rows", "closing", "writing rows"]


@pytest.mark.parametrize(
    ("before", "last", "marked"),
    [(0, "", True), (400, "", True), (0, "bye\n", False), (400, "bye\n", True)],  # the first 8 KiB are the beginning
)
def test_what_most_lines_of_the_beginning_start_with_is_no_part_of_them(before: int, last: str, marked: bool) -> None:
    log = ("".join(f"[host-3][train] {line}\n" for line in USUAL * (1 + before // 6)) + last).encode()
    streams = Streams()
    streams.begin(log)
    expected = log.replace(b"[train] ", b"[train] " + MARK) if marked else log
    assert streams.marked(log) == expected


ROWS = [f"w7 @ a> row {number} of the listing\n" for number in range(700)]
"""22 KiB: more than a frame speaks for."""


@settings(max_examples=80, deadline=None)
@given(frame=st.integers(0, len(ROWS)), cut=st.integers(0, len(ROWS) + len(FAILURE)))
def test_wherever_a_log_is_cut_the_same_lines_are_marked(frame: int, cut: int) -> None:
    lines = [*ROWS[:frame], *(f"w7 @ a> {line}\n" for line in FAILURE), *ROWS[frame:]]
    whole, parts = Streams(), Streams()
    for streams in (whole, parts):
        streams.begin(b"row\n")
    head, rest = ("".join(some).encode() for some in (lines[:cut], lines[cut:]))
    assume(abs(rest.find(b"  File") - ABOVE) > 80)  # whether it is still in sight
    expected = whole.marked(head + rest)
    assert 0 < expected.count(MARK) < len(lines)
    assert parts.marked(head, rest[:ABOVE]) + parts.marked(rest) == expected


@pytest.mark.parametrize(
    "line",
    [
        "step {0} | loss {0}.5",
        "Downloading part-{0}",
        "ERROR: {0} of 9",
        "W: {0}",
        "[E0{0}] a b",
        "trainer-1  | row {0}",
    ],
)
def test_what_lines_merely_have_in_common_is_no_prefix(line: str) -> None:
    block = "\n".join(line.format(number) for number in range(30)).encode()
    streams = Streams()
    streams.begin(block)
    assert streams.marked(block) is block


def test_numbers_of_lines_are_a_prefix() -> None:
    lines = [f"{number:6}\t{text}" for number, text in enumerate([*FAILURE, "", "bye"], 1)]
    streams = Streams()
    streams.begin("\n".join(lines).encode())
    assert strip(*unmarked(streams.marked(lines[3].encode()).decode())).payload == FAILURE[3]
    table = "\n".join(f"{number}\tvalue of {number}" for number in (7, 3, 9, 4, 1)).encode()
    other = Streams()
    other.begin(table)
    assert other.marked(table) is table


HEADERS = ["2026-11-20 03:00:0{0},123 INFO worker-3 ", "2026-11-20 03:00:0{0}.100 | INFO     | runner:pump:88 - "]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize(
    "child", ["2026-11-20T03:00:01Z loss 2.5", "ERROR: no such row", "  4%|#   | 1/25", "[TEN404] x", "Killed"]
)
def test_a_header_before_what_only_a_child_prints_is_a_parents(header: str, child: str) -> None:
    lines = [header.format(number) + text for number, text in enumerate(["loading", "ready", child])]
    streams = Streams()
    streams.begin("\n".join(lines).encode())
    line, own = unmarked(streams.marked(lines[0].encode()).decode())
    assert (line[own:], strip(line, own).level, strip(line).level) == ("loading", None, "INFO")


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_before_a_programs_own_words_keeps_its_level(header: str) -> None:
    block = "\n".join(header.format(number) + f"row {number} is missing, failed 0" for number in range(9)).encode()
    streams = Streams()
    streams.begin(block)
    assert streams.marked(block) is block


@given(st.binary(max_size=200), st.binary(max_size=60))
def test_any_bytes_are_kept(block: bytes, ahead: bytes) -> None:
    streams = Streams()
    streams.begin(block)
    assert streams.marked(block, ahead).replace(MARK, b"") == block.replace(MARK, b"")


@given(st.text(max_size=30))
def test_a_line_without_a_mark_is_as_it_was(text: str) -> None:
    assert unmarked(text.replace("\2", "")) == (text.replace("\2", ""), 0)
