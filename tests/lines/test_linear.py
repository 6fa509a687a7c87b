"""No pattern that meets text from a log can explode: what is used is linear, and agrees with `re`."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
import re2
from shipped import ENTRIES

from neurontriage.claims.harmless import quoted
from neurontriage.facts.environment import PATTERNS
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines import words
from neurontriage.lines.linear import captured, compiled, fault_of
from neurontriage.lines.patterns import FLAGS, anchor, choices

ROOT = Path(__file__).parents[2]
SEEKING = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "neurontriage").rglob("*.py"))
    if " Sought(" in path.read_text() and path.stem != "words"
]
# Patterns and what a hostile line would repeat for each: a backtracking engine needs seconds for 4 kB of it, and hours
# for the 256 kB below.
HOSTILE = [
    ("efa1", r"efa\S*.*Failed to process command REG_MR \(opcode \d+\) comp_status \d+ err (?P<errno>-\d+)"),
    ("nccl_net_ofi_", r"nccl_net_ofi_\w+.*CCOM WARN NET/OFI Failed t"),
    ("vmap(): ", r"vmap\(.*\): (?P<message>.*must only return Tensors.*)"),
    ("CCOMgetaddrinfo", r"(?:CCOM|NCCL|bootstrap).*(?:error encountered|getaddrinfo).*(?P<reason>Name or service)"),
    ("NET/OFI peer ", r"NET/OFI .*(?:remote|peer) .*(?:unreachable|closed|aborted)"),
    ("nxdmodelcall", r"(?i)nxd_?model.*(?:call|before).*to_neuron\(\)"),
    ("birsim: Assertion `", r"(?P<tool>walrus_driver|birsim): .*Assertion `(?P<what>.*)' failed"),
    ("1", r"requires jaxlib (?:version )?(?P<jaxlib>[<>=]*[\d.]+\d).*(?:found|installed) (?P<jax>[\d.]+\d)"),
    ("file lock neff", r"file lock .*(?:neuron|MODULE_|neff|cache).*could not be acquired"),
    ("Job ", r"Job .*(?:has been )?[Cc]ancelled.*time limit"),
    ("A", r"(?P<package>[A-Za-z][\w.\[\],-]*) (?P<version>\d[\w.+!-]*) depends on protobuf(?P<required>[<>=!~ ].*)"),
    ("A", r"`?(?P<accelerator>\w+Accelerator)`? can ?not run on your system"),
    ("A", r"(?P<package>[A-Za-z][\w.-]*) .{0,60}(?:version solving failed|your requirements are unsatisfiable)"),
    ("NEURON_HW_ERR=", r"NEURON_HW_ERR=(?P<kind>\w+).*\bnd-id=(?P<nd>\d+).*\baction=(?P<action>\w+)"),
    ("vmap(): got in_dim=", r"vmap\(.*\): (?:got|Got) in_dim=.* for an input"),
    ("Retrying (Retry(total=0 x after connecti", r"Retrying \(Retry\(total=0.*after connection broken by .*'?: (/\w+)"),
    ("[TEN404]BirCodeGenLoop", r"\[(?P<code>TEN404)\] *(?:\(([^)]*)\) *)?.*BirCodeGenLoop.*identical function name"),
    ("1", r"F\d* ?[\d: .]*(?P<file>hilo/\S+\.cc):\d+\]"),
    ("a", r"(?:a|aa)+ bcde$"),
    ("a", r"(?:a{1,50}){1,20}bcde$"),
    ("a", r".*.*.*.*.*.*bcdef$"),
]


@pytest.mark.parametrize(("unit", "pattern"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_line_ends(unit: str, pattern: str) -> None:
    line = unit * (256_000 // len(unit))
    assert compiled(pattern).search(line) is None


@pytest.mark.parametrize(
    "pattern", [r"(?:a|aa)+ bcde$", r"(?:a{1,50}){1,50}bcde$", r".*.*.*.*.*.*bcdef$", r"\w+\d+ abcd"]
)
def test_patterns_that_match_in_several_ways_are_refused(pattern: str) -> None:
    assert fault_of(pattern) is not None


@pytest.mark.parametrize("pattern", ["abcd ['‘]x", "abcd é+", "abcd [^a-zß]"])
def test_letters_of_several_bytes_stand_only_where_bytes_mean_the_same(pattern: str) -> None:
    assert "not ASCII" in (fault_of(pattern) or "")
    assert fault_of("abcd エラー: ‘x’") is None


@pytest.mark.parametrize("pattern", [r"abcd\b\w", r"\\\b\\abcd", r"(?:abcd\b)+ef", r"abcd(?:x|: \b:)"])
def test_a_boundary_that_never_holds_is_refused(pattern: str) -> None:
    assert "never hold" in (fault_of(pattern) or "")


@pytest.mark.parametrize("pattern", [r"\babcd\b", r"abcd\b *x", r"(?:abcd\b ?)+", r"abcd\b(?: e)?f", r"abcd[.\w]\bx"])
def test_a_boundary_that_may_hold_is_taken(pattern: str) -> None:
    assert fault_of(pattern) is None


@pytest.mark.parametrize(
    "pattern", [r"abcd \w+ (?:x|y)*z", r"(?:ab|cd)+ efgh", r"abcd.*efgh.*ijkl", r"a{1,50} bcde \d+"]
)
def test_patterns_that_match_in_one_way_are_taken(pattern: str) -> None:
    assert fault_of(pattern) is None


def test_whatever_could_backtrack_runs_on_re2(catalog: Catalog) -> None:
    texts = [rule.text for rule in catalog.rules if rule.text]
    texts += [start.regex for family in catalog.families for start in family.starts]
    texts += [printed.regex for printed in PATTERNS]
    for text in texts:
        if isinstance(compiled(text), re.Pattern):
            assert choices(text) <= 3, text


def test_both_engines_give_the_same_match(catalog: Catalog) -> None:
    entries = ENTRIES.values()
    for entry in entries:
        lines = [*map(str, entry.examples), *map(str, entry.near_misses)]
        for text in (match.text for match in entry.match if match.text):
            for line in [*lines, anchor(text), f"é {anchor(text)} ü"]:
                ours, theirs = compiled(text).search(line), re.search(text, line, FLAGS)
                assert (ours is None) == (theirs is None), (text, line)
                if ours and theirs:
                    assert (ours.span(), ours.groupdict()) == (theirs.span(), theirs.groupdict()), (text, line)


def test_what_is_captured_is_what_stands_at_every_place() -> None:
    for entry in ENTRIES.values():
        lines = [*map(str, entry.examples), *map(str, entry.near_misses)]
        for text in (match.text for match in entry.match if match.text):
            for line in [*lines, f"é {anchor(text)} ü {anchor(text)}", ""]:
                assert list(captured(text, line)) == [one.groupdict() for one in compiled(text).finditer(line)], text
    several = r"(?:code|status)[ =]+(?P<code>\d+|none|all)"
    assert list(captured(several, "code 7, status=none code")) == [{"code": "7"}, {"code": "none"}]
    nothing = "(?P<a>y|x*)(?P<b>w*|v*|u*)"
    assert list(captured(nothing, "éyb")) == [one.groupdict() for one in re2.finditer(nothing, "éyb")]


def test_a_large_pattern_has_more_memory() -> None:
    large = "|".join(f"word{n}[^x]{{1,90}}end" for n in range(40))
    assert fault_of(large) is None
    assert compiled(large).search("a word17 of the end")
    assert "too large" in str(fault_of("|".join(f"word{n}[^x]{{1,90}}end" for n in range(160))))


@pytest.mark.parametrize(
    "unit", ["@", "a@b.", "'", '"', "1\t", "[1,1]", "PASSED ", " ... skipped", "|| echo ", "0 errors"]
)
def test_what_tells_quotations_ends_on_hostile_lines(unit: str) -> None:
    line = (unit * 1000)[:1000]
    for _ in range(20):
        quoted(line)


def test_the_patterns_of_the_program_are_such_as_re2_takes(catalog: Catalog) -> None:
    """Those of grammars, and those that are sought in many texts; the few with an engine of their own are `re`'s."""
    for name in SEEKING:
        importlib.import_module(name)
    texts = [one._text for one in words._TOGETHER.all if one._engine is None]
    texts += [start.regex for family in catalog.families for start in family.starts]
    assert len(texts) > 100
    assert [text for text in texts if re2.compile(text) is None] == []
