"""A grammar file and what its directives make of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from neurontriage.parse.family import Start, read_families, read_family, read_payload, read_record

COMMON = "WORD: /[a-zé]+/\nREST.-5: /.+/\nNUMBER: /\\d+/\n"
RULES = """
start: told | other
told: "told " WORD REST?
other: "other " NUMBER
%import .common (WORD, REST)
%import .common (NUMBER)
"""
WHOLE = (
    """// A family. é
//! layer runtime
//! unknown A-Unknown
//! scan+8 told \\w
//! payload other
//! mark+2 well done
//! course step \\d
//! failure told
//! echo other third
//! warning fourth
"""
    + RULES
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "common.lark").write_text(COMMON, "utf-8")
    (tmp_path / "whole.lark").write_text(WHOLE, "utf-8")
    (tmp_path / "bare.lark").write_text('start: a\na: "x"\n', "utf-8")
    least = "//! layer host\n//! unknown B-Unknown\n//! payload x\n//! generic yes\n"
    (tmp_path / "least.lark").write_text(least + 'start: a\na: "x"\n', "utf-8")
    return tmp_path


def test_directives(folder: Path) -> None:
    least, whole = read_families(folder)
    assert (whole.name, whole.layer, whole.unknown, whole.generic) == ("whole", "runtime", "A-Unknown", False)
    assert whole.starts == (
        Start(r"told \w", True, 8),
        Start("other", False),
        Start("well done", True, 2, "mark"),
        Start(r"step \d", True, 0, "course"),
    )
    assert whole.kinds == {"told": "failure", "other": "echo", "third": "echo", "fourth": "warning"}
    assert (least.name, least.layer, least.starts, least.generic) == ("least", "host", (Start("x", False),), True)


def test_what_is_imported_stands_in_the_grammar(folder: Path) -> None:
    whole = read_family(folder / "whole.lark")
    assert "import" not in whole.grammar.text
    assert whole.parse("told élan 17 x") == ("told", (("word", 5, 9), ("rest", 9, 14)))
    assert whole.parse("other 17") == ("other", (("number", 6, 8),))
    assert whole.parse("other x") is None


@pytest.mark.parametrize("missing", ["//! layer runtime", "//! unknown A-Unknown", "//! scan+8 told \\w"])
def test_a_directive_that_is_missing(folder: Path, missing: str) -> None:
    text = WHOLE.replace(missing, "//").replace("//! payload", "//").replace("//! mark+2", "//")
    (folder / "whole.lark").write_text(text.replace("//! course", "//"), "utf-8")
    with pytest.raises(ValueError, match=r"whole\.lark: a grammar needs"):
        read_family(folder / "whole.lark")


def test_payload_and_record(tmp_path: Path) -> None:
    (tmp_path / "payload.lark").write_text(
        '//! scan é\n//! scan+3 b$\n//! mark c\n//! tests+2 d\nstart: a\na: "é"\n', "utf-8"
    )
    (tmp_path / "record.lark").write_text('start: a // é\na: "x"\n', "utf-8")
    grammar, starts = read_payload(tmp_path)
    assert grammar.automaton.parse("é") is not None
    assert starts == (Start("é", True), Start("b$", True, 3), Start("c", True, 0, "mark"), Start("d", True, 2, "tests"))
    assert read_record(tmp_path).text == 'start: a // é\na: "x"\n'
