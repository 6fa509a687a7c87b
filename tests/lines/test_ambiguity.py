"""Which patterns can match one text in several ways, and which only look like it."""

from __future__ import annotations

import pytest

from neurontriage.lines.ambiguity import ambiguity
from neurontriage.lines.boundaries import never_holds
from neurontriage.lines.patterns import sre

BESIDE, ALIKE, COPIES = "side by side", "start alike", "repeats inside repeats"


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        # Endless repeats beside each other, by what they take: a letter, any but one, a class, a range up to its ends.
        ("a+a+", BESIDE), ("a*?a+", BESIDE), (".*x*", BESIDE), ("[^b]+a+", BESIDE), ("[a-c]+c+", BESIDE),
        ("[a-c]+a+", BESIDE), (r"\w+\d+", BESIDE), (r"\S+\w*", BESIDE), (r"\D+a+", BESIDE), (r"[\d_]+\w+", BESIDE),
        ("[^ab]+c+", BESIDE), ("(?:xa+a+)", BESIDE), ("(x|a+a+)", BESIDE), ("(?:xa+a+)?", BESIDE),
        ("a+(?:a?b)+", BESIDE), ("a+(?:x|ab)*", BESIDE), (r"a+(?:\bab)+", BESIDE), ("a+(?:x?ab)+", BESIDE),
        ("a+b+", None), ("a+ba+", None), ("a+a{1,9}", None), ("a{1,9}a+", None), ("[a-c]+d+", None), ("[b-c]+a+", None),
        (r"\d+[a-z]+", None), (r"\W+\w+", None), (r"\s+\S+", None), ("[^a]+a+", None), ("(?:ab)+a+", None),
        ("a+(?:ba)+", None), ("a+(?:b|c)+", None), (r"[^\d]+\d+", None),
        # Alternatives in an endless repeat.
        ("(?:a|aa)+", ALIKE), ("(?:a|b|ac)*", ALIKE), ("(?:x?a|a)+", ALIKE), ("(?:a?|b)+", ALIKE),
        ("(?:(ab)|ac)+", ALIKE),
        (r"(?:\d|[0-4]x)+", ALIKE), ("(?:a*b|b)+", ALIKE), ("(?:(?:x|)a|a)+", ALIKE),
        ("(?:a|b)+", None), ("(?:xa|ya)+", None), ("(?:a|aa)", None), ("(?:a|aa){1,9}", None), ("(?:x+a|a)+", None),
        ("(?:xa|(?:ya))+", None), ("(?:ab?|b)+", None),
        # Copies that multiply.
        ("(?:a{1,50}b){1,50}", COPIES), ("(?:(a{1,50}b)){2,50}", COPIES), ("(?:(?:a{1,11}b){1,11}c){1,11}", COPIES),
        ("(?:x|a{1,50}b){1,50}", COPIES), ("(?:a{1,10}b){1,10}", None), ("a{1,60000}", None),
        ("(?:a{1,50}b){1}", None), ("(?:a{1,50}b){1,20}", None), ("(?:a{1,7}b){1,143}", COPIES),
    ],
)  # fmt: skip
def test_what_is_ambiguous(pattern: str, fault: str | None) -> None:
    found = ambiguity(sre.parse(pattern))
    assert (found is None) if fault is None else (fault in (found or "")), found


@pytest.mark.parametrize(
    ("pattern", "never"),
    [
        (r"ab\bc", True), (r"-\b ", True), (r"a\b-", False), (r"a\b", False), (r"\ba", False), (r"\b", False),
        # What stands last in a branch, a group or a repeat is what counts, and what stands first behind it.
        (r"(?:-a|-b)\bc", True), (r"(?:a-|b-)\bc", False), (r"(?:a-|b-)\b ", True), (r"(?:-a|b-)\bc", False),
        (r"(-a)\bc", True), (r"(a-)\bc", False), (r"(?:-a)+\bc", True), (r"(?:a-)+\bc", False),
        (r"(?:-a|(-b))\bc", True),
        (r"c\b(?:a-|b-)", True), (r"c\b(?:-a|-b)", False), (r"c\b(?:a|-)", False), (r"c\b(?:(a)|b+)", True),
        # What may be left out lets what stands around it count, too.
        (r"(?:-a)?\bc", False), (r"x(?:-a)?\bc", True), (r"-(?:-a)?\bc", False), (r"c\b(?:a-)?x", True),
        (r"c\b(?:a-)?", False),
        (r"c\b(?:a-)?-", False), (r"c\b(?:a|)", False),
        # Inside of a repeat its own end stands before its start.
        (r"(?:\bab)+", False), (r"x(?:\bab)+", True), (r"x(?:\ba-)+", False), (r"x(?:\ba-)?", True),
        (r"(?:ab\b){2}c", True),
        (r"(?:-b\b){2}c", False), (r"(?:-b\b){1}c", True), (r"[a-c]\b\w", True), (r"\W\b[^a-z0-9A-Z_]", True),
        (r"a\b.", False),
    ],
)  # fmt: skip
def test_boundaries_that_can_never_hold(pattern: str, never: bool) -> None:
    assert never_holds(sre.parse(pattern)) is never
