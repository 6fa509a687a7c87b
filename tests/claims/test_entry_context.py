"""Entries meant for other programs or another era than the log shows do not win in it."""

from __future__ import annotations

import pytest

from neurontriage import triage
from neurontriage.claims.context import Context
from neurontriage.knowledge.catalog import Catalog, load


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load()


def brief(**given: object) -> dict[str, object]:
    return {"stack": [], "applies": [], "plain": False, **given}


def test_nothing_is_said_where_the_entry_or_the_log_names_no_program() -> None:
    assert Context(frozenset(), {}).fits(brief(stack=["vllm"])) is None
    assert Context(frozenset({"vllm"}), {}).fits(brief()) is None


def test_only_plain_words_are_gated() -> None:
    shown = Context(frozenset({"torch-xla"}), {})
    assert shown.excludes(brief(stack=["tensorflow-neuron"], plain=True))
    assert not shown.excludes(brief(stack=["tensorflow-neuron"], plain=False))
    assert not shown.excludes(brief(stack=["torch-xla"], plain=True))


def test_an_era_is_left_by_a_printed_version() -> None:
    assert Context(frozenset(), {"nki": "0.3.0"}).outdates(brief(applies=["nki<0.1"]))
    assert not Context(frozenset(), {}).outdates(brief(applies=["nki<0.1"]))
    assert Context(frozenset(), {"neuronx-cc": "2.21.1"}).outdates(brief(applies=["inf1"]))


H5PY = "AttributeError: 'str' object has no attribute 'decode'"
LOG = 'Traceback (most recent call last):\n  File "{}", line 3, in load\n    a.decode()\n' + H5PY + "\n"


def test_an_entry_for_tensorflow_does_not_win_in_a_vllm_log(catalog: Catalog) -> None:
    own = triage.explain_text(LOG.format("/site-packages/tensorflow_core/python/keras/saving/hdf5_format.py"))
    other = triage.explain_text(LOG.format("/site-packages/vllm/engine/core.py"))
    assert own.findings[0].id == "TFN-H5py3"
    assert other.findings[0].id == "PY-MissingAttribute"


def test_context_counts_in_the_confidence(catalog: Catalog) -> None:
    for entry in catalog.briefs.values():
        sure = entry["confidence"]
        assert sure["True"] >= sure["None"] >= sure["False"]
