"""What is remembered of lines by their templates: enough to count what comes again, and no more than that."""

from __future__ import annotations

import random

import pytest

from neurontriage.claims import alike
from neurontriage.claims.alike import Alike
from neurontriage.knowledge.catalog import Catalog
from neurontriage.model import Said
from neurontriage.triage import explain_text

FLOODS = (
    "2026-04-23T19:15:{:02} ERROR [loader] failed to read sample {}: bad magic\n",
    "/venv/neuronx_distributed/modules/moe.py:{}: DeprecationWarning: torch_neuronx.nki_jit is deprecated {}\n",
    "2026-Nov-02 10:00:{:02} 7:7 [{}] nccl_net_ofi_init:1 CCOM WARN NET/OFI aws-ofi-nccl initialization failed\n",
    "retry {} after ConnectionError: the hub did not answer, will try again in {} s\n",
)
WORDS = ("queue", "tensor", "worker", "graph", "buffer", "ring", "lease", "socket")


def text(seed: int) -> str:
    """Floods of a few lines, between exceptions that are all different."""
    rng = random.Random(seed)
    lines: list[str] = []
    for number in range(900):
        names = [rng.choice(WORDS) for _ in range(5)]
        lines.append(f"{names[0].title()}{names[1].title()}Error: {' '.join(names[2:])} was dropped\n")
        lines += [flood.format(number % 60, rng.randrange(9999)) for flood in FLOODS if rng.random() < 0.3]
    return "".join(lines)


@pytest.mark.parametrize("seed", range(3))
def test_the_answer_is_the_same_however_few_are_remembered(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    found = [explain_text(text(seed), "a.log", catalog)]
    monkeypatch.setattr(alike, "_MOST", 4)
    found.append(explain_text(text(seed), "a.log", catalog))
    assert found[0] == found[1]
    assert max(one.count for one in found[0].findings) > 40


def test_what_may_be_counted_stays_and_all_else_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "_MOST", 4)
    known = Alike(said={str(number): Said() for number in range(9)})
    known.forget(lambda: {"1", "2", "3", "77"})
    assert list(known.said) == ["1", "2", "3"]
    known.said["4"] = Said()
    known.forget(lambda: {"1"})
    assert list(known.said) == ["1", "2", "3", "4"]  # there is room again
