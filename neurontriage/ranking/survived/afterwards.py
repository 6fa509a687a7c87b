"""What a CI runner does behind a step that failed: it uploads, and cleans up; a complaint of that failed nothing."""

from __future__ import annotations

from collections.abc import Sequence

from neurontriage.claims.claim import Claim
from neurontriage.lines.words import Sought
from neurontriage.ranking.features import Scene

_FAILED = Sought(r"##\[error\]Process completed with exit code [1-9]|\bERROR: Job failed\b")
_AFTER = Sought(
    r"\bPost job cleanup\.|Running after_script\b|\bUploading artifacts for failed job\b"
    r"|##\[group\]Run actions/upload-artifact@"
)


def afterwards(claims: Sequence[Claim], scene: Scene) -> list[Claim]:
    """The claims below where a runner, whose job failed, begins to tidy up; its reports count."""
    begins = {path: _begins(scene.courses[path].ends) for path in {claim.event.evidence.path for claim in claims}}
    own = [(claim, claim.event.evidence) for claim in claims if claim.says not in ("exit", "wrap")]
    return [claim for claim, where in own if 0 < begins[where.path] < where.line]


def _begins(ends: tuple[tuple[int, str], ...]) -> int:
    """The first line of what follows on a job that failed; 0 without one."""
    together = "\n".join(text for _, text in ends)
    if not (_FAILED.search(together) and _AFTER.search(together)):
        return 0
    return next(line for line, text in ends if _AFTER.search(text))
