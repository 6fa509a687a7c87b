"""The rules of `kb lint`: each finds what it is for, and the shipped entries keep all of them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from shipped import LOADED

from neurontriage.kb import blocks, lint
from neurontriage.knowledge.load import load
from neurontriage.knowledge.schema import Entry

SOUND: dict[str, Any] = {
    "id": "XLA-Example",
    "title": "An example of {what}",
    "layer": "framework",
    "severity": "error",
    "role": "root",
    "status": "draft",
    "match": [{"text": r"torch_xla example (?P<what>\w+) failed"}],
    "cause": "Because.",
    "workarounds": [{"title": "Do it", "kind": "config", "detail": "Now."}],
    "links": [{"url": "https://example.com/x", "title": "X"}],
    "examples": ["torch_xla example seven failed"],
}


def entry(**changes: Any) -> Entry:
    return Entry.model_validate({**SOUND, **changes})


def workaround(**changes: Any) -> list[dict[str, Any]]:
    return [{"title": "Do it", "kind": "config", **changes}]


def told(one: Entry) -> str:
    return "\n".join(message for rule in lint.RULES for message in rule(one))


def test_a_sound_entry_keeps_all_rules() -> None:
    assert told(entry()) == ""


def test_the_shipped_entries_keep_all_rules() -> None:
    assert [str(fault) for fault in lint.faults(LOADED)] == []


RANGE = [{"package": "torch-xla", "events": [{"introduced": "2.5"}]}]
SEEN = [{"seen": "a", "means": "b", "workaround": "Do it"}]
BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "fix": ({"fixed_in": {"sdk": "2.20.0"}}, "no link says 2.20.0"),
    "open": ({"affected": RANGE}, "has no end"),
    "plain": ({"match": [{"text": "heartbeat (?P<what>timeout)"}]}, "any program may print"),
    "python": ({"match": [{"text": "object has no attribute 'decode' of (?P<what>a)"}]}, "any program may print"),
    "source": ({"status": "tested"}, "without `sources`"),
    "block": ({"workarounds": workaround(after="echo 'unclosed")}, "neither Python"),
    "flags": ({"workarounds": workaround(after='export NEURON_CC_FLAGS="-O1"')}, "overwritten"),
    "python flags": ({"workarounds": workaround(after='os.environ["NEURON_CC_FLAGS"] = "-O1"')}, "overwritten"),
    "upgrade": ({"workarounds": workaround(after="pip install --upgrade neuronx-cc")}, "without versions"),
    "reload": ({"workarounds": workaround(after="sudo rmmod neuron && sudo modprobe neuron")}, "say whom"),
    "group": ({"workarounds": workaround(after="ls {who}")}, "no pattern captures {who}"),
    "quoted": ({"check": {"look": "Look", "command": "ls '{what}'"}}, "stands in quotes"),
    "code": ({"workarounds": workaround(kind="code", after="size = {what}")}, "is not filled in within code"),
    "long": ({"workarounds": workaround(detail="word " * 40)}, "needs a `short`"),
    "check": (
        {"check": {"look": "Look", "outcomes": [{"seen": "a", "means": "b", "workaround": "Nothing"}]}},
        "no workaround is called",
    ),
    "outcomes": ({"check": {"look": "Look", "command": "ls"}}, "Give `outcomes`"),
    "script": ({"check": {"look": "Look", "command": "print(x.dtype)", "outcomes": SEEN}}, "belongs into `look`"),
    "title": ({"title": "An example"}, "neither title nor advice uses what"),
    "name": ({"cause": "Because of {who}."}, "{who} stands in a text"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_breaks_a_rule_is_told(name: str) -> None:
    changes, words = BROKEN[name]
    assert words in told(entry(**changes))


MENDED: dict[str, dict[str, Any]] = {
    "fix": {
        "fixed_in": {"sdk": "2.20.0"},
        "links": [{"url": "https://example.com/x", "title": "X", "says": "fixed in SDK 2.20"}],
    },
    "open": {"affected": [{**RANGE[0], "open": "the maintainers keep it open"}]},
    "plain": {**BROKEN["plain"][0], "stack": ["nki"]},
    "flags": {"workarounds": workaround(after='export NEURON_CC_FLAGS="$NEURON_CC_FLAGS -O1"')},
    "upgrade": {"workarounds": workaround(snippet="upgrade-compiler")},
    "reload": {**BROKEN["reload"][0], "blast_radius": "Ends every Neuron job of the host."},
    "quoted": {"check": {"look": "Look", "command": "ls {what} | awk '{print $2}'", "outcomes": SEEN}},
    "outcomes": {"check": {"look": "Look", "command": "ls", "outcomes": SEEN}},
    "script": {"check": {"look": "In the script, `print(x.dtype)`.", "outcomes": SEEN}},
    "code": {"workarounds": workaround(kind="code", after="size = {key}")},
    "long": {"workarounds": workaround(detail="word " * 40, short="Words.")},
}


@pytest.mark.parametrize("name", MENDED)
def test_what_is_mended_is_silent(name: str) -> None:
    assert told(entry(**MENDED[name])) == ""


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("for i in range(n):\n    f(i)", True),
        ("@jit\n", True),
        ("with a() as b:", True),
        ("sudo rmmod neuron && sudo modprobe neuron", True),
        ("export A=1\npython train.py --x", True),
        ("env:\n  - name: A\n    value: '1'", True),
        ('{"dtype": "float32"}', True),
        ("FROM ubuntu\nRUN apt-get update", True),
        ("echo 'unclosed", False),
        ("hlo(..., name=)", False),
    ],
)
def test_blocks(text: str, good: bool) -> None:
    assert blocks.parses(text) is good


def is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def test_shell_blocks_are_shell(tmp_path: Path) -> None:
    """bash itself reads every shell block of the entries and every command of a look, without running it."""
    texts = {
        f"{entry.id}-{number}": text
        for entry in LOADED.entries.values()
        for number, one in enumerate(entry.workarounds)
        if (text := one.after or "") and blocks.runs_in_shell(text) and not is_python(text) and "<" not in text
    }
    texts |= {
        f"{entry.id}-look": entry.check.command
        for entry in LOADED.entries.values()
        if entry.check and entry.check.command
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.sh").write_text(text)
    script = f'for f in {tmp_path}/*.sh; do bash -n "$f" || echo "$f"; done'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert len(texts) > 800
    assert done.stdout == "", done.stderr


def test_own_entries_are_linted(tmp_path: Path) -> None:
    assert lint.faults(load([tmp_path])) == []


@pytest.mark.parametrize(
    ("repeat", "said"),
    [(r"\w{1,1001}", "a bounded repeat over 100"), (r"(?:\w{9,90} ){1,90}", "more than 1000 copies")],
)
def test_repeats_that_re2_refuses_are_refused_where_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repeat: str, said: str
) -> None:
    """With and without RE2: nothing of that kind is left for the moment in which a log is read."""
    file = tmp_path / "framework" / "XLA-Example.yaml"
    file.parent.mkdir()
    file.write_text(yaml.safe_dump(SOUND | {"match": [{"text": f"torch_xla example (?P<what>{repeat}) failed"}]}))
    for missing in ({}, {"re2": None}):
        for name, module in missing.items():
            monkeypatch.setitem(sys.modules, name, module)
        faults = [str(fault) for fault in load([tmp_path]).faults]
        assert len(faults) == 1
        assert re.match(rf"{re.escape(str(file))}:\d+:\d+: match\.0\.text: .*{said}", faults[0])
