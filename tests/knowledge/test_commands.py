"""Captured values in commands: one quoted word each, or the name of what is missing."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurontriage.knowledge.commands import with_values, word

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
