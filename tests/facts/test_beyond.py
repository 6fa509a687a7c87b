"""A value is beyond its bound, whatever it measures and in whatever words; its twin within it is nothing."""

from __future__ import annotations

import pytest

from neurontriage.facts.beyond import beyond

PAIRS = [
    ("domain 7 drifted by 412 ppm, allowed are 100 ppm", "domain 7 drifted by 41 ppm, allowed are 100 ppm"),
    ("link 3 trained at 16 GT/s, wanted 32 GT/s", "link 3 trained at 32 GT/s, wanted 32 GT/s"),
    ("renewing the lease took 18 s, may take 10 s", "renewing the lease took 8 s, may take 10 s"),
    ("limit is 100 s, took 130 s", "limit is 100 s, took 30 s"),
    ("sensor 1 reads 104 C (trips at 98 C)", "sensor 1 reads 60 C (trips at 98 C)"),
    ("14 devices answered, chart wants 16", "16 devices answered, chart wants 16"),
    ("digest is 9f41…77c0, list says 1b02…dd90", "digest is 9f41…77c0, list says 9f41…77c0"),
    ("shard 3 broke off at 2.1 GB of 9.9 GB", "shard 3 read 2.1 GB of 9.9 GB"),
    ("mtu is 1500, ring built for 9001", "mtu is 9001, ring built for 9001"),
]


@pytest.mark.parametrize(("ill", "well"), PAIRS)
def test_pairs(ill: str, well: str) -> None:
    assert beyond(ill)
    assert not beyond(well)


@pytest.mark.parametrize(
    "text",
    [
        "[Wed May  6 10:00:00 2026]",
        "step 3 of 100, loss 2.1",
        "offset 3 ms, allowed 5 C",
        "no number, allowed or not",
        "wants " + "1 s, 2 s, " * 9,
        "x" * 500 + " 412 ppm, allowed are 100 ppm",
    ],
)
def test_nothing_is_compared(text: str) -> None:
    assert not beyond(text)
