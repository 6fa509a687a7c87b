"""`%%triage` and the shape of a diagnosis in a real Jupyter kernel; what it shows is looked at in the browser tests."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from planted import planted

from neurontriage.agents.overhear import Overheard
from neurontriage.triage import explain_text

ROOT = Path(__file__).parents[2]
FAILING = """%%triage
import subprocess, sys
print("step 1")
subprocess.run([sys.executable, "-c", "print('[TEN404] Internal tensorizer error: InferIntrinsicOnCC')"])
6 * 7
raise RuntimeError("compilation failed")
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[list[dict[str, object]]]:
    triage = "neurontriage.triage.explain_text('[NCC_EVRF009] Size of total input and output tensors')"
    cells = [
        "%load_ext neurontriage",
        FAILING,
        "%%triage\nprint('fine')\n6 * 7",
        f"import neurontriage.triage\n{triage}",
        f"%%triage {ROOT / 'samples/compiler-internal/ten404-loop.log'}\nraise ValueError('see the log')",
        "%%triage no-such.log\n1 / 0",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.delenv("PYTEST_CURRENT_TEST", raising=False)  # a kernel that sees it does not show what programs print
        _executed(notebook, tmp_path_factory.mktemp("notebook"))
    return [cell["outputs"] for cell in notebook.cells]


def _executed(notebook: nbformat.NotebookNode, folder: Path) -> None:
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True)
    client.execute(cwd=str(folder))


def streams(outputs: list[dict[str, object]]) -> str:
    return "".join(str(one["text"]) for one in outputs if one["output_type"] == "stream")


def shown(outputs: list[dict[str, object]], media: str) -> list[str]:
    return [one["data"][media] for one in outputs if media in one.get("data", {})]  # type: ignore[index, operator]


def errors(outputs: list[dict[str, object]]) -> list[str]:
    return [str(one["ename"]) for one in outputs if one["output_type"] == "error"]


def test_a_cell_that_fails_is_explained_and_fails(outputs: list[list[dict[str, object]]]) -> None:
    cell = outputs[1]
    assert streams(cell).count("step 1") == 1
    assert streams(cell).count("InferIntrinsicOnCC") == 1
    [page] = shown(cell, "text/html")
    assert "TEN404-InferIntrinsicOnCC" in page and 'sandbox="allow-scripts"' in page
    [words] = shown(cell, "text/markdown")
    assert words.startswith("## ❌ Failed")
    assert "RuntimeError" in errors(cell) and errors(cell)[-1] == "CellFailed"


def test_a_cell_that_works_is_left_alone(outputs: list[list[dict[str, object]]]) -> None:
    assert outputs[0] == []
    assert streams(outputs[2]) == "fine\n"
    assert [one["data"]["text/plain"] for one in outputs[2] if "data" in one] == ["42"]  # type: ignore[index]


def test_a_diagnosis_shows_itself(outputs: list[list[dict[str, object]]]) -> None:
    [page] = shown(outputs[3], "text/html")
    assert "NCC-EVRF009" in page


def test_logs_besides_the_cell_are_read(outputs: list[list[dict[str, object]]]) -> None:
    assert any("TEN404-InferIntrinsicOnCC" in page for page in shown(outputs[4], "text/html"))
    assert "no such file" in streams(outputs[5])
    assert errors(outputs[5])[-1] == "CellFailed"


def test_a_notebook_holds_no_secret() -> None:
    secrets = planted()
    lines = [f"{one.text}\n[TEN404] Internal tensorizer error: Foo {one.text.splitlines()[0]}" for one in secrets]
    diagnosis = explain_text("\n".join(lines))
    shown = diagnosis._repr_html_() + diagnosis._repr_markdown_()
    everything = "\n".join(one.text for one in secrets)
    for one in secrets:
        assert not [p for p in one.leaked(shown) if everything.count(p) == one.secret.count(p)], one.kind


def test_what_is_overheard_is_passed_on(capfd: pytest.CaptureFixture[str]) -> None:
    with Overheard() as heard:
        sys.stdout.write("from Python\n")
        sys.stdout.flush()
        os.write(1, b"from a descriptor\n")
        os.system("echo from a program >&2")
    out, err = capfd.readouterr()
    assert "from a descriptor" in out and "from a program" in err
    assert set(heard.text.split("\n")) >= {"from Python", "from a descriptor", "from a program"}
    assert re.search("from Python", out + err)
