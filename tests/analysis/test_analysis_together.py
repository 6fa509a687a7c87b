"""A report beside its log, beside an older report, or of enormous size."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from entries import RELEASES, entry_of

from neurontriage.analysis import forms
from neurontriage.analysis.compare import compared
from neurontriage.analysis.formats import renderer
from neurontriage.analysis.join import Facts, analyse, natural
from neurontriage.analysis.model import Analysis
from neurontriage.analysis.result import load, of_document
from neurontriage.analysis.shortlist import LISTED, shortlisted
from neurontriage.cli import build, run
from neurontriage.model import Diagnosis, Evidence, Finding, Source, Workaround

SAMPLES = Path(__file__).parents[2] / "samples" / "analyze"
FACTS = Facts(entry_of, RELEASES)
FAILURE = Finding(
    id="CC-OptionValue", known=True, title="neuronx-cc refuses the value of an option", layer="compiler",
    severity="error", role="root", confidence=0.9, count=1, fields={}, evidence=(Evidence("build.log", 7, 7, "bad"),),
    workarounds=(Workaround("Correct the option", "flag", "One of the listed values."),),
)  # fmt: skip
FAILED = Diagnosis((Source("build.log", 90, 9),), (FAILURE,))


def sample(name: str) -> Analysis:
    return analyse(load(SAMPLES / f"{name}.json"), FACTS)


def made(supported: dict[str, int], refused: list[str], printed: str = "90.00%", xla: bool = True) -> Analysis:
    unsupported: dict[str, object] = {"aten": [{"kind": kind, "call": "a.py 1"} for kind in refused]}
    data: dict[str, object] = {"support_percentage": printed, "supported_operators": {"aten": supported}}
    if xla:
        data["supported_operators"] = {"aten": supported, "xla": []}
        unsupported["xla"] = [{"hlo_instruction": f"f32[4] {n}", "aten_op": kind} for kind in refused for n in "abc"]
    return analyse(of_document("result.json", {**data, "unsupported_operators": unsupported}), FACTS)


@pytest.mark.parametrize("format", ["terminal", "html", "markdown", "json"])
def test_a_failed_log_leads_with_its_fix(format: str) -> None:
    text = renderer(format)(replace(sample("training-supported"), log=FAILED))
    told = " ".join(text.split())
    assert "but the compile failed: neuronx-cc refuses the value of an option (CC-OptionValue)" in told
    assert "Correct the option" in told
    assert told.index("Correct the option") < told.index("aten::") or format == "json"


def test_a_failed_log_is_exit_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "build.log"
    log.write_text("[TEN404] Internal tensorizer error: InferIntrinsicOnCC\n")
    good = str(SAMPLES / "training-supported.json")
    assert run(build("report"), ["report", good]) == 0
    assert run(build("report"), ["report", good, "--log", str(log)]) == 1
    assert "the compile failed" in capsys.readouterr().out


def test_what_is_gone_and_new_is_named_and_other_models_are_told() -> None:
    old, now = made({f"aten::a{n}": 1 for n in range(11)}, []), made({"aten::b": 2}, ["aten::c"])
    found = compared(now, old).comparison
    assert found is not None
    assert (len(found.gone), found.new, found.same_model) == (11, ("aten::b", "aten::c"), False)
    text = " ".join(renderer("terminal")(compared(now, old)).split())
    assert "are they of the same model?" in text and "Gone: 11 operators" in text and "New: 2 operators" in text
    same = compared(made({"aten::a": 3}, []), made({"aten::a": 2, "aten::b": 1}, [])).comparison
    assert same is not None and same.same_model and same.gone == ("aten::b",)


def test_verbosity_1_against_2_compares_call_sites() -> None:
    detailed, coarse = made({"aten::a": 1}, ["aten::b"]), made({"aten::a": 1}, ["aten::b"], xla=False)
    for now, old in ((detailed, coarse), (coarse, detailed)):
        found = compared(now, old).comparison
        assert found is not None
        assert (found.better, found.worse, found.coarse) == ((), (), True)


@pytest.mark.parametrize("printed", ["NaN%", "nan", "", "110%", "-1%"])
def test_what_is_no_percentage_is_no_100(printed: str) -> None:
    analysis = made({"aten::a": 1}, [], printed, xla=False)
    assert analysis.verdict == "unknown"
    assert "Every operator compiles" not in renderer("terminal")(analysis)


def test_files_are_in_the_order_of_their_numbers() -> None:
    assert sorted(["module_10.py", "module_2.py", "a1b12", "a1b3"], key=natural) == [
        "a1b3", "a1b12", "module_2.py", "module_10.py",
    ]  # fmt: skip


def test_a_page_of_very_many_refusals_lists_some_and_counts_all() -> None:
    many = [f"aten::op_{n % 50}" for n in range(3000)]
    page = renderer("html")(made({"aten::a": 1}, many))
    assert sys.getsizeof(page) < 2_000_000
    assert "8,600 more; --format json has them all" in page
    data = json.loads(renderer("json")(made({"aten::a": 1}, many)))
    assert sum(len(reason["hlo"]) for reason in data["reasons"]) == 9000


def test_instructions_that_differ_in_names_sizes_and_places_are_parsed_once() -> None:
    rows = [(n, f"s64[{n % 7 + 1},4]{{0}}") for n in range(500)]
    texts = [
        f"%sort.{n} = {shape} sort({shape} %p.{n}.1), dimensions={{0}}, metadata={{source_line={n}}}"
        for n, shape in rows
    ]
    refused = {"xla": [{"hlo_instruction": text, "aten_op": "aten::sort"} for text in texts]}
    judged_before = forms._of_form.cache_info().misses
    found = analyse(of_document("r.json", {"unsupported_operators": refused}), Facts(entry_of, RELEASES))
    assert forms._of_form.cache_info().misses - judged_before == 1
    assert [hlo.text for reason in found.reasons for hlo in reason.hlo][:500] == texts


def test_a_shortlist_keeps_the_counts() -> None:
    whole = made({"aten::a": 1}, [f"aten::op_{n % 50}" for n in range(3000)])
    brief = shortlisted(whole)
    assert [o.refused for o in brief.operators] == [o.refused for o in whole.operators]
    assert [(r.hlo_count, r.place_count, r.stages) for r in brief.reasons] == [
        (len(r.hlo), len(r.places), r.stages) for r in whole.reasons
    ]
    assert max(len(reason.hlo) for reason in brief.reasons) == LISTED
