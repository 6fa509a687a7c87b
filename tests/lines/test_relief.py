"""What is forgotten for want of memory is not forgotten again before more is taken than then."""

from __future__ import annotations

import pytest

from neurontriage.lines import remembered


@pytest.mark.parametrize("base", [60, 95, 103])
def test_what_is_asked_for_anew_at_once_is_not_forgotten_after_every_log(
    base: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = [base]
    forgotten = []

    def forget(patterns: bool) -> None:
        forgotten.append(patterns)
        taken[0] = base

    monkeypatch.setattr(remembered, "forget", forget)
    monkeypatch.setattr(remembered, "give_back", lambda: None)
    monkeypatch.setattr(remembered, "resident", lambda: taken[0] << 20)
    relief = remembered.Relief()
    for _ in range(500):
        relief.give()
        taken[0] = min(taken[0] + 9, base + 25)
    assert (len(forgotten) > 0) is (base + 25 > 104)
    assert len(forgotten) <= 10
