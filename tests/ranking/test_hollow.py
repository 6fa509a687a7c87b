"""Where an exception says nothing, the sentence above it is the root; where it says why, it is that itself."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Finding
from neurontriage.triage import explain_text

GIVEN = yaml.safe_load(Path(__file__).with_name("hollow.yaml").read_text())
TRACE = """Traceback (most recent call last):
  File "/srv/t.py", line 40, in <module>
    main()
  File "/srv/t.py", line 21, in main
    raise error
"""


def root(lead: str, sentence: str, exception: str, catalog: Catalog) -> Finding:
    steps = "".join(f"{lead.replace('ERROR', 'INFO')}step {step} loss 2.{step:03}\n" for step in range(10, 30))
    found = explain_text(f"{steps}{lead}{sentence}\n{TRACE}{exception}\n", "x.log", catalog)
    return next(one for one in found.findings if one.role == "root")


@pytest.mark.parametrize("sentence", GIVEN["sentences"])
@pytest.mark.parametrize("exception", GIVEN["exceptions"])
@pytest.mark.parametrize("lead", GIVEN["leads"])
def test_the_sentence_is_the_root(lead: str, exception: str, sentence: str, catalog: Catalog) -> None:
    assert root(lead, sentence, exception, catalog).evidence[0].text == f"{lead}{sentence}"


@pytest.mark.parametrize("exception", GIVEN["telling"])
def test_what_says_why_is_the_root_itself(exception: str, catalog: Catalog) -> None:
    found = root("", "the queue of the loader is 3 of 64 deep, which is less than usual", exception, catalog)
    assert found.evidence[0].text == exception
