"""Features → how likely each claim is the root, and how much speaks for an alarm: one claim at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from neurontriage.claims.claim import Claim
from neurontriage.ranking.features import Scene, whole
from neurontriage.ranking.ranker import load, shares
from neurontriage.ranking.survived.closing import weighed


def weigh(errors: Sequence[Claim], scene: Scene, may_alarm: Callable[[Claim, Scene], bool]) -> dict[int, float]:
    """Give every claim its score; how much speaks for an alarm, by the identity of each that may raise one.

    The features of one are held at a time: those of thousands take more memory than all that they say.
    """
    ranker, scores, alarm = load(), list[float](), dict[int, float]()
    logs = {path: whole(scene, scene.courses[path]) for path in {c.event.evidence.path for c in errors}}
    for one in errors:
        features = scene.features(one)
        scores.append(ranker.score(features))
        if may_alarm(one, scene):
            alarm[id(one)] = ranker.alarm_of(weighed(one, features | logs[one.event.evidence.path], scene))
    for claim, share in zip(errors, shares(scores), strict=True):
        claim.score = share
    return alarm
