"""Every format of the analyze report against its golden file, and the public JSON against its promises."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from entries import RELEASES, entry_of

from neurontriage import __version__
from neurontriage.analysis.compare import compared
from neurontriage.analysis.formats import names, renderer
from neurontriage.analysis.join import Facts, analyse
from neurontriage.analysis.model import Analysis
from neurontriage.analysis.result import of_document

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "samples" / "analyze"


def analysis(name: str) -> Analysis:
    data = json.loads((SAMPLES / f"{name}.json").read_text())
    return analyse(of_document(f"{name}.json", data), Facts(entry_of, RELEASES))


def stable(text: str) -> str:
    """Without what changes for good reasons: version, style sheet, script and their hashes."""
    text = re.sub(r"<(style|script)>.*?</\1>", r"<\1>…</\1>", text, flags=re.S)
    return re.sub(r"sha256-[\w+/=]+", "sha256-…", text).replace(__version__, "VERSION")


@pytest.mark.parametrize("name", names())
def test_golden(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    now = compared(analysis("training-unsupported-verbosity-1"), analysis("training-supported"))
    text = stable(renderer(name)(now))
    golden = HERE / "golden" / f"unsupported.{name}"
    if os.environ.get("NEURONTRIAGE_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_the_same_report_gives_the_same_bytes() -> None:
    for name in names():
        assert renderer(name)(analysis("made-many-limits")) == renderer(name)(analysis("made-many-limits"))


def test_public_json() -> None:
    data = json.loads(renderer("json")(analysis("training-unsupported-verbosity-1")))
    assert data["schema"] == "neurontriage.report/1"
    assert data["percentage"] == {
        "printed": "60.00%",
        "value": 60.0,
        "recomputed": 60.0,
        "unit": "HLO instructions",
        "supported": 3,
        "total": 5,
        "agrees": True,
    }
    multiply = data["reasons"][0]["hlo"][1]["parsed"]
    assert multiply["opcode"] == "multiply"
    assert multiply["result"] == [{"dtype": "c64", "dims": ["4"], "layout": "{0}"}]


@pytest.mark.parametrize("name", ["terminal", "markdown"])
def test_text_formats_pass_no_escape_sequences_on(name: str) -> None:
    evil = "\x1b]0;pwned\x07\x1b[2Jaten::\u202emul"
    data = {
        "supported_operators": {evil: 1},
        "unsupported_operators": [{"kind": evil, "call": f"{evil} 3", "opGraph": evil}],
    }
    text = renderer(name)(analyse(of_document(evil, data), Facts(entry_of, RELEASES)))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)
