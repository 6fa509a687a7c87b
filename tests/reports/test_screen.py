"""The default answer: one screen whatever is found, the message whole around the match, no fix without its warning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from diagnoses import CLEAN, EXIT, FAILED, ROOT, WARNING, hostile
from shipped import ENTRIES

from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis, Evidence, Finding, Module, Ranks, Run, Source, Suspect, Workaround
from neurontriage.render.audience import Audience, addressed
from neurontriage.render.message import anchors, around, essence
from neurontriage.render.shorten import MARK, balanced, brief, cautions, sentences, shortened
from neurontriage.reports import full, terminal
from neurontriage.triage import explain_text

SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.log"))
MOST = 24


def screen(diagnosis: Diagnosis, columns: int | None = 80) -> str:
    with addressed(Audience(columns)):
        return terminal.render(diagnosis)


def flat(text: str) -> str:
    return "".join(text.replace("│", "").split())


def rows(lines: list[str]) -> Iterator[str]:
    """What a terminal of 80 columns makes of lines."""
    for line in lines:
        yield from (line[at : at + 80] for at in range(0, max(len(line), 1), 80))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_fits_one_screen(path: Path, catalog: Catalog) -> None:
    diagnosis = explain_text(path.read_text(errors="replace"), path.name, catalog)
    text = screen(diagnosis)
    lines = text.splitlines()
    assert len(lines) <= terminal.LINES
    assert len([*rows(lines)]) <= terminal.ROWS, "with the command and a prompt: 24"
    unbroken = ("https://", "        -", "        +", "Look  $ ")
    assert not [line for line in lines if len(line) > 80 and not any(mark in line for mark in unbroken)]
    for root in diagnosis.roots[:1]:
        said = flat(text)
        assert root.id in text.splitlines()[0]
        shown = essence(root.evidence[0].text)
        if len(shown) < 250:
            assert flat(shown)[:200] in said


@pytest.mark.parametrize("columns", [40, 60, 80, 110])
@pytest.mark.parametrize("diagnosis", [FAILED, CLEAN, hostile()], ids=["failed", "clean", "hostile"])
def test_lines_fit_but_addresses_and_code_are_never_broken(diagnosis: Diagnosis, columns: int) -> None:
    text = screen(diagnosis, columns)
    kept = ("https://", " - ", " + ")
    assert not [line for line in text.splitlines() if len(line) > columns and not any(mark in line for mark in kept)]


def test_piped_output_is_neither_wrapped_nor_cut() -> None:
    long = "[TEN404] (_sub.83) Internal tensorizer error: InferIntrinsicOnCC " + "word " * 300 + "end"
    finding = replace(ROOT, evidence=(Evidence("build.log", 4, 4, long),), cause="Why. " * 200 + "so.")
    text = screen(replace(FAILED, findings=(finding, EXIT)), None)
    assert any(long in line for line in text.splitlines())
    assert any(line.endswith("so.") for line in text.splitlines())
    assert all(fix.title in text for fix in ROOT.workarounds)


def test_the_last_line_repeats_the_cause_and_the_first_fix() -> None:
    last = screen(FAILED).splitlines()[-1]
    assert last.startswith(ROOT.id)
    assert "→ Sum the squares" in last


def test_the_message_is_whole_around_the_match() -> None:
    text = "x" * 900 + " [NCC_IBIR440] the tensor my_row has no address " + "y" * 900
    shown = around(text, anchors(replace(ROOT, fields={"code": "NCC_IBIR440"})), 300)
    assert "[NCC_IBIR440] the tensor my_row has no address" in shown
    assert shown.startswith("… ") and shown.endswith(" …")
    assert len(shown) <= 300


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "2026-03-28T14:10:42Z ERROR 1041628 [ModuleForkPass]: Module 0 failed with error [INTERNAL_ERROR] "
            "[NCC_IBIR440] Expect   all - Please open a support ticket at https://github.com/aws-neuron/aws-neuron-sdk"
            "/issues/new. You may also be able to obtain more information using the 'XLA_IR_DEBUG' and 'XLA_HLO_DEBUG' "
            "environment variables.",
            "Module 0 failed with error [INTERNAL_ERROR] [NCC_IBIR440] Expect all",
        ),
        (
            "2024-Jul-10 09:14:38.431822 12878:14357 ERROR  TDRV:log_dev_mem           Failed to allocate 43.325MB",
            "TDRV:log_dev_mem Failed to allocate 43.325MB",
        ),
        (
            "2024-09-17 19:01:37.000199:  1722022  ERROR ||NEURON_CC_WRAPPER||: Failed compilation with ['neuronx-cc', "
            "'compile', '--target=trn1', '--framework=XLA', '/tmp/u/model.pb']: [TEN404] x",
            "Failed compilation with ['neuronx-cc', … ]: [TEN404] x",
        ),
        ("ERROR: ", "ERROR:"),
        ("2026-03-28T14:10:42Z ", "2026-03-28T14:10:42Z"),
    ],
)
def test_what_stands_in_every_line_is_left_out(line: str, message: str) -> None:
    assert essence(line) == message


def test_no_fix_of_any_entry_is_shown_without_its_warning() -> None:
    entries = ENTRIES.values()
    for entry in entries:
        for given in entry.workarounds:
            fix = Workaround(**given.model_dump())
            text = brief(fix)
            whole = f"{fix.title}: {' '.join(fix.detail.split())}" if fix.detail else fix.title
            assert fix.short or MARK in text or text == whole, entry.id
            assert balanced(text.replace("…", "")) or not balanced(whole), (entry.id, text)
            if not fix.short:
                assert all(caution in text for caution in cautions(fix.detail)), (entry.id, text)
            assert len(text.split()) >= min(4, len(whole.split())) or text.startswith(fix.title)


def test_shortening_marks_every_cut_and_keeps_brackets_whole() -> None:
    text = "Set the flag (see `a. b`) first. Then compile again; wrong results may follow."
    assert sentences(text) == ["Set the flag (see `a. b`) first.", "Then compile again; wrong results may follow."]
    for most in range(12, len(text)):
        cut = shortened(text, most)
        assert len(cut) <= most
        assert cut.endswith(MARK)
    assert shortened(text, len(text)) == text
    assert (
        shortened("Lower the level to -O1 (inferred: the path is another) and retry", 40) == "Lower the level to -O1 …"
    )


def test_a_warning_is_explained_where_there_is_no_root() -> None:
    warned = replace(WARNING, known=True, cause="It is old.", workarounds=(Workaround("Use the new call", "code"),))
    text = screen(Diagnosis((Source("a.log", 9, 9),), (warned,)))
    assert text.startswith(" WARNINGS ")
    assert "XLA-Deprecated" in text and "It is old." in text and "Use the new call" in text


def test_several_roots_and_suspects_are_listed() -> None:
    other = replace(
        ROOT, id="NRT-DeviceMemoryFull", title="Out of memory", evidence=(Evidence("build.log", 9, 9, "x"),)
    )
    text = screen(replace(FAILED, findings=(ROOT, other, EXIT)))
    assert "NRT-DeviceMemoryFull Out of memory" in text
    unknown = replace(ROOT, id="PY-Unknown", known=False, workarounds=())
    suspect = Suspect("build.log", 77, "Bus error", "the last line before the end")
    text = screen(replace(FAILED, findings=(unknown,), suspects=(suspect,)))
    assert "Not recognised" in text and "77 │ Bus error" in text


def test_files_are_named_without_their_common_folder() -> None:
    def at(path: str, line: int) -> tuple[Evidence, ...]:
        return (Evidence(path, line, line, "RuntimeError: x"),)

    findings = (
        replace(ROOT, evidence=at("/data/run/rank_5.log", 2)),
        replace(EXIT, evidence=at("/data/run/rank_0.log", 7)),
    )
    inputs = (Source("/data/run/rank_0.log", 9, 9), Source("/data/run/rank_5.log", 9, 9))
    text = screen(Diagnosis(inputs, findings))
    assert "rank_5.log:2" in text.splitlines()[0]
    assert "/data/run" not in text
    assert "rank_0.log:7  1 consequence" in text
    with addressed(Audience(80)):
        assert "rank_0.log:7" in full.render(Diagnosis(inputs, findings))


def test_ranks_and_runs_are_told() -> None:
    ranks = Ranks(5, (5,), (0, 1, 2, 3, 4, 6, 7), ())
    runs = (Run("build.log", 1, 300, "clean"), Run("build.log", 301, 613, "failed"))
    evidence = ROOT.evidence[0]._replace(line=400, rank=5, time="2024-08-15T02:13:07Z")
    text = screen(replace(FAILED, findings=(replace(ROOT, evidence=(evidence,)),), ranks=ranks, runs=runs))
    assert "rank 5 failed first (2024-08-15 02:13:07); 0-4, 6, 7 waited" in " ".join(text.split())
    text = screen(replace(FAILED, ranks=ranks._replace(failed=(1, 2, 5), waited=())))
    assert "rank 5 failed first; then 1, 2" in " ".join(text.split())
    day = evidence._replace(time="2024-Aug-15 02:13:07.897479")
    text = screen(replace(FAILED, findings=(replace(ROOT, evidence=(day,)),), ranks=ranks))
    assert "rank 5 failed first (2024-Aug-15 02:13:07)" in " ".join(text.split())
    text = screen(replace(FAILED, findings=(replace(ROOT, evidence=(evidence,)),), ranks=ranks, runs=runs))
    assert "2 runs in this file; run 2 (from line 301) is explained" in " ".join(text.split())


@pytest.mark.parametrize(
    ("diagnosis", "words"),
    [
        (Diagnosis((Source("e.log", 0, 0),), ()), "EMPTY"),
        (Diagnosis((Source("e.log", 9, 1),), ()), "NOTHING RECOGNISED"),
        (Diagnosis((Source("e.log", 9, 1),), (), ended_well=True), "CLEAN"),
        (Diagnosis((Source("e.log", 9, 1),), (), {"neuronx-cc": "2.21"}), "NO END SEEN"),
        (Diagnosis((Source("e.log", 9, 1),), (), {"python": "3.11"}), "NOTHING RECOGNISED"),
    ],
)
def test_what_is_not_known_is_not_called_clean(diagnosis: Diagnosis, words: str) -> None:
    assert screen(diagnosis).splitlines()[0].strip().startswith(words)


def test_what_is_said_of_a_log_without_a_failure_contradicts_nothing_in_it() -> None:
    cut = Diagnosis((Source("a.log", 9, 1),), (), {"neuronx-cc": "2.21"}, (Module("MODULE_1", "running"),))
    assert "There is Neuron activity, but neither a failure nor the end" in screen(cut)
    known = screen(replace(cut, environment={}, modules=(), findings=(replace(EXIT, severity="benign", layer="host"),)))
    assert "Harmless  413 │ CC-ExitStatus70 Command" in known
    assert "What is known in it is harmless" in known and "Nothing in it is known" not in known
    for one in (cut, Diagnosis((Source("a.log", 9, 1),), ())):
        same = " ".join(screen(replace(one, against=("no line is new",))).split())
        assert "No line of it is new against the good run." in same


def test_a_compilation_without_a_result_is_not_said_to_run() -> None:
    quiet = Diagnosis((Source("a.log", 9, 1),), (), modules=(Module("MODULE_1", "running"),), ended_well=True)
    text = screen(quiet)
    assert "1 without a result in the log" in text
    assert "running" not in text


def test_everything_has_an_id_in_the_full_answer() -> None:
    with addressed(Audience(80)):
        text = full.render(FAILED)
    assert all(finding.id in text for finding in FAILED.findings)


def frames(finding: Finding) -> str:
    with addressed(Audience(None)):
        return terminal.render(Diagnosis((Source("a.log", 9, 9),), (finding,)))


def test_the_users_own_frame_is_shown_with_its_code() -> None:
    context = ((7, '  File "train.py", line 41, in step'), (8, "    loss.backward()"), (9, "RuntimeError: x"))
    fields = {
        "called_at": "train.py:41",
        "raised_at": "/opt/site-packages/torch/a.py:1",
        "function": "f",
    }
    finding = replace(ROOT, fields=fields, evidence=(Evidence("a.log", 9, 9, "RuntimeError: x", context=context),))
    assert "at train.py:41: loss.backward()" in frames(finding)
    library = replace(finding, fields={"raised_at": fields["raised_at"]})
    assert "at /opt/site-packages/torch/a.py:1" in frames(library)
    assert " at " not in frames(replace(finding, fields={})).partition("more:")[0]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"needed": "22.19GB", "limit": "16.00GB"}, "22.19GB asked, 16.00GB there (1.4 ×)"),
        ({"count": "2064384", "limit": "150000"}, "2,064,384 asked, 150,000 there (13.8 ×)"),
        ({"needed": "33,771,172,352", "available": "25,769,803,776"}, "31.5 GB asked, 24.0 GB there (1.3 ×)"),
        ({"nc_requested": "2", "nc_available": "0"}, "2 asked, 0 there"),
        (
            {"checkpoint": "torch.Size([32000, 4096])", "model": "torch.Size([4000, 4096])"},
            "32,000 in the checkpoint, 4,000 in the model (8.0 ×)",
        ),
    ],
)
def test_what_was_asked_stands_against_what_there_is(fields: dict[str, str], said: str) -> None:
    assert said in frames(replace(ROOT, fields=fields))


def test_numbers_that_cannot_be_compared_are_not() -> None:
    assert "asked" not in frames(replace(ROOT, fields={"needed": "19.000523", "limit": "16GB"}))
    assert "asked" not in frames(replace(ROOT, fields={"nc_requested": "nc0-nc0", "nc_available": "0"}))
    for saved, built in (("[4, 8]", "[8, 4]"), ("[4]", "[4, 8]"), ("[4, 8]", "[4, 8]"), ("[0]", "[4]")):
        assert "checkpoint" not in frames(replace(ROOT, fields={"checkpoint": saved, "model": built}))


def test_where_it_is_discussed_is_said_before_a_second_proof() -> None:
    said = "[TEN404] Internal tensorizer error: " + "a word of the message " * 12
    proofs = tuple(Evidence("a.log", n, n, f"{sign} {said}") for n, sign in ((1, "one"), (2, "two")))
    fix = replace(ROOT.workarounds[0], detail="What to change, told at some length. " * 4)
    root = replace(ROOT, evidence=proofs, cause="A cause that takes some lines to tell. " * 6, workarounds=(fix, fix))
    others = tuple(replace(EXIT, role="context", evidence=(Evidence("a.log", n, n, f"no. {n}"),)) for n in range(3, 8))
    text = screen(replace(FAILED, findings=(root, *others)))
    assert "See   https://github.com/aws-neuron/aws-neuron-sdk/issues/947 (closed)" in text
    assert "one [TEN404]" in text
    assert "two [TEN404]" not in text
