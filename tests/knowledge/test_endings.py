"""Every error of a layer with an ending says how to see that the fix worked and when to stop; own words win."""

from __future__ import annotations

import pytest
from shipped import ENTRIES

from neurontriage.knowledge.endings import ENDINGS, with_ending

OF_ENDINGS = [entry for entry in ENTRIES.values() if entry.layer in ENDINGS]


@pytest.mark.parametrize("layer", ENDINGS)
def test_every_error_of_the_layer_has_both(layer: str) -> None:
    errors = [entry for entry in OF_ENDINGS if entry.layer == layer and entry.severity == "error"]
    assert errors
    assert all(entry.done_when and entry.escalate for entry in errors)


def test_own_words_win_and_the_harmless_have_none() -> None:
    own = ENTRIES["CC-InstructionLimit"]
    assert own.done_when != ENDINGS["compiler"].done_when
    assert with_ending(own) == own
    assert not [entry.id for entry in OF_ENDINGS if entry.severity == "benign" and (entry.done_when or entry.escalate)]
