"""The part that a line plays, by its form first and by its entry second."""

from __future__ import annotations

import pytest

from neurontriage.claims.roles import role
from neurontriage.model import Event, Evidence, Said

ROOT, WRAPPER = {"role": "root"}, {"role": "wrapper"}
NOBODY = None
CALM = ("INFO", "DEBUG")


@pytest.mark.parametrize(
    ("kind", "words", "level", "brief", "family", "part"),
    [
        ("coded", "", "", NOBODY, "", "raise"),
        ("exception", "", "", NOBODY, "", "raise"),
        ("status", "", "", NOBODY, "", "raise"),
        ("located", "", "", NOBODY, "", "raise"),
        ("assertion", "", "", NOBODY, "", "raise"),
        ("coded", "EXIT SIGNAL WRAP", "", WRAPPER, "failure", "wrap"),
        ("warned", "", "", NOBODY, "", "note"),
        ("frame", "LIMIT", "", NOBODY, "", "note"),
        ("rule", "", "", NOBODY, "", "note"),
        ("setting", "", "", NOBODY, "", "note"),
        ("", "", "", NOBODY, "failure", "note"),
        ("", "LIMIT", "", ROOT, "", "raise"),
        ("plain", "INABILITY", "INFO", NOBODY, "", "note"),
        ("plain", "INABILITY", "DEBUG", NOBODY, "", "note"),
        ("plain", "INABILITY", "INFO", ROOT, "", "raise"),
        *(("plain", word, level, NOBODY, "", "note") for word in ("EXIT", "STATUS", "WRAP") for level in CALM),
        ("coded", "", "INFO", NOBODY, "", "raise"),
        ("assertion", "", "DEBUG", NOBODY, "", "raise"),
        ("plain", "INABILITY", "WARNING", NOBODY, "", "note"),
        ("plain", "INABILITY", "WARNING", ROOT, "", "raise"),
        ("plain", "INABILITY", "ERROR", NOBODY, "", "raise"),
        ("coded", "", "", NOBODY, "echo", "echo"),
        ("coded", "ABOVE", "", NOBODY, "", "echo"),
        ("coded", "ABOVE", "", ROOT, "echo", "raise"),
        ("coded", "EXIT", "", NOBODY, "", "exit"),
        ("coded", "EXIT REASON", "", NOBODY, "", "raise"),
        ("coded", "EXIT INABILITY", "", NOBODY, "", "exit"),
        ("plain", "EXIT", "", ROOT, "failure", "exit"),
        ("signal", "LIMIT", "", NOBODY, "", "signal"),
        ("plain", "SIGNAL", "", NOBODY, "", "signal"),
        ("plain", "SIGNAL LIMIT", "", NOBODY, "", "raise"),
        ("coded", "WRAP", "", NOBODY, "", "wrap"),
        ("coded", "WRAP REASON", "", NOBODY, "", "raise"),
        ("coded", "WRAP LIMIT", "", NOBODY, "", "raise"),
        ("coded", "WRAP SIZE", "", NOBODY, "", "raise"),
        ("plain", "STATUS", "", NOBODY, "", "raise"),
        ("plain", "", "", NOBODY, "failure", "raise"),
        ("plain", "STATUS", "WARNING", NOBODY, "", "raise"),
        ("plain", "", "", NOBODY, "", "state"),
        ("plain", "FAILED", "", NOBODY, "", "state"),
        *(
            ("plain", word, "", NOBODY, "", "raise")
            for word in ("LIMIT", "MISSING", "REFUSED", "INVALID", "REASON", "EXPECTED")
        ),
    ],
)
def test_roles(kind: str, words: str, level: str, brief: dict | None, family: str, part: str) -> None:
    said = Said(kind, frozenset(words.split()), 5, level)
    assert role(Event("plain", "x", {}, Evidence("a", 1, 1, "x"), said=said), brief, family) == part
