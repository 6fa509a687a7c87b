"""The lists beside this file name code that exists: a change that stands nowhere would test nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ROOMS, BY_HAND = (yaml.safe_load((HERE / f"{name}.yaml").read_text()) for name in ("rooms", "by_hand"))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_names_files_and_tests(room: str) -> None:
    assert all(any(ROOT.glob(files)) for files in ROOMS[room]["files"])
    assert all((ROOT / tests).exists() for tests in ROOMS[room]["tests"])
    for path, name in (one.split("::") for one in ROOMS[room].get("without", ())):
        assert f"def {name}(" in (ROOT / path).read_text()


@pytest.mark.parametrize("change", BY_HAND, ids=lambda change: str(change["about"]))
def test_a_change_by_hand_can_be_made(change: dict[str, str]) -> None:
    assert change["room"] in ROOMS
    assert (ROOT / change["file"]).read_text(encoding="utf-8").count(change["was"]) == 1
    assert change["was"] != change["is"]
