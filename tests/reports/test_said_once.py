"""What stands on the screen stands there once, and what a short answer would hide is shown: statements, next lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from diagnoses import EXIT, FAILED, ROOT, WARNING

from neurontriage.incident import Way, read
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis, Evidence, Finding, Source, Suspect
from neurontriage.ranking.answers.findings import filled
from neurontriage.render.audience import Audience, addressed
from neurontriage.render.chain import chains, excerpts
from neurontriage.render.markdown import change
from neurontriage.render.message import message
from neurontriage.render.places import Names
from neurontriage.render.summary import chain, coda
from neurontriage.reports import full, terminal
from neurontriage.triage import explain_text

LINE = "RuntimeError: the frobnicator of pool 12 rejected a descriptor that nobody has ever seen before in any log"


def said(**changed: object) -> Finding:
    evidence = (Evidence("build.log", 4, 4, LINE),)
    return replace(ROOT, **{"evidence": evidence, "title": LINE, "fields": {}, **changed})  # type: ignore[arg-type]


def screen(*findings: Finding, suspects: tuple[Suspect, ...] = ()) -> str:
    with addressed(Audience(80)):
        return terminal.render(replace(FAILED, findings=findings, suspects=suspects))


@pytest.mark.parametrize(
    ("known", "title"), [(False, "Not recognised, most likely the root:"), (True, "RuntimeError: the frobnicator")]
)
def test_a_title_that_repeats_the_message_takes_one_line(known: bool, title: str) -> None:
    lines = screen(said(known=known)).splitlines()
    assert lines[1].startswith(title)
    assert lines[2] == "" or lines[2].strip().startswith("4 │")


def test_a_warning_that_no_entry_knows_is_not_called_a_root() -> None:
    warned = replace(WARNING, known=False, title=WARNING.evidence[0].text)
    with addressed(Audience(80)):
        text = terminal.render(Diagnosis((Source("build.log", 9, 9),), (warned,)))
    assert "Not recognised:" in text and "most likely the root" not in text


def test_a_line_that_is_shown_is_no_suspect_besides() -> None:
    suspects = (Suspect("build.log", 4, LINE, "it says so"), Suspect("build.log", 9, "Bus error", "it is the last"))
    text = screen(said(known=False), suspects=suspects)
    assert "Maybe  9 │ Bus error" in text and "Maybe  4" not in text


def test_neighbouring_lines_of_a_chain_are_one_range() -> None:
    found = [replace(EXIT, evidence=(Evidence("a.log", line, line, "x"),)) for line in (9, 4, 53, 52, 54, 12)]
    assert chain(found, Names()) == "4 → 9 → 12 → 52-54"


def test_the_last_line_names_an_exception_once_and_is_never_the_id_alone() -> None:
    found = said(id="PY-RuntimeError", fields={"exception": "RuntimeError"})
    assert coda(found, None).startswith("PY-RuntimeError: the frobnicator")
    path = replace(found, known=False, evidence=(Evidence("a.log", 1, 1, "/opt/" + "venv/" * 40 + "x.py:32: no"),))
    assert "/opt/venv" in coda(path, 80)


def test_an_exception_without_words_shows_the_statement_that_raised_it() -> None:
    context = (
        (2, '    |   File "tasks.py", line 445, in wait_for'),
        (3, "    |     assert len(block_table) == 1"),
        (4, "    | AssertionError"),
    )
    evidence = (Evidence("build.log", 4, 4, "| AssertionError", context=context),)
    fields = {"exception": "AssertionError", "message": "AssertionError", "raised_at": "tasks.py:445"}
    text = screen(said(evidence=evidence, fields=fields, title="AssertionError"))
    assert text.count("assert len(block_table) == 1") == 1
    del fields["raised_at"]
    assert "assert len" in screen(said(evidence=evidence, fields=fields, title="AssertionError"))
    with_words = {**fields, "message": "one table only"}
    assert "assert len" not in screen(said(evidence=evidence, fields=with_words, title="x")).partition("Why")[0]


def test_a_cell_of_a_notebook_is_a_place(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "notebook.log"
    lines = ["NameError      Traceback (most recent call last)", "Cell In[7], line 2", "      1 import torch"]
    lines += ["----> 2 train(modle)", "      3 save()", "", "NameError: name 'modle' is not defined"]
    path.write_text("\n".join(lines) + "\n")
    with addressed(Audience(80)):
        assert "at cell 7, line 2: train(modle)" in terminal.render(read([str(path)], catalog).diagnoses[0])


@pytest.mark.parametrize(
    ("text", "following", "shown"),
    [
        ("[ERROR] [NCC_EVRF029]", "  Operation sort is not supported", True),
        ("Failed compilation with:", "\tNCC_X: too large", True),
        ("Failed compilation with:", "the next message", False),
        ("Traceback of:", '  File "a.py", line 3', False),
        ("all is said", "  and more", False),
    ],
)
def test_a_message_goes_on_behind_a_code_or_a_colon(text: str, following: str, shown: bool) -> None:
    found = said(evidence=(Evidence("a.log", 4, 4, text, context=((5, following),)),))
    assert (following.strip() in message(found)) == shown


def test_source_that_a_record_took_with_it_is_not_the_message() -> None:
    fields = {"exception": "TypeError", "message": "no argument 'a' args = Arguments( ^^^^^^^^^"}
    evidence = (Evidence("a.log", 4, 6, "TypeError: no argument 'a'"),)
    assert message(said(fields=fields, evidence=evidence)) == "TypeError: no argument 'a'"


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"code": "XTP002"}, "Too many instructions (XTP002)"),
        ({"code": "XTP002", "count": "9", "limit": "5"}, "Too many instructions (XTP002): 9, limit 5"),
        ({"count": "9"}, "Too many instructions: 9"),
    ],
)
def test_a_title_names_no_value_that_is_missing(fields: dict[str, str], title: str) -> None:
    assert filled("Too many instructions ({code}): {count}, limit {limit}", fields) == title


def test_what_is_missing_in_brackets_goes_alone() -> None:
    title = "numpy mismatch ({module}, built {a}, installed {b})"
    assert filled(title, {"a": "0xf", "b": "0xe"}) == "numpy mismatch (built 0xf, installed 0xe)"


def test_what_followed_is_drawn_in_the_order_of_the_log() -> None:
    followed = [replace(EXIT, id=f"X-{n}", evidence=(Evidence("a.log", n, n, "x"),)) for n in (30, 10, 20)]
    [tree] = chains([ROOT, *(replace(one, caused_by=ROOT.id) for one in followed)])
    assert [node.finding.id for node in tree.caused] == ["X-10", "X-20", "X-30"]


def test_a_header_without_a_message_is_no_finding(catalog: Catalog) -> None:
    head = "2026-03-28T14:10:42Z ERROR 1041591 [neuronxcc.driver.CommandDriver]: "
    log = f"{head}[INTERNAL_ERROR] [NCC_IBIR440] Expect all\n{head}\n{head.strip()}\n"
    assert [one.evidence[0].line for one in explain_text(log, "a.log", catalog).findings] == [1]


def test_behind_the_last_line_there_is_none(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "a.log"
    path.write_text("RuntimeError: Bad StatusOr access: it is gone\n")
    [finding, *_] = read([str(path)], catalog, Way(context=lambda: True)).diagnoses[0].findings
    assert [number for number, _ in finding.evidence[0].context] == [1]


def test_the_chain_says_what_it_ended_in() -> None:
    later = replace(
        EXIT, id="DIST-ExitCode", title="torchrun reports a failed rank", evidence=(at(600, "exitcode: 1"),)
    )
    text = screen(ROOT, replace(EXIT, evidence=(at(413, "x"),)), later)
    assert "Then  413 → 600  2 consequences; last: torchrun reports a failed rank" in text
    again = replace(ROOT, role="consequence", evidence=(at(700, "[TEN404] the pass gave up again"),))
    assert "last: [TEN404] the pass gave up again" in screen(ROOT, again), "not the title that stands above"


def at(line: int, text: str) -> Evidence:
    return Evidence("build.log", line, line, text)


def test_an_error_of_the_same_kind_is_told_by_its_words_and_a_bare_name_not_at_all() -> None:
    main = said(fields={"exception": "RuntimeError"})
    same = replace(main, role="context", evidence=(at(5, "the pool of rank 3 is empty"),))
    bare = replace(main, id="PY-RuntimeError", role="context", evidence=(at(9, "RuntimeError"),))
    rows = [line for line in screen(main, same, bare).splitlines() if line.startswith("  Error")]
    assert rows == ["  Error  5 │ the pool of rank 3 is empty"]


def test_a_line_of_the_message_is_no_error_of_its_own() -> None:
    main = said(evidence=(at(3, LINE)._replace(end_line=6),))
    inside = replace(main, role="context", evidence=(at(5, "test failed at batch 0, too"),))
    again = replace(main, id="PLAIN-Unknown", known=False, role="context", evidence=(at(99, LINE),), fields={})
    other = replace(again, evidence=(at(120, "quite another thing has failed"),))
    rows = [line for line in screen(main, inside, again, other).splitlines() if line.startswith("  Error")]
    assert rows == ["  Error  120 │ quite another thing has failed"]


def test_a_frame_does_not_repeat_the_message() -> None:
    fields = {"exception": "RuntimeError", "called_at": "train.py:41", "called_in": "step"}
    assert "at train.py:41 in step" in screen(said(fields={**fields, "called_code": LINE}))
    assert "nobody" not in screen(said(title="A pool", fields={**fields, "called_code": LINE})).partition("at train")[2]
    assert "at train.py:41 in step: pool.submit(it)" in screen(
        said(fields={**fields, "called_code": "pool.submit(it)"})
    )


def test_a_cause_is_not_cut_to_a_few_words_while_the_message_takes_many_lines(catalog: Catalog) -> None:
    line = (
        "Error loading model: CUDA out of memory. Tried to allocate 1008.00 MiB. GPU 0 has a total capacity of "
        "14.74 GiB of which 7.43 GiB is free. Process 7 has 7.31 GiB memory in use. 7.37 GiB allowed; Of the "
        "allocated memory 7.01 GiB is allocated by PyTorch, and 146.57 MiB is reserved by PyTorch but unallocated."
        " If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
        " to avoid fragmentation.\n"
    )
    full = explain_text(line, catalog=catalog)
    with addressed(Audience(80)):
        text = terminal.render(replace(full, findings=(*full.findings, WARNING)))
    assert text.count("\n") <= terminal.LINES
    assert text.partition("  Why   ")[2].partition("\n  Look")[0].count("\n") == 1, "two lines"


def test_a_line_that_says_a_part_of_one_above_it_is_no_further_proof() -> None:
    evidence = (*said().evidence, Evidence("build.log", 9, 9, LINE[:60]), Evidence("build.log", 12, 12, "another"))
    text = screen(said(evidence=evidence))
    assert "    9 │" not in text
    assert "   12 │ another" in text


def test_what_an_entry_says_is_told_once_in_the_full_answer() -> None:
    again = said(role="context", evidence=(Evidence("build.log", 9, 9, LINE),))
    warning = replace(WARNING, cause="It is old.", workarounds=ROOT.workarounds[1:])
    warned = tuple(replace(warning, evidence=(Evidence("build.log", n, n, "a warning"),)) for n in (20, 30))
    with addressed(Audience(80)):
        text = full.render(replace(FAILED, findings=(said(), again, *warned)))
    assert text.count(again.cause[:40]) == text.count(again.workarounds[0].title) == text.count("It is old.") == 1
    assert all(f"{line}  {one.id}" in text for line, one in ((9, again), (20, warned[0]), (30, warned[1])))


def test_code_is_called_before_and_after_where_there_are_both() -> None:
    assert [*change("a", "b")] == ["Before:\n\n```\na\n```", "After:\n\n```\nb\n```"]
    assert [*change("", "b", "sh")] == ["```sh\nb\n```"]


def test_lines_that_a_broken_line_was_put_together_of_are_not_shown_again() -> None:
    """The lines below it are; those of a message that goes on in words of its own are, too."""
    whole = Evidence("build.log", 4, 5, "a line that was broken in two", context=((5, "broken in two"), (6, "next")))
    several = Evidence("build.log", 4, 5, "a message:", context=((5, "and how it goes on"),))
    assert [line.line for line in excerpts(said(evidence=(whole,)), {})["build.log"]] == [4, 6]
    assert [line.line for line in excerpts(said(evidence=(several,)), {})["build.log"]] == [4, 5]
