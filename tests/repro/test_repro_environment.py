"""What is installed: placeholders, wrong pairs and missing packages are named."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from neurontriage.errors import TriageError
from neurontriage.repro import backends, environment


def install(folder: Path, name: str, version: str, text: str = "") -> None:
    """A distribution as metadata only."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\n{text}\n")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place where packages and executables are found."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(environment, "devices", lambda: [])
    return tmp_path


WRONG = "WRONG PACKAGE. Please install the package from Neuron Repository"


def test_the_placeholder_of_the_public_index_is_named(site: Path) -> None:
    install(site, "neuronx-cc", "1.0.post1", WRONG)
    install(site, "torch-neuronx", "2.9.0.2.13")
    assert "1.0.post1 is the placeholder" in environment.placeholder("neuronx-cc")
    assert environment.placeholder("torch-neuronx") == ""
    assert environment.placeholder("libneuronxla") == ""
    assert "placeholder" in backends.load("neuronx-cc").missing()


@pytest.mark.parametrize(
    ("torch", "torch_xla", "problem"),
    [
        ("2.9.1", "2.9.0", ""),
        ("2.13.0+cpu", "2.9.0", "torch 2.13.0+cpu does not work with torch-xla 2.9.0"),
        ("2.9.1", None, "torch-xla not installed"),
        (None, None, "torch and torch-xla not installed"),
    ],
)
def test_the_pair_of_torch_and_torch_xla(site: Path, torch: str | None, torch_xla: str | None, problem: str) -> None:
    for name, version in (("torch", torch), ("torch-xla", torch_xla)):
        if version:
            install(site, name, version)
    assert environment.xla_problem() == problem


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("auto", "pip install 'neurontriage[xla]'"),
        ("xla-cpu", "pip install 'neurontriage[xla]'"),
        ("neuronx-cc", "pip install 'neuronx-cc==2.*'"),
        ("neuron", "torch-neuronx"),
    ],
)
def test_a_missing_backend_is_one_message_with_the_install_command(site: Path, name: str, hint: str) -> None:
    with pytest.raises(TriageError) as refused:
        backends.choose(name)
    assert hint in refused.value.hint
    assert refused.value.exit_code == 2


def test_auto_takes_the_strongest(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(site, "torch", "2.9.1")
    install(site, "torch-xla", "2.9.0")
    assert backends.choose("auto").NAME == "xla-cpu"
    (site / "neuronx-cc").write_text("#!/bin/sh\n")
    (site / "neuronx-cc").chmod(0o755)
    assert backends.choose("auto").NAME == "neuronx-cc"
    install(site, "torch-neuronx", "2.9.0.2.13")
    monkeypatch.setattr(environment, "devices", lambda: [Path("/dev/neuron0")])
    assert backends.choose("auto").NAME == "neuron"


def test_torchneuron_is_torch_neuronx_without_torch_xla(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(site, "torch-neuronx", "2.10.0")
    monkeypatch.setattr(environment, "devices", lambda: [Path("/dev/neuron0")])
    assert backends.choose("auto").NAME == "torchneuron"
    install(site, "torch-xla", "2.9.0")
    assert "backend neuron" in backends.load("torchneuron").missing()


def test_a_placeholder_is_never_chosen(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(site, "torch-neuronx", "1.0", WRONG)
    monkeypatch.setattr(environment, "devices", lambda: [Path("/dev/neuron0")])
    assert "placeholder" in backends.load("neuron").missing()
