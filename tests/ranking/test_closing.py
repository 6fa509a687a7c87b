"""The last words of a program: which state that it failed, and beside which a good word counts."""

from __future__ import annotations

from typing import Any

import pytest
from claimed import claim

from neurontriage.model import Course
from neurontriage.ranking.features import Scene
from neurontriage.ranking.survived.closing import failed, failing, weighed


@pytest.mark.parametrize(
    ("text", "more", "fails"),
    [
        ("train.py exited with code 1", {}, True),
        ("job ended with status: 137", {}, True),
        ("step finished with exit code 2.", {}, True),
        ("x" * 500 + " terminated with exit status -9", {}, True),
        ("train.py exited with code 0", {}, False),
        ("train.py exited with code 130", {}, False),
        ("train.py exited with code -15", {}, False),
        ("exited with code 1, will try again", {}, False),
        ("train.py exited with code 1", {"level": "INFO"}, False),
        ("train.py exited with code 1", {"level": "ERROR"}, True),
        ("+ exit 3", {}, True),
        ("+ exit 0", {}, False),
    ],
)
def test_the_status_that_a_line_ends_with(text: str, more: dict[str, Any], fails: bool) -> None:
    assert failing(claim("X", 1, "exit", text=text, **more)) is fails
    assert not failing(claim("X", 1, "state", text=text, **more))


@pytest.mark.parametrize(
    ("text", "says", "told"),
    [
        ("n1: task 0 exited with exit code 2; see its log", "wrap", True),
        ("Exiting with the status 1", "echo", True),
        ("+ exit 3", "exit", True),
        ("n1: task 0 exited with exit code 143; see its log", "wrap", False),
        ("n1: task 0 exited with exit code 2; see its log", "raise", False),
        ("the code is 2", "exit", False),
    ],
)
def test_the_status_that_a_report_of_an_end_tells(text: str, says: str, told: bool) -> None:
    assert failed(claim("X", 1, says, text=text)) is told


@pytest.mark.parametrize(
    ("words", "more", "counts"),
    [
        (["FAILED"], {}, False),
        (["EXIT"], {}, False),
        ([], {"level": "ERROR"}, False),
        ([], {}, True),
        (["FAILED", "ZERO"], {}, True),
        (["FAILED", "PROGRESS"], {"level": "ERROR"}, True),
        (["FAILED"], {"level": "INFO"}, True),
        (["FAILED"], {"level": "WARNING"}, True),
    ],
)
@pytest.mark.parametrize(("line", "whole"), [(94, False), (93, False), (94, True)])
def test_beside_what_a_good_word_counts(
    words: list[str], more: dict[str, Any], counts: bool, line: int, whole: bool
) -> None:
    one, found = claim("X", line, words=words, **more), {"tail:ENDED": 1.0, "success after": 1.0, "short": 1.0}
    scene = Scene([one], {}, {"a.log": Course(100, (), whole)})
    assert weighed(one, found, scene) == (found if counts or whole or line == 93 else {"short": 1.0})
