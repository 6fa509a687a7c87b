"""What stands before and after a claim in its log: a reason stands below its heading, an exit behind its failure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from neurontriage.claims.claim import Claim

Features = dict[str, float]


def neighbours(errors: Sequence[Claim]) -> dict[int, Features]:
    """Features of every claim, by its identity; `errors` in the order of the logs."""
    found: dict[int, Features] = {id(claim): {} for claim in errors}
    for claim in errors:
        found[id(claim)]["heading"] = float("HEADING" in claim.event.said.words)
    for before, after in pairwise(errors):
        if before.event.evidence.path == after.event.evidence.path:
            found[id(before)][f"next:{after.says}"] = 1.0
            found[id(after)][f"before:{before.says}"] = 1.0
            found[id(after)]["below heading"] = float("HEADING" in before.event.said.words)
    for claim in errors:
        features = found[id(claim)]
        features["before:nothing"] = float(not any(name.startswith("before:") for name in features))
        features["next:nothing"] = float(not any(name.startswith("next:") for name in features))
    return found
