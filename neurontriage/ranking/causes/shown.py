"""A report sends its reader to a log; where that log is shown below it, at a prompt, what failed there is why."""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene

_SENDS = Sought(
    r"(?i)\b(?:check|see|view|inspect|consult|examine|refer to|look (?:at|in|into)|details in|information in)\b"
    r".{0,80}\b(?:\w*logs?|\S+\.(?:log|out|err)|journalctl|CloudWatch)\b|\bBack-?off restarting failed container\b"
)
_READS = Sought(r"\b(?:logs?|tail|cat|less|more|head|journalctl|dmesg|grep|bat|zcat)\b")


def shown(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim sends its reader to a log, and this is raised in one that is shown below it."""
    here, there = likely.event.evidence, claim.event.evidence
    if here.path != there.path or there.line <= likely.last or claim.says != "raise" or claim.handled:
        return False
    prompts = [text for line, _, text in scene.course(claim).prompts if likely.last < line < there.line]
    return bool(prompts) and _READS.search(prompts[-1]) is not None and _SENDS.search(here.text) is not None
