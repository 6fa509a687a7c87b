"""Several logs on one screen: which of them is meant, with the room left to what they say."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from diagnoses import EXIT, FAILED, ROOT

from neurontriage.incident import Way, read
from neurontriage.knowledge.catalog import load
from neurontriage.model import Diagnosis, Evidence, Finding, Source
from neurontriage.render.audience import Audience, addressed
from neurontriage.reports import terminal
from neurontriage.triage import explain_text

LONG = "a-model-with-a-very-long-name__boot-server-{}.log"
PLACED = "[NCC_INLA001] Unhandled exception with message: Error from a.cpp:1 in function 'check':"


def seen(finding: Finding, *places: tuple[str, int]) -> Finding:
    text = finding.evidence[0].text
    return replace(finding, evidence=tuple(Evidence(path, line, line, text) for path, line in places))


def screen(diagnosis: Diagnosis, columns: int | None = 80) -> str:
    with addressed(Audience(columns)):
        return terminal.render(diagnosis)


def test_the_proof_of_one_log_has_the_whole_width_beside_others() -> None:
    first, second = LONG.format("a"), LONG.format("b")
    findings = (seen(ROOT, (first, 349), (second, 5)), seen(EXIT, (first, 400)), seen(EXIT, (second, 7)))
    text = screen(Diagnosis((Source(first, 9, 999), Source(second, 9, 999)), findings))
    assert "   349 │ " in text
    assert f"400; {second[-39:]}:7" in text.replace("…", "").replace("\n        ", " ")


def test_where_consequences_stand_in_many_logs_is_told_of_a_few() -> None:
    paths = [f"rank_{n}.log" for n in range(9)]
    findings = (seen(ROOT, ("rank_0.log", 2)), *(seen(EXIT, (path, 7)) for path in paths))
    text = screen(Diagnosis(tuple(Source(path, 9, 9) for path in paths), findings))
    assert "Then  7; rank_1.log:7; rank_2.log:7; …  9 consequences" in text


@pytest.mark.parametrize(
    ("below", "shown"),
    [
        ("(DMACopy: I-54) transpose only supported for HBM->SB", True),
        ("2026-07-29T18:43:17Z INFO 12 [root]: another record", False),
        ('  File "a.py", line 3, in f', False),
    ],
)
@pytest.mark.parametrize("columns", [80, None])
def test_the_message_that_stands_below_its_place_is_shown(below: str, shown: bool, columns: int | None) -> None:
    evidence = Evidence("a.log", 3, 3, PLACED, context=((4, below),))
    text = screen(replace(FAILED, findings=(replace(ROOT, evidence=(evidence,), fields={}),)), columns)
    assert (below.split()[0] in text.partition("Why")[0].partition(":3")[2]) == shown


def test_errors_that_nothing_connects_with_the_root_are_seen_in_their_own_words() -> None:
    loose = [replace(seen(EXIT, ("a.log", 20 + n)), role="context", caused_by=None) for n in range(3)]
    loose = [replace(one, evidence=(one.evidence[0]._replace(text=f"frob {n} gone"),)) for n, one in enumerate(loose)]
    text = screen(Diagnosis((Source("a.log", 9, 99),), (ROOT, *loose)))
    assert [f"frob {n} gone" in text for n in range(3)] == [True] * 3
    assert "Error  20 │ CC-ExitStatus70 frob 0 gone" in text


def test_evidence_that_says_something_else_is_shown_whatever_place_it_has() -> None:
    texts = [*(f"frob {n} gone" for n in range(5)), "the port is taken"]
    evidence = tuple(Evidence("a.log", n, n, text) for n, text in enumerate(texts, 1))
    text = screen(replace(FAILED, findings=(replace(ROOT, evidence=evidence, fields={}),)))
    assert "   6 │ the port is taken" in text and "frob 1 gone" not in text


def test_folders_of_installed_packages_are_left_out() -> None:
    line = 'Source Kernel "x"File "/opt/venv_pytorch_inference/lib/python3.12/site-packages/nkilib/core/cte.py",line 30'
    text = screen(replace(FAILED, findings=(replace(ROOT, evidence=(Evidence("a.log", 3, 3, line),), fields={}),)))
    assert '…/nkilib/core/cte.py",line 30' in " ".join(text.split())


def test_a_log_that_is_cut_off_is_not_called_clean(tmp_path: Path) -> None:
    sample = (Path(__file__).parents[2] / "samples" / "benign").rglob("*.log")
    whole = next(one for one in sorted(sample) if read([str(one)], load()).diagnoses[0].verdict == "clean")
    packed = gzip.compress(whole.read_bytes() * 400, 1)
    (tmp_path / "a.log.gz").write_bytes(packed[:-40])
    logs = read([str(tmp_path / "a.log.gz")], load(), Way(follow=None))
    assert logs.diagnoses[0].verdict != "clean" and "cut off after" in logs.notes[0]
    (tmp_path / "a.log.gz").write_bytes(packed)
    assert read([str(tmp_path / "a.log.gz")], load(), Way(follow=None)).diagnoses[0].verdict == "clean"


def test_a_harmless_message_about_many_things_is_one() -> None:
    said = "UserWarning: Found torch.float32 weights in checkpoint: l.{}.w. Will convert to torch.bfloat16"
    lines = [said.format(name) for name in "abc"]
    (found,) = explain_text("\n".join(lines)).findings
    assert (found.id, found.count) == ("NXDI-CheckpointDtype", 3)
