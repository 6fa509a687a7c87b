"""A fix that is meant for one case only comes first in that case, and last in every other."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.triage import explain_text

ASKED = "ERROR: Could not find a version that satisfies the requirement torch-neuronx==2.9.*"


@pytest.mark.parametrize(
    ("listed", "first"),
    [
        ("1.0, 2.1.2.2.4.0, 2.8.0.2.10", "Use a Python version that the release supports"),  # the index was found
        ("1.0", "Give pip the Neuron repository"),  # the placeholder of the public index
        ("none", "Give pip the Neuron repository"),
    ],
)
def test_where_releases_are_listed_no_index_is_missing(listed: str, first: str, catalog: Catalog) -> None:
    root = explain_text(f"{ASKED} (from versions: {listed})", "pip.log", catalog).roots[0]
    assert (root.id, root.workarounds[0].title) == ("PIP-NeuronIndexMissing", first)
    assert len({fix.title for fix in root.workarounds}) == 5
