"""What is known of many logs in little room says what a dictionary says."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Sequence

import pytest

from neurontriage.claims.endings import End
from neurontriage.claims.sightings import Sightings
from neurontriage.model import Sighting
from neurontriage.model.many import MANY, ByLog, Packed, Rows, in_columns
from neurontriage.read import spooled
from neurontriage.read.spooled import Laid

SORTED = [f"job/rank_{number:03}.log" for number in range(100)]


@pytest.mark.parametrize("names", [SORTED, SORTED[::-1], [*SORTED[50:], *SORTED[:50]]])
def test_logs_are_found_in_whatever_order_they_come(names: Sequence[str]) -> None:
    found, plain = ByLog[int](array("q")), dict[str, int]()
    for number, name in enumerate([*names, *names[::7]]):
        found[name] = plain[name] = number
    assert (list(found.items()), len(found)) == (list(plain.items()), len(plain))
    assert names[3] in found and "another.log" not in found and found.get("a") is None
    del found[names[3]], plain[names[3]]
    assert dict(found) == plain
    with pytest.raises(KeyError):
        found[names[3]]


def test_few_stay_a_dictionary() -> None:
    few = dict.fromkeys(SORTED[: MANY - 1], 1)
    assert in_columns(few, lambda: array("q")) is few
    assert isinstance(in_columns(dict.fromkeys(SORTED, 1), lambda: array("q")), ByLog)


def test_values_are_held_as_numbers() -> None:
    rows = Rows[End](End._make, array("q"), array("b"), array("b"))
    rows.extend([End(), End(7, True), End(9, open=True)])
    rows[0] = End(3)
    del rows[1]
    assert rows[:] == [End(3), End(9, open=True)]


def test_pieces_lie_in_a_file_as_they_were_put(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooled, "_ROOM", 100)
    pieces = Packed[str](str.encode, bytes.decode, Laid())
    pieces.extend(name * 3 for name in SORTED)
    pieces[5] = "new"
    pieces.insert(0, "first")
    del pieces[1]
    expected = ["first", *(name * 3 for name in SORTED[1:])]
    expected[5] = "new"
    assert list(pieces) == expected
    assert pieces[2:4] == expected[2:4]
    laid = Laid()
    laid.extend(map(str.encode, SORTED))
    assert list(pickle.loads(pickle.dumps(laid))) == list(laid)


def test_sightings_of_many_logs_are_those_that_came_first() -> None:
    found, plain = Sightings(), Sightings()
    for number, name in enumerate([*SORTED, *SORTED]):
        ranks = (None, number % 5, 9)
        later = Sightings(Sighting(name, rank, number + 1, None if rank else 2.5) for rank in ranks)
        found.take(later, 1000, 1000)
        for one in later:
            plain.add(one)
    assert list(found) == list(plain)
    assert (found.ranks, len(found), found[0]) == (plain.ranks, len(plain), plain[0])


def test_sightings_of_many_logs_are_taken_in_by_others() -> None:
    def of(names: range) -> Sightings:
        found = Sightings()
        for number in names:
            found.take(Sightings([Sighting(f"{number:04}.log", number % 3, number + 1)]), 1000, 1000)
        return found

    both = of(range(150))
    both.take(of(range(100, 300)), 1000, 1000)
    assert [one.line for one in both] == list(range(1, 301))
