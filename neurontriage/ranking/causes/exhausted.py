"""A host has no more of what every program of it needs: whatever breaks below over files is a consequence of that.

A full disk, a quota, the most open files, a file system that gives errors: one rank, worker or thread is told so, and
others then find half a file, a folder that is not empty, or nothing, and say that in words of their own.
"""

from __future__ import annotations

from neurontriage.claims.claim import Claim
from neurontriage.lines.levels import CALM
from neurontriage.lines.words import Sought
from neurontriage.ranking.causes.provided import PATH, absent
from neurontriage.ranking.causes.relayed import MILD
from neurontriage.ranking.causes.spoiled import unreadable
from neurontriage.ranking.causes.stumbled import worked
from neurontriage.ranking.features import Scene
from neurontriage.ranking.statements import fails

_EXHAUSTED = Sought(
    r"(?i)\bno space left on device\b|\bdis[ck] quota exceeded\b|\btoo many open files\b|\bread-only file system\b"
    r"|\binput/output error\b|\bstale (?:NFS )?file handle\b|\bfile too large\b|\bos error (?:28|122|24|5|30|116|27)\)"
    r"|\b(?:ENOSPC|EDQUOT|E[MN]FILE|EROFS|EIO|ESTALE|EFBIG)\b"
)
_UNABLE = frozenset({"INABILITY", "MISSING"})
# A folder, or the archive that a checkpoint is written to.
_OF_FILES = Sought(r"(?i)\bdirectory not empty\b|\bunexpected pos\b|\binline_container\b")


def exhausted(likely: Claim, claim: Claim, scene: Scene) -> bool:
    """Whether the likely claim is of files, and this one above it says that the host has no more of what they need."""
    one, other = claim.event.evidence, likely.event.evidence
    if one.path != other.path or not claim.last < other.line or claim.handled:
        return False
    if claim.event.said.level in CALM or claim.event.said.words & MILD:
        return False
    if not _lacking(claim) or _lacking(likely) or not fails(likely):
        return False
    if worked(claim, scene.progress) or scene.survived(claim):
        return False
    return absent(likely) or unreadable(likely) or _of_files(likely)


def _lacking(claim: Claim) -> bool:
    """Whether a claim says that the host has no more of something, in whatever language."""
    event = claim.event
    return (event.family, event.kind) == ("errno", "full") or _EXHAUSTED.search(event.evidence.text) is not None


def _of_files(claim: Claim) -> bool:
    """Whether a claim tells of a file or folder with which something could not be done, not of what is wrong in it."""
    text, unable = claim.event.evidence.text, not claim.event.said.words.isdisjoint(_UNABLE)
    return _OF_FILES.search(text) is not None or (unable and PATH.search(text) is not None)
