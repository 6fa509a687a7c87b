"""An exception that no entry knows is explained by what it says, in every form in which programs print it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Finding
from neurontriage.triage import explain_text

GIVEN: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "raised.yaml").read_text())
TRACE = 'Traceback (most recent call last):\n  File "/app/train.py", line 3, in <module>\n    go()\n'
FORMS = {
    "traceback": (TRACE + "{said}\n", 5),
    "rank": ("".join(f"[rank0]: {line}\n" for line in (TRACE + "{said}").splitlines()), 5),
    "logged": ("2026-01-02 03:04:05,123 - app - ERROR - the run failed\n" + TRACE + "{said}\n", 6),
    "line": ("[rank0]: {said}\n", 2),
}


def rows(part: str) -> list[tuple[str, str]]:
    """Each entry with each message."""
    return [(entry, said) for entry, all_said in GIVEN[part].items() for said in all_said]


def root(form: str, said: str, catalog: Catalog) -> Finding:
    """What a log is said to have died of; its line is that of the exception."""
    text, line = FORMS[form]
    [found, *_] = explain_text("starting\n" + text.format(said=said), "a.log", catalog).roots
    assert found.evidence[0].line == line
    return found


@pytest.mark.parametrize(("entry", "said"), rows("raised"))
@pytest.mark.parametrize("form", FORMS)
def test_what_is_raised_is_explained(form: str, entry: str, said: str, catalog: Catalog) -> None:
    found = root(form, said, catalog)
    assert (found.because if entry.startswith("REASON-") and not found.by_reason else found.id) == entry


@pytest.mark.parametrize(("entry", "said"), rows("never"))
def test_words_that_only_look_like_a_reason_are_none(entry: str, said: str, catalog: Catalog) -> None:
    found = root("traceback", said, catalog)
    assert entry not in (found.id, found.because)
