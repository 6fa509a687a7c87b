"""What a CI runner does behind a step that failed: it uploads, and cleans up; a complaint of that failed nothing."""

from __future__ import annotations

from functools import lru_cache

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene

_FAILED = Sought(r"##\[error\]Process completed with exit code [1-9]|\bERROR: Job failed\b")
_AFTER = Sought(
    r"\bPost job cleanup\.|Running after_script\b|\bUploading artifacts for failed job\b"
    r"|##\[group\]Run actions/upload-artifact@"
)


def afterwards(claim: Claim, scene: Scene) -> bool:
    """Whether a claim stands below where a runner, whose job failed, begins to tidy up; its reports count."""
    if claim.says in ("exit", "wrap"):
        return False
    return 0 < _begins(scene.course(claim).ends) < claim.event.evidence.line


@lru_cache(maxsize=8)
def _begins(ends: tuple[tuple[int, str], ...]) -> int:
    """The first line of what follows on a job that failed; 0 without one."""
    together = "\n".join(text for _, text in ends)
    if not (_FAILED.search(together) and _AFTER.search(together)):
        return 0
    return next(line for line, text in ends if _AFTER.search(text))
