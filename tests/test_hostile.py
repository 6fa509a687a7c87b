"""Hostile logs: odd bytes, escapes, endless lines, costly expressions: no crash, no wait, nothing raw on a terminal."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neurontriage import reports
from neurontriage.claims.events import Reader
from neurontriage.claims.match import match
from neurontriage.claims.sense import Senses
from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.cut import LONGEST_PIECE, Cutter
from neurontriage.lines.finder import Finder
from neurontriage.lines.flood import Repeats
from neurontriage.lines.prefix import strip
from neurontriage.lines.scan import Hyperscan, Pattern, Stepwise
from neurontriage.model import Diagnosis
from neurontriage.read import inputs as reading
from neurontriage.read.inputs import find
from neurontriage.render.progress import Progress
from neurontriage.render.text import printable
from neurontriage.triage import diagnose, explain

ERROR = b"2025-10-31T07:17:12Z [TEN404] Internal tensorizer error: InferIntrinsicOnCC:bad\n"
ESCAPES = (
    b"\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\ \x1b]52;c;ZXZpbA==\x07 \x1bPq#0\x1b\\ \x1b[2J \x9b31m "
    b"\xc2\x9b31m \x1b]0;title\x1b_apc\x1b\\ \x1bc \x0e\x0f\x08 \xe2\x80\xae rtl \xe2\x81\xa6 "
    b"\xd8\x9c \xe2\x80\xa8 \xf3\xa0\x81\x81"
)
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0041]")


def wide(text: bytes, encoding: str, mark: bytes = b"") -> bytes:
    return mark + text.decode().encode(encoding)


BYTES = {
    "bytes that are no UTF-8": b"\xc3\x28 \xed\xa0\x80 \xf8\x88\x80\n" * 100
    + ERROR.replace(b"bad", b"\xed\xa0\x80\xc3"),
    "NULs after the first 64 KiB": b"x line\n" * 20_000 + b"\0" * 5000 + b"\n" + ERROR,
    "UTF-16 of odd length": wide(b"a\n" + ERROR, "utf-16-le", b"\xff\xfe") + b"x",
    "UTF-16 with half a character": b"\xff\xfe" + b"a\0\n\0" + b"\0\xd8A\0\n\0" + wide(ERROR, "utf-16-le"),
    "UTF-16 BE without a mark": wide(b"a\n" + ERROR, "utf-16-be"),
    "UTF-32": wide(b"a\n" + ERROR, "utf-32-le", b"\xff\xfe\0\0"),
    "UTF-32 BE": wide(b"a\n" + ERROR, "utf-32-be", b"\0\0\xfe\xff"),
    "marks in the middle": b"a\n\xef\xbb\xbf" + ERROR,
    "a million empty lines": b"\n" * 1_000_000 + ERROR,
    "a million carriage returns": b"\r" * 1_000_000 + ERROR,
    "progress bars": b"a\r" * 300_000 + b"\n" + ERROR,
    "all line ends": b"a\r\nb\nc\r\n\r\n" * 1000 + ERROR[:-1] + b"\r\n",
    "form feeds and separators": b"a\fb\vc\x1c\x1d\xe2\x80\xa8\xc2\x85\n" * 10
    + ERROR.replace(b"bad", b"\f\x1c\xe2\x80\xa8"),
    "escapes": b"one\n" + ERROR.replace(b"bad", ESCAPES),
    "a long line": b"x" * 6_000_000 + b"\n" + ERROR,
    "unfinished escapes": b"\x1b]" * 300_000 + b"\x1b[" + b";" * 300_000 + b"[0m" * 100_000 + b"\n" + ERROR,
}


def told(path: Path, catalog: Catalog) -> Diagnosis:
    return explain(find([str(path)]), catalog)


@pytest.mark.parametrize("name", BYTES)
def test_odd_bytes_hide_nothing(name: str, tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "odd.log"
    path.write_bytes(BYTES[name])
    encoding = "utf-16" if "UTF-16" in name else "utf-32" if "UTF-32" in name else "latin-1"
    encoding += "-be" if "BE" in name else ""
    lines = BYTES[name].decode(encoding, "replace").split("\n")
    found = told(path, catalog).findings[0]
    assert found.id.startswith("TEN404")
    assert found.evidence[0].line == next(n for n, line in enumerate(lines, 1) if "TEN404" in line)


@pytest.mark.parametrize("format", reports.names())
def test_no_report_lets_an_escape_through(format: str, tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "escapes\x1b]0;x\x07[bold].log"
    frame = b'  File "' + ESCAPES + b'.py", line 1, in ' + ESCAPES + b"\nValueError: " + ESCAPES + b"\n"
    path.write_bytes(ERROR.replace(b"bad", ESCAPES) + b"Traceback (most recent call last):\n" + frame)
    text = reports.renderer(format)(told(path, catalog))
    if format == "terminal":
        assert not RAW.search(text)
    assert "\x1b" not in text
    assert "\x07" not in text


def test_printable_leaves_nothing_that_moves_a_cursor_or_a_direction() -> None:
    every = "".join(map(chr, [*range(0x20), *range(0x7F, 0x100), *range(0x600, 0x620), *range(0x2000, 0x2070)]))
    safe = printable(every + "\ud800\U000e0041\ufeff")
    assert not RAW.search(safe)
    safe.encode()


@pytest.mark.parametrize("nuls", [True, False])
def test_binaries_are_refused(nuls: bool, tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(bytes(random.Random(1).choices(range(0 if nuls else 1, 256), k=100_000)))
    with pytest.raises(TriageError, match="not a text log"):
        told(path, catalog)


def test_numbers_with_many_nuls_are_no_utf16(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "tensor.log"
    path.write_bytes(b"".join(n.to_bytes(4, "little") for n in range(1, 5000)))
    with pytest.raises(TriageError, match="not a text log"):
        told(path, catalog)


# One line each that made a regular expression of ours walk it again and again, or an assumption of ours break.
EXPENSIVE = {
    "digits of a host": "ip-1-1-1-" + "1" * 30_000,
    "a bar and blanks": "x1%|x|x]" + " " * 30_000,
    "digits before a bar": "1" * 30_000 + "%|",
    "a channel without end": "1111-11-11 11:11:11.111111: 1 A ||" + "A" * 30_000 + "||A||: Call compiler with cmd",
    "starts that never end": "Assertion failed " + "Assertion x " * 3000,
    "many codes": "[TEN404] " * 3000,
    "blanks": " " * 30_000 + "Reason: Expect ap datatype to be of type",
    "tabs": "\t" * 30_000 + "Internal tensorizer error: X",
    "quotes": "'" * 15_000 + '"' * 15_000 + "RuntimeError: x",
    "names of libraries": "x.so" * 1000 + ": undefined symbol: _ZNx__cxx11x",
    "an anchor and no rest": "KEYEXPIRED x" * 2000 + "repos.neuron.amazonaws.com",
    "a start that a carriage return parts": "Assertion\r" + "Assertion x " * 500 + "failed",
}


@pytest.mark.parametrize("name", EXPENSIVE)
def test_lines_that_once_took_seconds_are_read(name: str, catalog: Catalog) -> None:
    text = EXPENSIVE[name]
    one_line(text, catalog)
    assert text.endswith(strip(text).payload)


def one_line(text: str, catalog: Catalog) -> None:
    reader = Reader(Senses(catalog))
    for event, _ in reader.read(Cutter("x", catalog.finder, catalog.patterns).cut([text.encode() + b"\n"])):
        match(event, catalog)


def test_a_line_full_of_hits_is_cut_into_pieces(catalog: Catalog) -> None:
    pieces = list(Cutter("x", catalog.finder, catalog.patterns).cut([b"[TEN404] " * 300_000]))
    assert {piece.number for piece in pieces} == {1}
    assert max(len(piece.text) for piece in pieces) <= LONGEST_PIECE


def test_carriage_returns_part_texts_for_the_scanner_too() -> None:
    patterns = [Pattern(r"Assertion .* failed")]
    lines = Cutter("x", Finder(Hyperscan(patterns)), patterns).cut([b"Assertion a\rb failed\n"])
    assert not [line for line in lines if line.hits]


def test_follow_lines_go_on_over_blocks_and_blank_lines() -> None:
    patterns = [Pattern("ERROR", 3)]
    blocks = [b"ERROR\n\n\n", b"\none\r\n" + b"\n" * 100_000, b"two\n", b"three\nfour\n"]
    cut = [(line.number, line.text) for line in Cutter("x", Finder(Hyperscan(patterns)), patterns).cut(blocks)]
    assert cut == [
        (1, "ERROR"),
        (5, "one"),
        (100_006, "two"),
        (100_007, "three"),
        (100_008, "four"),
    ]  # the last is a tail


def test_a_flood_of_different_lines_is_counted_not_read(catalog: Catalog) -> None:
    words = [a + b + c for a in "abcdefghijklmnop" for b in "qrstuvwxyzab" for c in "cdefghijkl"]
    flood = "".join(
        f"2025-Oct-01 23:48:34.002205 5:6 ERROR  TDRV:{one}   {two} is odd\n" for one in words for two in words[:8]
    )
    repeats = Repeats(catalog.sorts)
    passed = list(Cutter("x", catalog.finder, catalog.patterns, repeats).cut([flood.encode()]))
    assert len(passed) < 10_100
    assert len(passed) + sum(count for count, _ in repeats.skipped().values()) == flood.count("\n")


FRAGMENTS = [
    "[TEN404] Internal tensorizer error: InferIntrinsicOnCC", "Traceback (most recent call last):", "[rank3]: ",
    '  File "train.py", line 3, in main', "RuntimeError: x", "ERROR  TDRV:exec   NEFF",
    "returned non-zero exit status 70.", "nrtucode: internal error: 52 object(s) leaked",
    "NeuronX Compiler version 2.14.227.0+2d4f85be",
    "Killed", "Assertion x failed", "ERROR ||NEURON_CC_WRAPPER||: Compilation failed for a.pb after 0 retries.",
    "\r", "é", " ", "x",
]  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from(FRAGMENTS), max_size=4).map(" ".join), max_size=8).map("\n".join))
def test_both_engines_give_the_same_diagnosis(catalog: Catalog, stepwise: Stepwise, text: str) -> None:
    slow = Cutter("x", Finder(stepwise), catalog.patterns).cut([text.encode()])
    fast = Cutter("x", catalog.finder, catalog.patterns).cut([text.encode()])
    assert [(a.number, a.text, set(a.hits)) for a in slow] == [(a.number, a.text, set(a.hits)) for a in fast]


@pytest.fixture(scope="module")
def stepwise(catalog: Catalog) -> Stepwise:
    return Stepwise(catalog.patterns)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.sampled_from([7, 64, 1 << 20]))
def test_no_bytes_crash(catalog: Catalog, content: bytes, block: int) -> None:
    content = content.replace(b"\0", b"\n") + b"\n" + ERROR
    blocks = [content[start : start + block] for start in range(0, len(content), block)]
    diagnose([("x", blocks)], catalog)


def test_a_progress_bar_shows_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    progress = Progress(10, started=time.monotonic() - 5)
    try:
        assert list(progress.watch("a[/red]\x1b]0;x\x07.log", [b"x", b"y"])) == [b"x", b"y"]
    finally:
        progress.close()


def test_a_user_without_a_name_is_no_crash(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found: 54321")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reading.getpass, "getuser", nobody)
    reading.newest_workdir()
