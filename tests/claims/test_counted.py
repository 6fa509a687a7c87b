"""Of lines that differ in numbers few are read: claims count them all, and numbers that matter are read further."""

from __future__ import annotations

from neurontriage.claims.reading import Reading
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.templates import READ, READ_NUMBERS


def in_a_long_log(said: list[str]) -> bytes:
    """Lines with so much around them that not every line is read."""
    quiet = [f"nothing to see in line {number}" for number in range(70)]
    return "\n".join([*quiet, *said, *quiet]).encode()


def test_numbers_that_make_another_finding_are_read_further(catalog: Catalog) -> None:
    """Lines of one template of which the first few are about several things; of the others few are read."""
    reading, many = Reading(catalog), READ_NUMBERS
    said = "WARNING:Neuron:torch.neuron.trace failed on _NeuronGraph${}; falling back to native python function call"
    reading.read("x", [in_a_long_log([said.format(number) for number in range(many)])])
    found = [claim for claim in reading.claims() if claim.id == "INF1-TraceFailed"]
    assert [claim.count for claim in found] == [1] * many


def test_the_last_of_more_tries_than_are_read_of_other_lines_is_none_that_is_tried_again(catalog: Catalog) -> None:
    reading, tries = Reading(catalog), READ + 3
    said = [f"ERROR: attempt {number}/{tries}: the ring is closed" for number in range(1, tries + 1)]
    reading.read("x", [in_a_long_log(said)])
    (claim,) = (claim for claim in reading.claims() if "ring" in claim.event.evidence.text)
    assert (claim.count, claim.tried) == (tries, 70 + tries)


def test_lines_of_an_entry_that_does_not_hold_all_count_for_the_next_one(catalog: Catalog) -> None:
    """Also those of them that were only counted."""
    reading = Reading(catalog)
    said = (
        "2024-Nov-21 15:06:05.{0} 94{0}:98{0} [{0}] init.cc:149 CCOM WARN OFI plugin initNet() failed is EFA enabled?"
    )
    reading.read("x", [in_a_long_log([said.format(number) for number in range(40)])])
    (claim,) = (claim for claim in reading.claims() if "OFI" in claim.event.evidence.text)
    assert (claim.count, claim.last, len(claim.evidence)) == (40, 110, 1)


def test_of_one_log_no_more_lines_of_a_kind_are_shown_than_are_read_of_it(catalog: Catalog) -> None:
    """However many slices it was read in; but for other ranks, and for other logs."""
    parts = [Reading(catalog), Reading(catalog)]
    line = "2026-Nov-01 23:48:34.002205 5:5 ERROR  TDRV:exec_it   row {} failed"
    for number, part in enumerate(parts):
        part.read("x", [in_a_long_log([line.format(10 * number + row) for row in range(READ)])])
    (first,), (later,) = ([one for one in part.claims() if "row" in one.event.evidence.text] for part in parts)
    first.take(later)
    first.settle()
    assert (first.count, len(first.evidence)) == (2 * READ, READ)


def test_lines_that_do_not_parse_count_also_where_they_are_only_counted(catalog: Catalog) -> None:
    odd = "[NKI005] (float32 [128, 512] %'<name of the hbm tensor>':5)0: DRAM location of kind Internal mapping failed"
    reading = Reading(catalog)
    reading.read("b.log", ["\n".join(odd.replace("005", f"{n:03}") for n in range(90)).encode()])
    assert reading.unparsed.lines == 90
