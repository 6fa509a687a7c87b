"""A failed log that holds several runs is read once more, run by run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from neurontriage.errors import TriageError
from neurontriage.facts.runs import Openings
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Diagnosis
from neurontriage.read.inputs import Input, logs
from neurontriage.runs import of_last_failed
from neurontriage.triage import diagnose


def with_runs(whole: Diagnosis, inputs: Sequence[Input], catalog: Catalog) -> Diagnosis:
    """The answer for the run that counts, where the one log of a diagnosis holds several.

    Only where something was found, so that healthy logs are read once. Pipes cannot be read again, and the files of
    several ranks are runs side by side: both stay as they are.
    """
    if len(whole.inputs) != 1 or whole.verdict not in ("failed", "warned"):
        return whole
    path, openings = whole.inputs[0].path, Openings()
    for _ in openings.watch(_content(path, inputs)):
        pass
    if not openings.starts:
        return whole
    return of_last_failed(
        whole,
        openings.starts,
        lambda content: diagnose([(path, content)], catalog),
        lambda: _content(path, inputs),
    )


def _content(path: str, inputs: Sequence[Input]) -> Iterator[bytes]:
    """The blocks of one log; what broke off in the first reading, where it was said, breaks off here without a word."""
    for one in inputs:
        if one.path is None or not one.path.is_file() or not path.startswith(one.name):
            continue
        with suppress(TriageError):
            for name, content in logs(one):
                if name == path:
                    yield from content
                    return
