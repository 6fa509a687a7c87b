"""`doctor` on recorded hosts names the fault and nothing else; on a host without Neuron it claims nothing."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage import cli
from neurontriage.doctor.check import Check, checks
from neurontriage.doctor.host import Host, Package, _packages, here
from neurontriage.knowledge.catalog import Catalog

HOSTS = sorted((Path(__file__).parent / "hosts").glob("*.yaml"))


def recorded(path: Path, root: Path) -> tuple[Host, dict[str, str]]:
    """A fake tree of files and the output of tools, as the recording describes them."""
    data: dict[str, Any] = yaml.safe_load(path.read_text())
    for name, text in data.get("files", {}).items():
        file = root / name.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for name in data.get("old", ()):
        os.utime(root / name.lstrip("/"), (time.time() - 86_400,) * 2)
    (root / "var/tmp").mkdir(parents=True, exist_ok=True)
    commands = {tuple(name.split()): text for name, text in data.get("commands", {}).items()}
    empty = set(data.get("placeholders", ()))
    packages = {name: Package(version, name in empty) for name, version in data.get("packages", {}).items()}
    python = tuple(data.get("python", (3, 10)))
    return Host(root, data.get("environ", {}), packages, commands.get, python), data["expect"]


@pytest.mark.parametrize("path", HOSTS, ids=lambda path: path.stem)
def test_a_broken_host_is_told_its_fault_and_no_other(path: Path, tmp_path: Path, catalog: Catalog) -> None:
    host, expected = recorded(path, tmp_path)
    found = list(checks(host, catalog.releases))
    assert {one.id: one.entry for one in found if one.outcome == "fault"} == expected
    assert not [one.id for one in found if one.entry and one.entry not in catalog.articles]
    assert max(Counter(one.id for one in found).values()) == 1


def test_there_are_a_dozen_broken_hosts() -> None:
    assert len(HOSTS) > 12


def test_a_healthy_host_is_looked_at_wholly(tmp_path: Path, catalog: Catalog) -> None:
    host, _ = recorded(Path(__file__).parent / "hosts" / "healthy-trn1.yaml", tmp_path)
    not_run = {one.id for one in checks(host, catalog.releases) if one.outcome == "not-run"}
    assert not_run == {"distributed-variables"}


def test_on_an_empty_host_nothing_is_claimed(tmp_path: Path, catalog: Catalog) -> None:
    host = Host(tmp_path, {}, {}, lambda _: None, (3, 10))
    said = {one.id: one.outcome for one in checks(host, catalog.releases)}
    assert set(said.values()) == {"ok", "not-run"}
    assert {name for name, outcome in said.items() if outcome == "ok"} == {"cache-folder", "runtime-variables"}


def test_this_host_is_described_rightly(catalog: Catalog) -> None:
    """What the checks say of the machine that runs the tests is compared with what Python itself sees."""
    found: dict[str, Check] = {one.id: one for one in checks(here(), catalog.releases)}
    import resource

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert found["open-files"].fields["limit"] == str(-1 if soft == resource.RLIM_INFINITY else soft)
    size = os.statvfs("/dev/shm")
    assert found["shared-memory"].fields["size"] == str(size.f_blocks * size.f_frsize)
    if not Path("/sys/module/neuron").exists():
        assert found["driver"].outcome == "not-run"
    from importlib import metadata

    assert here().packages["numpy"].version == metadata.version("numpy") if "numpy" in here().packages else True


def test_a_placeholder_wheel_is_known_by_what_it_raises(tmp_path: Path) -> None:
    from importlib.metadata import PathDistribution

    info = tmp_path / "torch_neuronx-0.0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: torch_neuronx\nVersion: 0.0.1\n")
    (info / "RECORD").write_text("torch_neuronx/__init__.py,,\ntorch_neuronx-0.0.1.dist-info/METADATA,,\n")
    (tmp_path / "torch_neuronx").mkdir()
    source = tmp_path / "torch_neuronx" / "__init__.py"
    source.write_text('raise ImportError("WRONG PACKAGE. Please install the package from Neuron Repository")\n')
    assert _packages([PathDistribution(info)]) == {"torch-neuronx": Package("0.0.1", True)}
    source.write_text("import torch\n")
    assert _packages([PathDistribution(info)]) == {"torch-neuronx": Package("0.0.1", False)}


def test_a_process_that_holds_a_device_is_found_in_proc(tmp_path: Path, catalog: Catalog) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "neuron0").touch()
    (tmp_path / "proc/4711/fd").mkdir(parents=True)
    (tmp_path / "proc/4711/fd/7").symlink_to("/dev/neuron0")
    (tmp_path / "proc/4711/cmdline").write_text("python\0train.py\0")
    host = Host(tmp_path, {}, {}, lambda _: None, (3, 10))
    found = {one.id: one for one in checks(host, catalog.releases)}["core-holders"]
    assert found.outcome == "fault" and "4711 (python train.py)" in found.reason


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_command_prints_json_and_text(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEURON_RT_VISIBLE_CORES", "3-1")
    assert cli.run(cli.build("doctor"), ["doctor", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "neurontriage.doctor/1"
    fault = next(one for one in data["checks"] if one["id"] == "runtime-variables")
    assert set(fault) == {"id", "title", "outcome", "reason", "entry", "fields"}
    assert (fault["outcome"], fault["entry"]) == ("fault", "RT-BadSetting")
    assert cli.run(cli.build("doctor"), ["doctor"]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "3-1 runs backwards" in said and "Correct or unset the variable" in said
    assert cli.run(cli.build("doctor"), ["doctor", "--format", "xml"]) == 2
