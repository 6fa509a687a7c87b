"""The lists beside this file name code that exists: a change that stands nowhere would test nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ROOMS, BY_HAND, EQUIVALENT = (
    yaml.safe_load((HERE / f"{name}.yaml").read_text()) for name in ("rooms", "by_hand", "equivalent")
)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_names_files_and_tests(room: str) -> None:
    assert all(any(ROOT.glob(files)) for files in ROOMS[room]["files"])
    assert all((ROOT / tests).exists() for tests in ROOMS[room]["tests"])


@pytest.mark.parametrize("change", BY_HAND, ids=lambda change: str(change["about"]))
def test_a_change_by_hand_can_be_made(change: dict[str, str]) -> None:
    assert change["room"] in ROOMS
    assert (ROOT / change["file"]).read_text(encoding="utf-8").count(change["was"]) == 1
    assert change["was"] != change["is"]


@pytest.mark.parametrize("change", EQUIVALENT, ids=lambda change: str(change["was"])[:60])
def test_an_equivalent_change_is_one_of_code_that_stands_there(change: dict[str, str]) -> None:
    text = "".join((ROOT / change["file"]).read_text(encoding="utf-8").split())
    assert "".join(change["was"].split()) in text and change["why"]
