"""Chains and reasons of records: causes that a list, a link or a native stack names."""

from __future__ import annotations

from test_record import CHAIN, all_records, records

from neurontriage.knowledge.catalog import Catalog


def test_causes_without_a_statement_above_them_are_a_chain_of_their_own(catalog: Catalog) -> None:
    text = "Caused by:\n    0: cannot open the ring\n    1: No such file or directory (os error 2)\n"
    found = [(e.chain[1], e.evidence.line, e.fields["message"]) for e in all_records(text, catalog) if e.chain[1]]
    assert found == [(2, 2, "cannot open the ring"), (1, 3, "No such file or directory (os error 2)")]


def test_an_exception_that_another_one_caused_says_so(catalog: Catalog) -> None:
    caused = CHAIN.replace(
        "During handling of the above exception, another exception occurred:",
        "The above exception was the direct cause of the following exception:",
    )
    for text, words in ((CHAIN, [False, False]), (caused, [False, True])):
        assert ["CAUSED" in one.said.words for one in records(text, catalog)] == words


def test_the_reason_below_a_native_stack_is_no_part_of_the_message(catalog: Catalog) -> None:
    stack = ["*** Begin stack trace ***", "\ttorch_xla::bridge::GetXlaTensor()", "*** End stack trace ***"]
    for first in ("ring.cpp:84 : Check failed: xtensor", "RuntimeError: ring.cpp:84 : Check failed: xtensor"):
        text = "\n".join([first, *stack, "the ring is closed: no token", "row 6"])
        [one] = [event for event in all_records(text, catalog) if event.evidence.line == 1]
        assert (one.evidence.end_line, one.reason and one.reason.line) == (1, 5)


def test_the_first_frame_of_a_native_stack_may_be_its_only_one(catalog: Catalog) -> None:
    head, library = "2026-03-02T08:11:04Z ERROR 2 [BackendDriver]: An exception was thrown:", "/opt/ring/libring.so"
    frames = [f" 2# ring::Checker::check(int) in {library}", f" 3# ring::Driver::run() in {library}"]
    for below in (frames, frames[:1]):
        [one] = all_records("\n".join([head, *below]) + "\n", catalog)
        assert (one.fields["function"], one.evidence.end_line) == ("ring::Checker::check", 1 + len(below))
