"""Captured values in commands: one quoted word each, or the name of what is missing."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.knowledge.commands import with_values, word
from neurontriage.triage import explain_text

ENTRY = {
    "match": [{"text": "No such file: (?P<path>.+)"}, {"text": "gone"}, {"family": "nrt", "kind": "status"}],
    "check": {"look": "Is it there?", "command": "ls -l {path}; echo ${HOME} {other}"},
    "workarounds": [
        {"title": "Remove it", "kind": "config", "after": "rm {path}\n"},
        {"title": "Write it", "kind": "code", "after": "open(f'{path}')"},
        {"title": "Look", "kind": "config"},
    ],
}


@pytest.mark.parametrize(
    ("value", "command"),
    [
        ("/tmp/a.neff", "rm /tmp/a.neff\n"),
        ("/tmp/a b.neff", "rm '/tmp/a b.neff'\n"),
        ("/tmp/$(reboot)", "rm '/tmp/$(reboot)'\n"),
        ("-rf /", "rm PATH\n"),
        ("a\nreboot", "rm PATH\n"),
        ("x" * 201, "rm PATH\n"),
        (None, "rm PATH\n"),
    ],
)
def test_a_value_is_one_word(value: str | None, command: str) -> None:
    told = with_values(ENTRY, {"path": value})
    assert told["workarounds"][0]["after"] == command
    assert told["check"]["command"].endswith("; echo ${HOME} {other}")


def test_code_and_entries_without_groups_stay() -> None:
    assert with_values(ENTRY, {"path": "/x"})["workarounds"][1:] == ENTRY["workarounds"][1:]
    plain = {"match": [{"text": "gone"}], "workarounds": [{"title": "A", "kind": "config", "after": "rm {path}"}]}
    assert with_values(plain, {"path": "/x"}) == plain


@given(st.text())
def test_nothing_escapes_the_word(value: str) -> None:
    told = word("path", value)
    assert shlex.split(told, posix=True) in ([value.strip()], ["PATH"])
    assert told == "PATH" or not told.startswith("-")


TOLD = {
    "match": [{"text": "No such file: (?P<path>.+)"}],
    "cause": "{path} is gone, {other} is code.",
    "check": {"look": "Is {path} there?", "outcomes": [{"seen": "no {path}", "means": "{path} is gone"}]},
    "workarounds": [{"title": "Write {path}", "kind": "code", "detail": "To {path}.", "after": "open(f'{path}')"}],
}


@pytest.mark.parametrize(
    ("value", "shown"),
    [("/tmp/a b", "/tmp/a b"), ("a\n  b", "a b"), (None, "…"), ("x" * 121, "x" * 120 + "…")],
)
def test_texts_hold_values_too(value: str | None, shown: str) -> None:
    told = with_values(TOLD, {"path": value})
    assert told["cause"] == f"{shown} is gone, {{other}} is code."
    assert told["check"]["look"] == f"Is {shown} there?"
    assert told["check"]["outcomes"] == [{"seen": f"no {shown}", "means": f"{shown} is gone"}]
    assert told["workarounds"] == [{**TOLD["workarounds"][0], "detail": f"To {shown}."}]


def test_the_command_for_a_failed_module_names_it() -> None:
    line = (
        "ERROR ||NEURON_CC_WRAPPER||: Failed compilation with ['neuronx-cc', 'compile', '--target=trn2', "
        "'--framework=XLA', '/tmp/w/model.MODULE_1+2.hlo_module.pb', '--output', '/tmp/w/model.neff']: \n"
    )
    [finding] = explain_text(line).findings
    commands = [one.after for one in finding.workarounds if one.after]
    assert any("/tmp/w/model.MODULE_1+2.hlo_module.pb --target=trn2" in command for command in commands)
