"""What is known of a long log lies packed while its next slice is read, and says the same when it is taken out."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from neurontriage import triage
from neurontriage.claims.aside import brought_back, packed, put_aside, unpacked
from neurontriage.claims.reading import Reading
from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.remembered import forget
from neurontriage.model import Diagnosis, Event, Evidence, Said
from neurontriage.read.inputs import blocks
from neurontriage.read.slices import sliced

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.parametrize("many", [0, 1, 63, 64, 65, 400])
def test_all_comes_back_in_its_order(many: int) -> None:
    found = {number: [str(number)] for number in range(many, 0, -1)}
    expected = list(found.items())
    packed = put_aside(found)
    assert found == {}
    assert list(brought_back(packed)) == expected
    assert packed == []


def read(log: bytes, catalog: Catalog, rests: bool) -> Diagnosis:
    reading = Reading(catalog)
    for one in sliced(blocks(io.BytesIO(log), "x"), size=1):
        reading.take(reading.part_of("x", one, reading.part.end))
        if rests:
            reading.rest()
            forget()  # what was remembered of lines changes nothing
    return triage.concluded(reading)


def test_a_reading_that_rested_says_the_same(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = sorted(path for path in (SAMPLES / "compiler-internal").glob("*.log"))[:12]
    text = b"".join(path.read_bytes() + b"step 1 of 9\n" * 9 for path in logs)
    monkeypatch.setattr("neurontriage.read.inputs.BLOCK", 4 << 10)
    assert read(text, catalog, True) == read(text, catalog, False)
    assert read(text, catalog, True).roots


def test_what_many_statements_share_is_held_once_when_it_comes_back() -> None:
    said = Said("exception", frozenset({"FAILED", "REASON"}), 4, "ERROR")
    event = Event("python", "exception", {"message": "x"}, Evidence("log", 1, 1, "x"), said=said)
    first, second = unpacked(packed(event)), unpacked(packed(event))
    assert first == second == event
    assert first.said is second.said
    assert first.family is second.family
    valued = said._replace(fields={"code": "E1"})
    assert unpacked(packed(valued)) == valued
