"""The same printed code again: compiler, driver and wrapper all print it; the first line is the statement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.ranking.graph import Edge

_NAMES = ("code", "status")


def edges(claims: Sequence[Claim], briefs: Mapping[str, Mapping[str, Any]]) -> Iterator[Edge]:
    """From the first claim with a code to the later ones with it, unless these are particular failures of their own."""
    first: dict[str, Claim] = {}
    for claim in claims:
        code = next((claim.fields[name] for name in _NAMES if claim.fields.get(name)), "")
        if not code:
            continue
        cause = first.setdefault(code, claim)
        if cause is not claim and not (claim.entry and briefs[claim.id]["role"] == "root" and claim.id != cause.id):
            yield Edge(cause, claim, "same_code", f"it repeats {code}")
