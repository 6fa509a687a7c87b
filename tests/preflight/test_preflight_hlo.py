"""HLO modules without torch: folders, bad files, versions and flags, formats, exit codes, memory, advice, the page."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from neurontriage.cli import main
from neurontriage.errors import TriageError
from neurontriage.knowledge.catalog import load
from neurontriage.preflight.checking import Request, check
from neurontriage.preflight.formats import renderer
from neurontriage.preflight.memory import Sharding
from neurontriage.preflight.model import Preflight
from neurontriage.preflight.targets import Wanted

SAMPLES = Path(__file__).parents[2] / "samples" / "hlo"
MIXED = SAMPLES / "mixed-operators.hlo_module.pb"


def preflight(path: Path, target: str = "trn2", **options: object) -> Preflight:
    return check(Request(Wanted(str(path)), target, **options), load())  # type: ignore[arg-type]


def outcomes(found: Preflight) -> dict[str, set[str]]:
    result: dict[str, set[str]] = {}
    for row in found.rows:
        result.setdefault(row.outcome, set()).add(row.entry or row.name)
    return result


def test_a_module_by_target_and_sdk() -> None:
    found = preflight(MIXED)
    assert outcomes(found)["unsupported"] == {"NCC-EVRF001", "NCC-EVRF029"}
    assert outcomes(found)["fails-from"] == {"NCC-EVRF035"}
    assert "NCC-EVRF029" not in outcomes(preflight(MIXED, "inf2")).get("unsupported", set())
    strict = preflight(MIXED, flags=("--implicit-integer-downcast=none",))
    assert "NCC-EVRF035" in outcomes(strict)["unsupported"]
    sort = next(row for row in found.rows if row.entry == "NCC-EVRF029")
    assert sort.name == "aten.sort"
    assert sort.sites[0].startswith("/home/user/model.py:")
    assert sort.workarounds
    assert {row.lowering for row in found.rows if row.name == "aten.topk"} == {"AwsNeuronTopK"}


def test_a_folder_goes_on_after_a_bad_file(tmp_path: Path) -> None:
    shutil.copy(MIXED, tmp_path / "model.hlo_module.pb")
    (tmp_path / "cut.hlo_module.pb").write_bytes(MIXED.read_bytes()[:500])
    (tmp_path / "notes.txt").write_text("nothing")
    found = preflight(tmp_path)
    assert [graph.id for graph in found.graphs] == ["model.hlo_module.pb"]
    assert any("cut.hlo_module.pb" in note for note in found.notes)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.pb", b"", "empty"),
        ("a.pb", MIXED.read_bytes()[:300], "truncated"),
        ("a.txt", b"ERROR something", "no HLO module"),
    ],
)
def test_bad_files(name: str, content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(TriageError) as caught:
        preflight(path)
    assert words in str(caught.value)
    assert name in str(caught.value)


def test_a_module_takes_no_arguments() -> None:
    with pytest.raises(TriageError, match=r"--batch 8: .* takes no arguments"):
        check(Request(Wanted(str(MIXED), ("--batch", "8"))), load())


def test_an_unknown_opcode_is_unknown_not_unsupported(tmp_path: Path) -> None:
    path = tmp_path / "new.hlo.txt"
    path.write_text("HloModule new\n\nENTRY e {\n  p = f32[2]{0} parameter(0)\n  ROOT x = f32[2]{0} shiny-new(p)\n}\n")
    found = preflight(path)
    assert [(row.name, row.outcome) for row in found.rows] == [("shiny-new", "unknown")]
    assert found.percent is None
    assert not found.unsupported


def run(*arguments: str) -> tuple[int, str]:
    import contextlib
    import io

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            code = main(["preflight", *arguments])
        except SystemExit as left:
            code = left.code
    return int(code or 0), out.getvalue()


def test_formats_and_exit_codes(tmp_path: Path) -> None:
    code, text = run(str(MIXED), "--format", "json", "--target", "trn2")
    document = json.loads(text)
    assert code == 1
    assert document["schema"] == "neurontriage.preflight/1"
    assert {
        "target",
        "sdk",
        "frontend",
        "flags",
        "operators",
        "graphs",
        "recompilations",
        "graph_breaks",
        "memory",
    } <= set(document)
    assert set(document["operators"][0]) >= {
        "name", "opcode", "dtype", "count", "outcome", "from_sdk", "entry", "lowering", "sites", "workarounds",
    }  # fmt: skip
    assert run(str(MIXED), "--target", "trn7")[0] == 2
    assert run(str(MIXED), "--sdk", "latest")[0] == 2
    assert run(str(tmp_path / "absent.pb"))[0] == 2
    page, export = tmp_path / "page.html", tmp_path / "result.json"
    assert run(str(SAMPLES / "conv-step.hlo_module.pb"), "-o", str(page), "--export", str(export))[0] == 0
    assert "<script>" in page.read_text()
    assert json.loads(export.read_text())["support_percentage"] == "100.00%"
    assert run(str(MIXED), "-o", "/proc/nowhere.html")[0] == 2


def test_nothing_from_a_module_reaches_page_or_terminal_unescaped(tmp_path: Path) -> None:
    path = tmp_path / "hostile.hlo.txt"
    path.write_text(
        "HloModule h\n\nENTRY e {\n  p = c64[2]{0} parameter(0)\n  ROOT x = c64[2]{0} custom-call(p), "
        'custom_call_target="<script>alert(1)</script>\\x1b[31m", metadata={op_type="aten__<img src=x>"}\n}\n'
    )
    found = preflight(path)
    page = renderer("html")(found.slim)
    assert "<script>alert" not in page
    assert "<img src" not in page
    assert "\x1b" not in renderer("terminal")(found)


def test_memory_by_sharding() -> None:
    whole = preflight(SAMPLES / "conv-step.hlo_module.pb")
    halved = preflight(SAMPLES / "conv-step.hlo_module.pb", sharding=Sharding(tp=2))
    assert halved.memory.needed * 2 <= whole.memory.needed + 2
    assert whole.memory.available == 24 * 1024**3
    assert preflight(SAMPLES / "conv-step.hlo_module.pb", "trn3").memory.fits is None


ADVICE = """HloModule large

ENTRY e {{
  p = f32[{rows},300]{{1,0}} parameter(0)
  q = f32[300,130]{{1,0}} parameter(1)
  ROOT d = f32[{rows},130]{{1,0}} dot(p, q), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
}}
"""


def test_advice(tmp_path: Path) -> None:
    path = tmp_path / "large.hlo.txt"
    path.write_text(ADVICE.format(rows=256))
    titles = [one.title for one in preflight(path).advice]
    assert "The size 130 fills 128 partitions badly" in titles
    assert not any("memory" in title for title in titles)
    path.write_text(ADVICE.format(rows=4_000_000_000))
    advice = {one.entry for one in preflight(path).advice}
    assert {"NCC-EVRF009", "CC-InstructionLimit"} <= advice


def test_the_verdict_names_what_no_document_decides() -> None:
    found = preflight(MIXED, "trn1")
    rest = replace(found, rows=tuple(row for row in found.rows if row.outcome in ("supported", "unknown")))
    assert rest.verdict.startswith(
        "Nothing in it is documented as unsupported on trn1; no document decides about aten.sort"
    )
    known = replace(rest, rows=tuple(row for row in rest.rows if row.outcome == "supported"))
    assert known.verdict == "Nothing in it is documented as unsupported on trn1."
