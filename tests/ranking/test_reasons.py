"""A failure that no entry knows is explained by the reason which it states, whatever program prints it, and where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.lines.patterns import literals
from neurontriage.ranking.answers.codes import broad, codes
from neurontriage.triage import explain_text

GIVEN: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "reasons.yaml").read_text())
STATED = [(entry, said) for entry, all_said in GIVEN["reasons"].items() for said in all_said]


@pytest.mark.parametrize(("entry", "said"), STATED)
@pytest.mark.parametrize("form", GIVEN["forms"])
def test_a_stated_reason_is_explained(form: str, entry: str, said: str, catalog: Catalog) -> None:
    text, line = GIVEN["forms"][form]
    [root, *_] = explain_text(text.format(said=said), "a.log", catalog).roots
    assert (root.id, root.evidence[0].line) == (entry, line)
    assert said.rstrip(".") in root.title, "the log's own words"
    assert root.known and root.general and root.by_reason and not root.recognised
    assert root.cause.startswith("No entry knows this message itself. ")


@pytest.mark.parametrize(("entry", "name"), [(entry, name) for entry, all_ in GIVEN["names"].items() for name in all_])
@pytest.mark.parametrize("module", ["", "frob.errors.", "com.frob.io."])
def test_the_name_of_an_own_exception_is_a_reason(module: str, entry: str, name: str, catalog: Catalog) -> None:
    trace = 'Traceback (most recent call last):\n  File "/app/train.py", line 3, in <module>\n    go()\n'
    [root, *_] = explain_text(f"starting\n{trace}{module}{name}: widget 17\n", "a.log", catalog).roots
    assert (root.id, root.evidence[0].line) == (entry, 5)
    [root, *_] = explain_text(f"starting\n{trace}{module}{name}: connection refused\n", "a.log", catalog).roots
    assert root.id == "REASON-ConnectionRefused", "what the message says comes first"


@pytest.mark.parametrize("name", ["FrobError", "OddWidget", "TrainerException"])
def test_a_name_without_a_reason_explains_nothing(name: str, catalog: Catalog) -> None:
    trace = 'Traceback (most recent call last):\n  File "/app/train.py", line 3, in <module>\n    go()\n'
    [root, *_] = explain_text(f"starting\n{trace}{name}: widget 17\n", "a.log", catalog).roots
    assert not root.known


@pytest.mark.parametrize("said", ["Device: lost in the post", "Network: 17 odd widgets", "Server: the frob is askew"])
def test_a_heading_is_no_name_of_an_exception(said: str, catalog: Catalog) -> None:
    [root, *_] = explain_text(f"starting\nERROR {said}\nexit status 1\n", "a.log", catalog).roots
    assert not root.known


@pytest.mark.parametrize("said", ["the frob is odd", "frob 3 of widget 7 stands askew"])
def test_what_states_no_reason_stays_unknown(said: str, catalog: Catalog) -> None:
    [root, *_] = explain_text(f"starting\nError: {said}\nexit status 1\n", "a.log", catalog).roots
    assert not root.known


def test_a_reason_moves_no_root_and_makes_no_alarm(catalog: Catalog) -> None:
    """They only explain: with all of them off the same lines are the answer."""
    off = catalog.without({one.entry for one in catalog.stated})
    for text, _ in GIVEN["forms"].values():
        for said in ("connection refused", "the frob is odd", "INFO: connection refused is not expected"):
            log = text.format(said=said) + "all done\n"
            places = [
                [(one.severity, one.role, one.evidence[0].line) for one in explain_text(log, "a.log", each).findings]
                for each in (catalog, off)
            ]
            assert places[0] == places[1]


def test_who_knows_the_step_tells_the_reason_that_its_line_passes_on(catalog: Catalog) -> None:
    """Both causes, the fixes of the reason first, and the outcomes of the check name fixes that are there."""
    said = "NCCL init error: Error opening libwidget.so.3: cannot open shared object file"
    [root, *_] = explain_text(f"starting\n{said}\nexit status 1\n", "a.log", catalog).roots
    assert (root.id, root.because) == ("COL-NetworkInitFailed", "REASON-Library")
    [step, reason] = [catalog.article(one) for one in (root.id, root.because)]
    assert root.cause == f"{reason['cause']} {step['cause']}"
    titles = [fix.title for fix in root.workarounds]
    assert titles == [fix["title"] for fix in (*reason["workarounds"], *step["workarounds"])]
    assert root.check is not None and "grep -F libwidget.so.3" in (root.check.command or "")
    assert {one.workaround for one in root.check.outcomes} <= set(titles)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("rpc error: code = Internal desc = api error AccessDenied: no", ("AccessDenied", "access denied")),
        ("status = StatusCode.UNIMPLEMENTED details = x", ("UNIMPLEMENTED", "unimplemented")),
        ("An error occurred (NoSuchKey) when calling Get", ("NoSuchKey", "no such key")),
        ("INVALID_ARGUMENT: shapes differ", ()),
        ("copy_from_user failed, ret: -12", ()),
        ("nothing", ()),
    ],
)
def test_the_innermost_code_decides_unless_it_is_vague(said: str, expected: tuple[str, ...]) -> None:
    assert codes(said) == expected


def test_vague_codes_and_those_of_the_system_come_last() -> None:
    assert broad("INVALID_ARGUMENT: shapes differ") == ("INVALID_ARGUMENT", "invalid argument")
    assert broad("copy_from_user failed, ret: -12") == ("Cannot allocate memory", "ENOMEM", "enomem")
    assert broad("ret: -999") == ()


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("widget-run: command not found", "command -v widget-run"),
        ("dial tcp: lookup w.example.com: no such host", "getent hosts w.example.com"),
        ("dial tcp 10.0.0.7:2379: connect: connection refused", "nc -zv -w 5 10.0.0.7 2379"),
        ("environment variable WIDGET_HOME is not set", "printenv WIDGET_HOME"),
    ],
)
def test_the_look_is_at_what_the_line_names(said: str, command: str, catalog: Catalog) -> None:
    [root, *_] = explain_text(f"starting\nError: widget 3: {said}\nexit status 1\n", "a.log", catalog).roots
    assert root.check is not None and command in (root.check.command or "")


def test_a_title_begins_where_the_reason_stands(catalog: Catalog) -> None:
    """Behind many words that say nothing the clause with the reason is shown."""
    [root, *_] = explain_text(f"Error: {'widget of a widget: ' * 9}structure needs cleaning\n", "a.log", catalog).roots
    assert root.title.endswith("widget of a widget: structure needs cleaning") and ": … " in root.title


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"(?i)\bConnection refused\b", ("connection refused",)),
        (r"\b(?:cannot|could not) (?:open|read)\b", ("annot", "ould not")),
        (r"\bunknown (?:option|flag)s?\b", ("unknown ",)),
        (r"\b(?:bad|corrupt) (?:header)?", ("bad", "corrupt")),
        (r"a|[bc]", ("",)),
        (r"(?:abc)?\d+", ("",)),
    ],
)
def test_one_of_the_literals_stands_in_every_match(text: str, expected: tuple[str, ...]) -> None:
    assert literals(text) == expected


@pytest.mark.parametrize(
    ("said", "entry"),
    [
        ("ValueError: prefill 9216 exceeds the maximum of 8192 tokens. Please set a longer bucket.", "REASON-Limit"),
        ("RuntimeError: ring /dev/shm/r0 is already in use by pid 44; set another name.", "REASON-Busy"),
        ("RuntimeError: the lanes of unit 3 are crossed, please set the variable LANES", "PY-RuntimeError"),
        ("ValueError: crossed lanes. Possible causes: 1. FROB is not installed. 2. rust.", "PY-ValueError"),
    ],
)
def test_a_class_of_exceptions_gives_way_to_a_reason_not_to_advice(said: str, entry: str, catalog: Catalog) -> None:
    """What a sentence of advice names is no reason."""
    log = f'Traceback (most recent call last):\n  File "/app/train.py", line 3, in <module>\n    go()\n{said}\n'
    [root, *_] = explain_text(log, "a.log", catalog).roots
    assert (root.id, root.evidence[0].line) == (entry, 4)


def test_a_long_sentence_is_shown_from_the_clause_that_names_the_refused_value(catalog: Catalog) -> None:
    """Signs between the parts of a reason are left out of what is read; it is found in the message all the same."""
    where = "/fsx/shared/teams/platform/experiments/2026-11/configs/final/run.yaml"
    refused = "the value 'ring7' of frob is not one of 'fifo', 'ring', 'tree'"
    said = f"could not apply the run that was read from {where}: {refused}"
    [root, *_] = explain_text(f"starting\nError: {said}\nexit status 1\n", "a.log", catalog).roots
    assert root.id == "REASON-Choice" and root.title.endswith(f"… {refused}")
