"""Every documented limit is met by a graph made with torch, and not by the nearest one that compiles."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from neurontriage.hlo.files import load
from neurontriage.operators.judge import Setting
from neurontriage.operators.limits import holds
from neurontriage.operators.table import opcode_of, table
from neurontriage.preflight.judging import Judged, judged
from neurontriage.preflight.targets import from_modules

pytestmark = pytest.mark.xla
CASES = Path(__file__).parent / "lower_cases.py"
ROOT = CASES.parents[2]


@pytest.fixture(scope="module")
def lowered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lowered")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PJRT_DEVICE": "CPU", "XLA_IR_DEBUG": "1"}
    subprocess.run([sys.executable, str(CASES), str(folder)], env=environment, check=True, stderr=subprocess.PIPE)
    return folder


def answer(path: Path, target: str) -> Judged:
    return judged(from_modules(path), Setting(target, "2.31.1"), lambda _: None)


def pairs(lowered: Path) -> Iterator[tuple[str, str, Path, Path]]:
    """Entry and target of each case, the module that meets its limit, and the one that does not."""
    for path in sorted(lowered.glob("*.refused.pb")):
        name, target = path.name.removesuffix(".refused.pb").rsplit(".", 1)
        yield "-".join(name.split("-")[:2]), target, path, Path(str(path).replace("refused", "compiles"))


def test_every_case_is_answered(lowered: Path) -> None:
    wrong = []
    for entry, target, refused, compiles in pairs(lowered):
        bad = {row.entry for row in answer(refused, target).rows if row.outcome in ("unsupported", "fails-from")}
        good = {row.entry for row in answer(compiles, target).rows}
        if entry not in bad or entry in good:
            wrong.append((refused.name, bad, good))
    assert not wrong


def test_every_row_of_the_table_has_a_case_that_meets_it_and_one_that_does_not(lowered: Path) -> None:
    tried: set[int] = set()
    for entry, target, refused, compiles in pairs(lowered):
        bad, good = (list(map(m.view, m.instructions)) for m in (load(refused).module, load(compiles).module))
        for number, limit in enumerate(table().limits):
            met = limit.entry == entry and any(holds(limit, i, target) for i in bad)
            if met and not any(holds(limit, i, target) for i in good):
                tried.add(number)
    assert [limit for number, limit in enumerate(table().limits) if number not in tried] == []


LIMITED = {"sort", "triangular-solve", "shift-right-arithmetic", "power"}


def test_the_table_maps_an_operator_to_an_opcode_of_its_lowering(lowered: Path) -> None:
    """Else a graph of torch.compile would be refused for what nobody lowers it to."""
    lowerings = {
        path.name.removesuffix(".decided.pb"): {i.opcode for i in load(path).module.instructions}
        for path in lowered.glob("*.decided.pb")
    }
    assert [name for name, opcodes in lowerings.items() if opcode_of()[name] not in opcodes] == []
    assert {name for name, opcode in opcode_of().items() if opcode in LIMITED} <= set(lowerings)
