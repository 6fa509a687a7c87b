"""A small linear ranker: named features × named weights (weights.json, fitted by `eval/fit.py`)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from neurontriage.ranking.neighbours import Features

WEIGHTS = Path(__file__).with_name("weights.json")


class Ranker(NamedTuple):
    """`root`: weights for which claim is the root cause; `alarm` and `threshold`: for whether anything failed."""

    root: Mapping[str, float]
    alarm: Mapping[str, float]
    threshold: float

    def score(self, features: Features) -> float:
        """How likely a claim is the root cause, compared with the other claims of its log."""
        return _sum(self.root, features)

    def alarm_of(self, *features: Features) -> float:
        """How likely a claim, with the features of its log, states a real failure: above `threshold` it does."""
        return _sum(self.alarm, *features)


def _sum(weights: Mapping[str, float], *features: Features) -> float:
    """Features × weights; most features are 0."""
    return math.fsum([weights.get(name, 0.0) * value for some in features for name, value in some.items() if value])


@lru_cache(maxsize=1)
def load() -> Ranker:
    """The fitted ranker that ships."""
    data = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Ranker(data["root"], data["alarm"], data["threshold"])


def shares(scores: Sequence[float]) -> list[float]:
    """Scores → shares that sum to 1 (softmax): the share of the first one is the ranker's confidence in it."""
    top = max(scores, default=0.0)
    weights = [math.exp(score - top) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]
