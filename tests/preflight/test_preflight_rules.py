"""Every documented limit is met by a graph made with torch, and not by the nearest one that compiles."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from neurontriage.operators.judge import Setting
from neurontriage.operators.table import table
from neurontriage.preflight.judging import Judged, judged
from neurontriage.preflight.targets import from_modules

pytestmark = pytest.mark.xla
CASES = Path(__file__).parent / "lower_cases.py"
ROOT = CASES.parents[2]


@pytest.fixture(scope="module")
def lowered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch_xla")
    folder = tmp_path_factory.mktemp("lowered")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PJRT_DEVICE": "CPU", "XLA_IR_DEBUG": "1"}
    subprocess.run([sys.executable, str(CASES), str(folder)], env=environment, check=True, stderr=subprocess.PIPE)
    return folder


def answer(path: Path, target: str) -> Judged:
    return judged(from_modules(path), Setting(target, "2.31.1"), lambda _: None)


def test_every_limit(lowered: Path) -> None:
    wrong, tried = [], set()
    for path in sorted(lowered.glob("*.refused.pb")):
        entry, target = path.name.removesuffix(".refused.pb").rsplit(".", 1)
        entry = "-".join(entry.split("-")[:2])
        tried.add(entry)
        refused = {row.entry for row in answer(path, target).rows if row.outcome in ("unsupported", "fails-from")}
        compiles = {row.entry for row in answer(Path(str(path).replace("refused", "compiles")), target).rows}
        if entry not in refused or entry in compiles:
            wrong.append((path.name, refused, compiles))
    assert not wrong
    assert tried == {limit.entry for limit in table().limits}, "every row of the table has its case"
