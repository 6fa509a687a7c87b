"""StableHLO as JAX writes it: text with and without locations, bytecode, and files that are none."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import load
from neurontriage.preflight.checking import Request, check
from neurontriage.preflight.model import Preflight
from neurontriage.preflight.targets import Wanted

SCRIPT = Path(__file__).parent / "scripts" / "jax_step.py"


@pytest.fixture(scope="module")
def lowered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stablehlo")
    subprocess.run([sys.executable, str(SCRIPT), str(folder)], check=True)
    return folder


def preflight(path: Path, frontend: str = "auto") -> Preflight:
    return check(Request(Wanted(str(path), frontend=frontend), "trn2"), load())


def line(text: str) -> int:
    return next(number for number, found in enumerate(SCRIPT.read_text().splitlines(), 1) if text in found)


@pytest.mark.parametrize("name", ["lines.mlir", "bytecode.mlir", "step.mlirbc", "compressed.mlir.gz", "exported.bin"])
def test_a_step_with_the_lines_of_the_model(lowered: Path, name: str) -> None:
    found = preflight(lowered / name)
    assert found.frontend == "stablehlo"
    refused = found.unsupported
    assert [(row.entry, row.lowering) for row in refused] == [("NCC-EVRF029", "StableHLO")]
    (site,) = refused[0].sites
    assert site.endswith(f"{SCRIPT.name}:{line('jnp.sort')}"), "the line that calls the outlined function"
    assert {"jax.dot_general", "jax.tanh"} <= {row.name for row in found.rows}


def test_symbolic_shapes_are_said_to_be_the_reason(lowered: Path) -> None:
    with pytest.raises(TriageError, match="dynamic_broadcast_in_dim") as caught:
        preflight(lowered / "symbolic.bin")
    assert "symbolic" in str(caught.value.hint)


def test_a_file_of_another_kind_is_no_export(lowered: Path, tmp_path: Path) -> None:
    whole = (lowered / "exported.bin").read_bytes()
    for name, data in (("cut", whole[:1000]), ("numbers", bytes(4) + b"\1" * 500), ("short", b"\0\0")):
        path = tmp_path / f"{name}.bin"
        path.write_bytes(data)
        with pytest.raises(TriageError, match=f"{name}.bin"):
            preflight(path)


def test_without_locations_the_lines_are_those_of_the_file(lowered: Path) -> None:
    (row,) = preflight(lowered / "plain.mlir").unsupported
    file, _, number = row.sites[0].rpartition(":")
    assert file == "plain.mlir"
    assert "stablehlo.sort" in (lowered / "plain.mlir").read_text().splitlines()[int(number) - 1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("module {}", "main"),
        ("module { func.func @main() { return } } trailing", "1:41: error: custom op 'trailing' is unknown"),
        ('module @x { "tosa.add"() : () -> () }', "unregistered dialect"),
        ("", "error:"),
    ],
)
def test_what_is_no_stablehlo_is_named_with_its_place(content: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "other.mlir"
    path.write_text(content)
    with pytest.raises(TriageError) as caught:
        preflight(path)
    assert words in str(caught.value)
    assert "Traceback" not in str(caught.value)


def test_without_jax_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(name: str, *rest: Any) -> Any:
        return None if name == "jax" else find_spec(name, *rest)

    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", found)
    path = tmp_path / "a.mlir"
    path.write_text("module {}")
    with pytest.raises(TriageError, match="pip install jax"):
        preflight(path)
