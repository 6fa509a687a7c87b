"""The GitHub Action: its shell steps run as a runner runs them, in a clean environment, really installed."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
LOOP = "samples/compiler-internal/ten404-loop.log"
KEY = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh home with what the install step puts there."""
    home = tmp_path_factory.mktemp("runner")
    done = step("Install neurontriage", home, {})
    assert done.returncode == 0, done.stderr
    assert "neurontriage" in done.stdout
    return home


def step(name: str, home: Path, inputs: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """One `run` step: expressions of its `env` are filled in, nothing else of this process is handed on."""
    given = {key: str(value.get("default", "")) for key, value in ACTION["inputs"].items()} | dict(inputs)
    values = {"github.action_path": str(ROOT), **{f"inputs.{key}": value for key, value in given.items()}}
    environment = {name: filled(text, values) for name, text in STEPS[name].get("env", {}).items()}
    for variable in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
        environment[variable] = str(home / variable)
        (home / variable).write_text("")
    kept = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "SSL_", "UV_")) or key == "PATH"}
    environment |= kept | {"HOME": str(home), "RUNNER_TEMP": str(home), "GITHUB_ACTIONS": "true", "LANG": "C.UTF-8"}
    script = filled(STEPS[name]["run"], values)
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


def filled(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: values[found[1]], text)


def outputs(home: Path) -> dict[str, str]:
    lines = (home / "GITHUB_OUTPUT").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_a_log_is_annotated_summed_up_and_written_as_sarif(machine: Path) -> None:
    done = step("Run and explain", machine, {"paths": f"{LOOP}\n"})
    assert done.returncode == 1
    assert re.search(r"^::error .*title=", done.stdout, re.MULTILINE)
    found = outputs(machine)
    assert (found["verdict"], found["root"]) == ("failed", "TEN404-InferIntrinsicOnCC")
    assert json.loads(Path(found["sarif"]).read_text())["version"] == "2.1.0"
    assert "InferIntrinsicOnCC" in (machine / "GITHUB_STEP_SUMMARY").read_text()


def test_fail_on_never_lets_the_step_pass(machine: Path) -> None:
    assert step("Run and explain", machine, {"paths": LOOP, "fail-on": "never"}).returncode == 0


def test_a_command_keeps_its_output_and_its_exit_code(machine: Path) -> None:
    command = f"echo started with {KEY}\necho '[TEN404] Internal tensorizer error: InferIntrinsicOnCC' >&2\nexit 7\n"
    done = step("Run and explain", machine, {"run": command})
    assert done.returncode == 7
    assert "started with" in done.stdout
    assert outputs(machine)["root"] == "TEN404-InferIntrinsicOnCC"
    assert KEY not in (machine / "GITHUB_STEP_SUMMARY").read_text()
    assert KEY not in Path(outputs(machine)["sarif"]).read_text()


def test_a_command_that_works_is_not_explained(machine: Path) -> None:
    done = step("Run and explain", machine, {"run": "echo fine"})
    assert (done.returncode, done.stdout) == (0, "fine\n")
    assert outputs(machine) == {"verdict": "clean"}


@pytest.mark.parametrize("inputs", [{}, {"paths": "no-such.log"}, {"paths": LOOP, "fail-on": "sometimes"}])
def test_wrong_inputs_end_with_two(inputs: dict[str, str], machine: Path) -> None:
    assert step("Run and explain", machine, inputs).returncode == 2


def test_an_input_never_becomes_a_script(machine: Path) -> None:
    done = step("Run and explain", machine, {"paths": '$(touch "$HOME/owned"); `touch "$HOME/owned"`'})
    assert done.returncode == 2
    assert not (machine / "owned").exists()
    scripts = [one["run"] for one in ACTION["runs"]["steps"] if "run" in one]
    assert not [text for text in scripts if "${{" in text]


def test_steps_of_others_are_pinned_and_inputs_are_described() -> None:
    used = [one["uses"] for one in ACTION["runs"]["steps"] if "uses" in one]
    assert used and all(re.search(r"@v\d", name) for name in used)
    assert all(one["description"] for one in (*ACTION["inputs"].values(), *ACTION["outputs"].values()))
