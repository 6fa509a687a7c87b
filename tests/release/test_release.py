"""What a release needs: one version, the same bytes twice, pinned versions, hooks that run, forms that load."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import neurontriage
from neurontriage import cli

ROOT = Path(__file__).parents[2]
COMPILED = "import sys; from neurontriage.knowledge.catalog import compiled; sys.stdout.buffer.write(compiled())"


def test_the_version_stands_in_one_place() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    assert 'dynamic = ["version"]' in text and not re.search(r"^version = ", text, re.MULTILINE)
    assert re.fullmatch(r"\d+\.\d+\.\d+(?:\.dev\d+|rc\d+)?", neurontriage.__version__)


@pytest.mark.slow
def test_the_compiled_knowledge_is_the_same_whatever_the_hashes() -> None:
    found = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", COMPILED], env=environment, capture_output=True, check=True)
        found.add(hashlib.sha256(done.stdout).hexdigest())
    assert len(found) == 1


@pytest.mark.slow
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
    assert f"a wheel of {wheel.stat().st_size / 1e6:.0f} MB" in (ROOT / "README.md").read_text()


TOML = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")


def locked() -> dict[str, tuple[Version, int]]:
    """Name → version and number of digests, of what CI installs."""
    text = (ROOT / ".github" / "lock.txt").read_text().replace("\\\n", " ")
    lines = [line.split(" --hash=") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    pins = [(Requirement(head.partition(" ;")[0].strip()), digests) for head, *digests in lines]
    assert all(re.fullmatch(r"sha256:[0-9a-f]{64}\s*", one) for _, digests in pins for one in digests)
    assert all(re.fullmatch(r"==[^*,]+", str(pin.specifier)) for pin, _ in pins)
    return {canonicalize_name(pin.name): (Version(str(pin.specifier)[2:]), len(digests)) for pin, digests in pins}


def test_what_ci_installs_is_locked_with_digests_and_is_what_the_project_asks_for() -> None:
    project = TOML.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    asked = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    asked += [one for name in ("dev", "xla", "fleet", "agents", "notebook") for one in extras[name]]
    pins = locked()
    assert all(digests for _, digests in pins.values())
    for one in map(Requirement, asked):
        if one.marker is None or one.marker.evaluate({"python_version": "3.11", "platform_system": "Linux"}):
            assert one.specifier.contains(pins[canonicalize_name(one.name)][0]), one
    assert "LOCK: .github/lock.txt" in (ROOT / ".github/workflows/ci.yml").read_text()


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


def test_the_change_log_the_hooks_and_the_tag_are_of_this_version() -> None:
    """Between releases (`.dev`) the newest version of the change log is the one before."""
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    released = [re.fullmatch(r"(\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)", one) for one in headings[1:]]
    assert all(released)
    versions = [Version(one[1]) for one in released if one]
    days = [one[2] for one in released if one]
    assert versions == sorted(set(versions), reverse=True) and days == sorted(days, reverse=True)
    own = Version(neurontriage.__version__)
    assert versions[0] < own if own.is_prerelease else versions[0] == own
    assert f"rev: v{versions[0]}\n" in (ROOT / "docs" / "places.md").read_text()
    tags = subprocess.run(
        ["git", "tag", "--points-at", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    assert not [tag for tag in tags if re.match(r"v\d+\.", tag) and tag != f"v{own}"]
