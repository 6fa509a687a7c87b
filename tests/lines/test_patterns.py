"""Which patterns are refused, and how a pattern is measured: what each construct counts for."""

from __future__ import annotations

import math
import re

import pytest

from neurontriage.lines.boundaries import never_holds
from neurontriage.lines.patterns import anchor, choices, fault_of, prefilter, sre, weight
from neurontriage.lines.proven import certain, whole

SOUND = [
    r"abcd",
    r"(?i)abcd",
    r"(?P<name>abcd)+",
    r"abcd (\w+) x (\w+) y (\w+) z (\w+) u (\w+) v (\w+) end",
    r"abcde{100}",
    r"abc[de]{2,100}f abcd",
    r"^abcd$",
    r"(?:^abcd|^efgh)",
    r"(?:abcd$|efgh$)",
    r"(?:^abcd){1}",
    r"(?:abcd(?:e|f))? ghij",
    r"\babcd\b",
    r"abcd \x41",
    r"abcd\\7",
    r"(?:abc|ab)cdef",
    r"(?:\bx)?abcd",
]
FAULTY = {
    r"abcd(?=x)": "look-ahead",
    r"abcd(?!x)": "look-ahead",
    r"(?<=x)abcd": "look-ahead",
    r"(a)bcd\1": "back-reference",
    r"(?P<n>a)bcd(?P=n)": "back-reference",
    r"(a)?abcd(?(1)x|y)": "conditional",
    r"\Aabcd": r"\A and \Z",
    r"abcd\Z": r"\A and \Z",
    r"abcd\B": r"\B beside",
    r"(?:abcd\w+)+": "a repeat inside a repeat",
    r"(?:x(?:abcd\w*)+)": "a repeat inside a repeat",
    r"(?:abcd|(?:efgh\w+)+)": "a repeat inside a repeat",
    r"abcd a+b+c+d+e+f+g+": "more than 6",
    r"abc[de]{101}f abcd": "over 100",
    r"abc[de]{1,101}f abcd": "over 100",
    r"abcd{55x": "a brace before a number",
    r"abcd[x]{,5}": "a brace before a number",
    r"abcd\101": "a number behind a backslash",
    r"\101abcd": "a number behind a backslash",
    r"abcd\\\101": "a number behind a backslash",
    r"abcd[é]": "not ASCII",
    r"abcdé+": "not ASCII",
    r"abcd^efgh": "only at the ends",
    r"abcd$efgh": "only at the ends",
    r"(?:^abcd)+": "only at the ends",
    r"(?:abcd$)+": "only at the ends",
    r"x(?:^abcd|efgh)": "only at the ends",
    r"(?:abcd|efgh$)x": "only at the ends",
    r"abcd\befgh": "can never hold",
    r"(?:abcd|efgh)\b\w": "can never hold",
    r"abcd \b ": "can never hold",
    r"a.b.c.d": "no literal of 4",
    r"abc": "no literal of 4",
    r"(?:abcdef|abc)": "no literal of 4",
    r"(?:abcd)?": "no literal of 4",
    "abcd\t": "a control character",
    r"abcd(": "not a regular expression",
    r"abcd\d{99999999999}": "not a regular expression",
}


@pytest.mark.parametrize("text", SOUND)
def test_what_may_be_used(text: str) -> None:
    assert fault_of(text) is None


@pytest.mark.parametrize("text", FAULTY)
def test_what_is_refused_and_why(text: str) -> None:
    assert FAULTY[text] in (fault_of(text) or "")


@pytest.mark.parametrize(
    ("text", "longest", "length"),
    [
        ("abcd", "abcd", 4),
        ("ab(cd)ef", "abcdef", 6),
        ("ab(c.d)ef", "abc", 6),
        ("ab(?:xyz|uv)ef", "ab", 6),
        ("(?:xyz.a|uvw.bcd)", "xyz", 3),
        ("(?:x.abcd|uvwxyz)", "abcd", 4),
        ("ab(?:cdef)+gh", "cdef", 8),
        ("ab(?:cdef)?gh", "ab", 4),
        ("ab(?:cdef){2}gh", "cdef", 8),
        ("^ab$", "ab", 2),
        (r"a\.b", "a.b", 3),
        ("a[bc]d", "a", 2),
        ("", "", 0),
    ],
)
def test_the_literals_that_every_match_holds(text: str, longest: str, length: int) -> None:
    assert (anchor(text), weight(text)) == (longest, length)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("abc", 0), ("ab?c", 1), ("ab?c?", 2), ("(?:a|b)", 1), ("(?:a|b|c)", 1), ("(?:a|b)(?:c|d)", 2), ("a|b", 1),
        ("(a(?:b|c)|d)", 2), ("(?P<n>a|b)x?", 2), ("a+", math.inf), ("a*", math.inf), ("a{2,}", math.inf), ("a{2}", 0),
        ("a{2,3}", math.inf), (r"a\?b\|c\+", 0), ("[?|+*]", 0), ("[]?]", 0), ("[^]?]x?", 1), (r"[\]?]", 0),
        ("(?i)ab", 0),        ("(?:a)(?:b)|c|d", 1),
    ],
)  # fmt: skip
def test_where_an_engine_may_have_to_try_again(text: str, found: float) -> None:
    assert choices(text) == found


@pytest.mark.parametrize(
    ("text", "scanned"),
    [
        ("^abcd$", "abcd"), (r"abcd\$", r"abcd\$"), ("(?i)^abcd$", "(?i)abcd"), ("(?P<n>ab)cd", "(ab)cd"),
        ("abcd", "abcd"), ("ab^cd", "ab^cd"), (r"(?:^|[\s.])abcd", "abcd"), (r"(?:^|a[)(](?:b|c))abcd", "abcd"),
    ],
)  # fmt: skip
def test_what_the_scanner_takes(text: str, scanned: str) -> None:
    assert prefilter(text) == scanned


@pytest.mark.parametrize(
    ("text", "never"),
    [
        (r"a\bb", True), (r"a\b ", False), (r"\ba", False), (r"a\b", False), (r" \b-", True), (r" \ba", False),
        (r"[ab]\b[cd]", True), (r"[a-]\bb", False), (r"(?:a|b)\bc", True), (r"(?:a|-)\bc", False), (r"(a)\b(b)", True),
        (r"a\b(?:b|c)", True), (r"a\b(?:b|-)", False), (r"(?:ab)+\bc", True), (r"ax*\bb", True), (r"a-?\bb", False),
        (r"a\b.", False), (r".\ba", False), (r"(?:a\b)+", False), (r"(?:a\b){2}", False), (r"(?:a\b-)+", False),
        (r"(?:\ba){2}", False), (r"(?:-\b){3}", False), (r"(?:x|a\bb)", True), (r"(?:(?:-a)|(?:-b))\bc", True),
        (r"((?:ab|c)-)\b-", True), (r"(?:a-){2}\b-", True), (r"(?:a-){2}\bc", False), (r"(a-)\bc", False),
    ],
)  # fmt: skip
def test_boundaries_that_can_never_hold(text: str, never: bool) -> None:
    assert never_holds(sre.parse(text, re.ASCII)) is never


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("abc", True), (r"\babc\b", True), ("^abc", False), ("abc$", False), (" abc", False), ("abc ", False),
        ("(abc )", False), ("( abc)", False), ("(abc)", True), ("(?P<n>abc)", False), ("(?:abc|def )", False),
        ("(?: abc|def)", False), ("(?:abc|def)", True), ("x?", False), ("x*y", True), (" *y", False), ("y *", False),
        (" +y", False), ("(?:ab )+", False), ("[ab]c", True), ("[ ab]c", False), ("c[ -b]", False), ("[!-b]c", True),
        (r"\sc", False), (r"\wc", True), ("[^a]c", False), (r"c\D", False), (r"a\sb", False), ("a[^b]c", False),
        ("a b", True), (r"a[\n]b", False), (r"a\nb", False), (".c", False), ("c.", False), ("a.c", True), ("", False),
    ],
)  # fmt: skip
def test_patterns_that_need_no_second_look(text: str, sure: bool) -> None:
    assert certain(text) is sure


def test_a_line_is_whole_below_the_length_at_which_it_is_cut() -> None:
    assert whole("a" * 1499) and not whole("a" * 1500) and not whole("é")
