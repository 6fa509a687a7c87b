"""Computed commands: pinned to one release, for the stack that the log prints."""

from __future__ import annotations

import pytest

from neurontriage.knowledge.catalog import Catalog
from neurontriage.knowledge.snippets import filled

UPGRADE = {"title": "Upgrade", "kind": "upgrade", "snippet": "upgrade-compiler"}


@pytest.mark.parametrize(
    ("environment", "pinned"),
    [
        ({}, "neuronx-cc==2.26.6360.0 torch-neuronx==2.9.0.2.15.32035"),
        ({"neuronx-cc": "2.14.227.0", "torch-neuronx": "2.1.2.2.2.0"}, "neuronx-cc==2.26.6360.0 torch-neuronx"),
        ({"neuron-cc": "1.16.2.0"}, '"neuron-cc[tensorflow]==1.24.0.0" torch-neuron==1.13.1.2.11.13.0'),
        ({"jax-neuronx": "0.7.0.1.0.8181"}, "jax-neuronx==0.10.0.1.0.11459 libneuronxla==3.0.5356.0 neuronx-cc==2.27"),
    ],
)
def test_an_upgrade_is_pinned_to_one_release(environment: dict[str, str], pinned: str, catalog: Catalog) -> None:
    after = filled(UPGRADE, environment, catalog.releases)["after"]
    assert pinned in after
    assert after.startswith("pip install ")


def test_nki_is_upgraded_with_the_compiler_of_its_release(catalog: Catalog) -> None:
    after = filled({**UPGRADE, "snippet": "upgrade-nki"}, {}, catalog.releases)["after"]
    assert "neuronx-cc==2.26.6360.0 nki==0.5.0 torch-neuronx==2.9.0.2.15.32035" in after


def test_the_newest_is_not_advised_to_itself(catalog: Catalog) -> None:
    newest = {"neuronx-cc": "2.26.6360.0+x", "torch-neuronx": "2.9.0.2.15.32035"}
    told = filled(UPGRADE, newest, catalog.releases)
    assert told["after"] is None
    assert "newest release of its stack already" in told["detail"]


@pytest.mark.parametrize(
    ("environment", "pinned"),
    [
        ({}, "neuronx-cc==2.26.6360.0 torch-neuronx==2.9.0.2.15.32035"),
        ({"torch-neuronx": "2.7.0.2.10.13553+x"}, "neuronx-cc==2.21.18209.0 torch-neuronx==2.7.0.2.10.13553"),
        ({"neuronx-cc": "2.14.227.0"}, "neuronx-cc==2.14.227.0 torch-neuronx==2.1.2.2.2.0"),
        ({"neuronx-cc": "2.27.5334.0"}, "neuronx-cc==2.26.6360.0 torch-neuronx==2.9.0.2.15.32035"),
    ],
)
def test_what_is_missing_is_installed_in_the_release_of_the_log(
    environment: dict[str, str], pinned: str, catalog: Catalog
) -> None:
    assert pinned in filled({**UPGRADE, "snippet": "install"}, environment, catalog.releases)["after"]


def test_what_has_no_snippet_stays(catalog: Catalog) -> None:
    plain = {"title": "Look", "kind": "config"}
    assert filled(plain, {}, catalog.releases) == plain
