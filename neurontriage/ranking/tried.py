"""What was tried again and again in vain is why a program then ends, where the words of the end name no reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neurontriage.claims.claim import Claim
from neurontriage.claims.tries import OWN
from neurontriage.ranking.features import Scene, particular

_SOON = 30  # lines within which a program ends that has tried in vain
_TOLD = frozenset({"REASON", "LIMIT", "REFUSED", "ERRNO", "STATUS", "ASSERTION", "SIGNALLED"})
_FORMS = frozenset({"coded", "status", "located", "assertion"})


def in_vain(tried: Claim, claim: Claim, briefs: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a claim is the end of what was tried: soon below the last try, without a reason of its own."""
    if not _failed(tried) or claim is tried or claim.event.evidence.path != tried.event.evidence.path:
        return False
    said = claim.event.said
    told = said.kind in _FORMS or not said.words.isdisjoint(_TOLD) or particular(claim, briefs)
    return not told and 0 <= claim.event.evidence.line - tried.tried <= _SOON


def _failed(claim: Claim) -> bool:
    """Whether a line that counts tries says, or by its level warns of, what came of them, too."""
    said = claim.event.said
    warned = said.level not in ("", "INFO", "DEBUG") or not said.words.isdisjoint(OWN | _TOLD | {"EXCEPTION"})
    return claim.tried > 0 and warned


def spent(claim: Claim, scene: Scene) -> bool:
    """Whether the last try of something failed, and the log ends soon after it without a sign that the run went on."""
    path = claim.event.evidence.path
    after = max(marks.get(path, 0) for marks in (scene.success, scene.progress, scene.ended))
    return _failed(claim) and claim.tried > after and scene.course(claim).lines - claim.tried <= _SOON
