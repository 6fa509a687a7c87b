"""What a release needs: one version, the same bytes twice, pinned versions, hooks that run, forms that load."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import neurontriage
from neurontriage import cli

ROOT = Path(__file__).parents[2]
COMPILED = "import sys; from neurontriage.knowledge.catalog import compiled; sys.stdout.buffer.write(compiled())"


def test_the_version_stands_in_one_place() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    assert 'dynamic = ["version"]' in text and not re.search(r"^version = ", text, re.MULTILINE)
    assert re.fullmatch(r"\d+\.\d+\.\d+(?:\.dev\d+|rc\d+)?", neurontriage.__version__)


def test_the_compiled_knowledge_is_the_same_whatever_the_hashes() -> None:
    found = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", COMPILED], env=environment, capture_output=True, check=True)
        found.add(hashlib.sha256(done.stdout).hexdigest())
    assert len(found) == 1


def test_wheels_have_the_same_digest_twice(tmp_path: Path) -> None:
    digests = []
    for name in ("a", "b"):
        words = [
            sys.executable,
            "-m",
            "build",
            "--no-isolation",
            "--wheel",
            "--outdir",
            str(tmp_path / name),
            str(ROOT),
        ]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
        subprocess.run(words, env=environment, capture_output=True, check=True)
        [wheel] = (tmp_path / name).glob("*.whl")
        digests.append(hashlib.sha256(wheel.read_bytes()).hexdigest())
    assert digests[0] == digests[1]


def test_the_versions_of_ci_are_pinned() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert len(lines) > 40
    assert not [line for line in lines if not re.fullmatch(r"[a-z0-9.-]+==[\w.+!]+", line, re.IGNORECASE)]


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_workflows_and_forms_load(path: Path) -> None:
    data = yaml.safe_load(path.read_text())
    assert data
    for job in data.get("jobs", {}).values():
        assert job["timeout-minutes"] if "needs" not in job else job["runs-on"]
        for step in job["steps"]:
            assert "run" in step or re.search(r"@(?:v\d|release/v\d)|^\./$", step["uses"])
    targets = re.findall(r"\bmake (\S+)", path.read_text())
    makefile = (ROOT / "Makefile").read_text()
    assert not [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)]


def test_the_hooks_check_knowledge_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "OWN-Fault.yaml").write_text("id: OWN-Fault\n")
    for hook in hooks:
        words = [*shlex.split(hook["entry"])[1:], str(tmp_path)]
        assert cli.run(cli.build("kb"), words) in (1, 2)
    said = capsys.readouterr()
    assert "OWN-Fault.yaml" in said.out + said.err


def test_the_change_log_has_a_place_for_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    assert "## Unreleased" in text or f"## {neurontriage.__version__}" in text
