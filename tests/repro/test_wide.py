"""A fix computes the same wherever its preconditions hold, on many inputs; see wide_check.py.

A stated precondition is checked both ways: inside it the numbers are equal, and outside there is an input for which
they are not, or it would not be needed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from neurontriage.repro.catalogue import all_cases

pytestmark = [pytest.mark.xla, pytest.mark.usefixtures("xla")]
HERE, PARTS = Path(__file__).parent, 2
LISTED = [
    (case.ID, each.name)
    for case in all_cases().values()
    for each in case.ALTERNATIVES
    if each.works and each.kind != "semantics-changing" and not each.settings_only and not case.NEEDS.compile_only
]
NOT_COMPARED = {"NCC-EVRF006", "VMAP-InplaceRandomness", "VMAP-RandomOperation", "XLA-SyncMissing", "NCC-EVRF005"}
"""Their results are checks of random numbers, or of what is pending: other inputs show nothing new."""
KERNELS = {"NCC-EVRF015", *(case.ID for case in all_cases().values() if case.NEEDS.nki)}
"""The failing graph runs on a NeuronCore only."""


@pytest.fixture(scope="module")
def checked(once: Any) -> Path:
    """The folder with what was found for every case."""
    return Path(once("wide", _check))


def _check(folder: Path) -> None:
    command = [sys.executable, str(HERE / "wide_check.py"), str(folder)]
    running = [subprocess.Popen([*command, str(part), str(PARTS)]) for part in range(PARTS)]
    assert [process.wait(600) for process in running] == [0] * PARTS


def results(folder: Path, case_id: str, name: str) -> list[dict[str, Any]]:
    path = folder / f"{case_id}.json"
    assert path.is_file(), (folder / f"{case_id}.log").read_text()[-2000:]
    return list(json.loads(path.read_text())[name])


SHOWN = [each for each in LISTED if each[0] not in NOT_COMPARED | KERNELS]


@pytest.mark.parametrize(("case_id", "name"), SHOWN)
def test_a_fix_computes_the_same_wherever_its_preconditions_hold(case_id: str, name: str, checked: Path) -> None:
    found = results(checked, case_id, name)
    inside = [each for each in found if each["within"]]
    assert not [each for each in inside if not each["equal"]]
    assert len({each["input"] for each in inside}) >= 3


CONDITIONED = [(case_id, name) for case_id, name in SHOWN
               if next(each for each in all_cases()[case_id].ALTERNATIVES if each.name == name).requires]  # fmt: skip


@pytest.mark.parametrize(("case_id", "name"), CONDITIONED)
def test_a_stated_precondition_is_needed(case_id: str, name: str, checked: Path) -> None:
    assert [each for each in results(checked, case_id, name) if not each["within"] and not each["equal"]]
