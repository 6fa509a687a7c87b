"""Without RE2 (no wheel for musl) and without a database the answers are the same, only slower."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "samples").rglob("*.log"))[::6]
SCRIPT = """
import json, sys
from pathlib import Path
if sys.argv[1] == "without":
    sys.modules["re2"] = None
from neurontriage.knowledge.catalog import load
from neurontriage.reports.json import document
from neurontriage.triage import explain_text
catalog = load()
print(type(getattr(catalog.engine, "_engine", catalog.engine)).__name__)
print(json.dumps([document(explain_text(Path(one).read_text(), one, catalog)) for one in sys.argv[2:]], sort_keys=True))
"""


def answers(which: str, cache: Path) -> tuple[str, list[dict[str, object]]]:
    words = [sys.executable, "-c", SCRIPT, which, *map(str, SAMPLES)]
    env = {**os.environ, "NEURONTRIAGE_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    engine, found = subprocess.run(words, capture_output=True, text=True, env=env, check=True).stdout.splitlines()
    return engine, json.loads(found)


def test_answers_are_the_same(tmp_path: Path) -> None:
    usual, slower = answers("with", tmp_path), answers("without", tmp_path)
    assert (usual[0], slower[0]) == ("Stepwise", "Words")
    assert len(usual[1]) == len(SAMPLES) > 50
    assert slower[1] == usual[1]
