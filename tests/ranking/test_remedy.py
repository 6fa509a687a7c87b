"""What a line asks for itself comes first among the fixes; a sentence that only looks like a demand does not."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import LISTED, STATED, Workaround
from neurontriage.ranking.answers.remedy import first, listed, stated
from neurontriage.triage import explain_text


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("pool 4 is frozen. Please pass `thaw=True` to open it.", "Please pass `thaw=True` to open it"),
        ("X is set to a, Please set it to the right value.", "Please set it to the right value"),
        ("no head in /m/heads.pt.Recompile the model with sharded=True.", "Recompile the model with sharded=True"),
        ("len 9 is over 8. Try increasing `mem` or decreasing `len`.", "Try increasing `mem` or decreasing `len`"),
        ("it has expired. To refresh it run frob login.", "To refresh it run frob login"),
        ("with a, you must also set --frobs to the same", "you must also set --frobs to the same"),
        ("it is full. Using a smaller frob may help.", "Using a smaller frob may help"),
        ("it is not there. Use `frob` argument if needed.", ""),
        ("op failed; set X_FOO=1 to go on", "set X_FOO=1 to go on"),
        ("To use frob here, you must use the 'spawn' way", "To use frob here, you must use the 'spawn' way"),
        ("it broke. Please open a support ticket at example.com", ""),
        ("it broke. Please report this issue.", ""),
        ("Reduce operation with several operands is not supported", ""),
        ("Using a symbolic value as a bool is not allowed", ""),
        ("use of closed network connection", ""),
        ("Load failed for model 'x'", ""),
        ("You can see what is there", ""),
        ("If much is reserved try setting FROB=1.", ""),
        ("free size 1024 exceeds 512, split the tile along it", "split the tile along it"),
        ("it is set up already, restart the runtime and pass `a=1`", "restart the runtime and pass `a=1`"),
        ("it failed. Frames are hidden. Set FROB_TRACEBACK_FILTER=off to see them.", ""),
        ("it recompiled. For more context, set TORCH_LOGS='+dynamo'", ""),
    ],
)
def test_the_deed_that_a_message_asks_for(text: str, asked: str) -> None:
    assert stated(text) == asked


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("type frob is unknown. Supported types are: ['a', 'b'].", "Supported types are: ['a', 'b']"),
        ("invalid choice: '4' (choose from '1', '2')", "choose from '1', '2'"),
        ("frob must be one of ('a', 'b'); got 'c'", "must be one of ('a', 'b')"),
        ("no frob float8. Available modes: a, b. See the docs.", "Available modes: a, b"),
        ('frob is refused; valid values are "a", "b" or "c"', 'valid values are "a", "b" or "c"'),
        ("the file is available at: /x/y, /z", ""),
        ("only one is supported (frob)", ""),
        ("no known 'frob' or 'widget'", ""),
    ],
)
def test_what_a_message_lists_as_allowed(text: str, allowed: str) -> None:
    assert listed(text) == allowed


def test_what_is_listed_is_the_first_fix_of_a_class_answer_once() -> None:
    fixes = [Workaround("Upgrade", "upgrade"), Workaround(LISTED, "config", "As it stands there.")]
    given = first(fixes, "frob is unknown. Supported types are: ['a', 'b'].", wide=True)
    assert [(fix.title, fix.detail) for fix in given] == [(LISTED, "Supported types are: ['a', 'b']."), ("Upgrade", "")]
    assert first(fixes, "frob is unknown. Supported types are: ['a', 'b'].", wide=False) == tuple(fixes)


def test_the_fix_that_names_the_same_is_first_and_only_a_class_answer_gets_one_of_its_own() -> None:
    fixes = [Workaround("Upgrade", "upgrade"), Workaround("Thaw it", "code", after="open(--thaw-it)")]
    asks, other = "frozen. Please pass thaw_it=True.", "frozen. Please pass warm_it=True."
    assert [fix.title for fix in first(fixes, asks, wide=False)] == ["Thaw it", "Upgrade"]
    assert [fix.title for fix in first(fixes, asks, wide=True)] == ["Thaw it", "Upgrade"]
    assert [fix.title for fix in first(fixes, other, wide=False)] == ["Upgrade", "Thaw it"]
    assert [fix.title for fix in first(fixes, other, wide=True)] == [STATED, "Upgrade", "Thaw it"]
    assert first(fixes, "it is frozen", wide=True) == tuple(fixes)


def test_only_the_root_is_answered_in_its_own_words(catalog: Catalog) -> None:
    log = (
        'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    go()\n'
        "widgetlib.WidgetError: pool 4 is frozen. Please pass `thaw=True` to open it.\n"
        "srun: error: n1: task 0: Exited with exit code 1\n"
    )
    found = explain_text(log, "a.log", catalog).findings
    assert [one.workarounds[0].title == STATED for one in found[:2]] == [True, False]
