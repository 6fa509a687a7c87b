"""Confidence rises with evidence and never with anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped import ENTRIES

from neurontriage.knowledge.confidence import Evidence, confidence, evidence, independent
from neurontriage.knowledge.plain import plain
from neurontriage.knowledge.schema import SourceText

some = st.builds(
    Evidence,
    literals=st.integers(0, 200),
    coded=st.booleans(),
    sources=st.integers(0, 5),
    context=st.sampled_from([True, False, None]),
    general=st.booleans(),
    plain=st.booleans(),
)


@given(some)
def test_it_is_a_probability_short_of_certainty(one: Evidence) -> None:
    assert 0 < confidence(one) < 1


@given(some, st.integers(1, 50))
def test_more_evidence_never_lowers_it(one: Evidence, more: int) -> None:
    assert confidence(one._replace(literals=one.literals + more)) >= confidence(one)
    assert confidence(one._replace(sources=one.sources + 1)) >= confidence(one)
    assert confidence(one._replace(coded=True)) >= confidence(one._replace(coded=False))
    assert confidence(one._replace(context=True)) >= confidence(one) >= confidence(one._replace(context=False))


@given(some)
def test_what_any_program_prints_is_at_most_a_guess(one: Evidence) -> None:
    assert confidence(one._replace(plain=True, context=None)) <= 0.5
    assert confidence(one._replace(general=True)) <= 0.75


def test_status_has_no_part() -> None:
    for entry in ENTRIES.values():
        assert evidence(entry) == evidence(entry.model_copy(update={"status": "draft"}))


def test_files_of_one_repository_are_one_source() -> None:
    of_file = {"commit": "0123456789", "lines": "1", "digest": "sha256:" + "0" * 16}
    files = [SourceText(repo="a/b", file=name, **of_file) for name in ("x.c", "y.c")]
    thread = SourceText(thread="https://example.com/1", digest="sha256:" + "1" * 16)
    assert independent(files) == 1
    assert independent([*files, thread]) == 2


def test_a_bare_repository_is_the_repository_of_its_files_and_an_issue_is_not() -> None:
    of_file = {"file": "x.c", "commit": "0123456789", "lines": "1", "digest": "sha256:" + "0" * 16}
    file = SourceText(repo="a/b", **of_file)
    bare, other, issue = (
        SourceText(thread=f"https://github.com/{name}", digest="sha256:" + "1" * 16)
        for name in ("a/b", "a/bc", "a/b/issues/7")
    )
    assert independent([file, bare]) == independent([bare, bare]) == 1
    assert independent([file, bare, other, issue]) == 3


@pytest.mark.parametrize(
    ("pattern", "of_any_program"),
    [
        (r"'(?P<type>\w+)' object has no attribute 'decode'", True),
        (r"[Hh]eartbeat timeout", True),
        (r"sequence item \d+: expected str instance, NoneType found", True),
        (r"\[(?P<code>NCC_EVRF009)\]", False),
        (r"Failed to open XLA device", False),
        (r"nrt_init\(\) failed", False),
        (r"InferIntrinsicOnCC", False),
        (r"ncclNet\.cc: no interface", False),
    ],
)
def test_plain_language(pattern: str, of_any_program: bool) -> None:
    assert plain(pattern) is of_any_program
