"""Every form in which a secret is printed: what is marked goes, and every other character of the line remains."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from planted import filled

from neurontriage.render.redaction import redacted

HERE = Path(__file__).parent
FORMS, LINES = (yaml.safe_load((HERE / name).read_text(encoding="utf-8")) for name in ("forms.yaml", "lines.yaml"))


def judged(marked: str, strict: bool = False) -> tuple[str, str]:
    """What is shown of a line with «secrets», and what should be: both with empty marks where something went."""
    shown = redacted(marked.replace("«", "").replace("»", ""), strict)
    return re.sub(r"<[a-z-]+-\d+>", "«»", shown), re.sub("«[^»]*»", "«»", marked)


@pytest.mark.parametrize("form", FORMS["strong_forms"])
def test_every_strong_name_in_every_form(form: str) -> None:
    for name in FORMS["strong"].split():
        shown, wanted = judged(form.format(name))
        assert shown == wanted


GENERATED = [one.replace("horse", "h0rse") for one in FORMS["strong_forms"]]


@pytest.mark.parametrize("form", GENERATED + FORMS["weak_forms"])
def test_every_weak_name_in_every_form(form: str) -> None:
    for name in FORMS["weak"].split():
        shown, wanted = judged(form.format(name))
        assert shown == wanted


@pytest.mark.parametrize("line", LINES["always"])
def test_what_goes_and_what_remains(line: str) -> None:
    shown, wanted = judged(filled(line, line))
    assert shown == wanted


@pytest.mark.parametrize("line", LINES["strict"])
def test_what_strict_takes_out_and_the_usual_level_leaves(line: str) -> None:
    marked = filled(line, line)
    shown, wanted = judged(marked, strict=True)
    assert shown == wanted
    bare = marked.replace("«", "").replace("»", "")
    assert redacted(bare) == bare
